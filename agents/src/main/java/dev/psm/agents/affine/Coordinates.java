package dev.psm.agents.affine;

import dev.psm.torch.Device;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The coordinates w of a code, always on the sphere of radius √(length).
 *
 * <p>A hash code's come from a network over its bits and use the first d entries. Enriched code e
 * has the fixed coordinates √length · unit vector d + e: it owns one basis function, so its measure
 * can be learned exactly instead of sharing d dimensions with policies that have nothing in common.
 */
final class Coordinates {
  private final Mlp network;
  private final int shared;
  private final int enriched;
  private final RandomGenerator random;
  private final Device device;

  Coordinates(AffineShape shape, RandomGenerator random) {
    this.shared = shape.basisDimension();
    this.enriched = shape.enrichedCodes();
    this.random = random;
    network = network(shape);
    device = Device.CPU;
  }

  private static Mlp network(AffineShape shape) {
    int[] sizes = new int[shape.coordinateLayers() + 2];
    Arrays.fill(sizes, shape.coordinateWidth());
    sizes[0] = Codebook.CODE_BITS;
    sizes[sizes.length - 1] = shape.basisDimension();
    return new Mlp("coordinates", sizes, false, false);
  }

  /** The shapes of the {@link #parameters} of a network that need not exist. */
  static Map<String, long[]> shapes(AffineShape shape) {
    return network(shape).shapes();
  }

  private Coordinates(Coordinates other, Device device) {
    this.network = other.network;
    this.shared = other.shared;
    this.enriched = other.enriched;
    this.random = other.random;
    this.device = device;
  }

  /** The same of parameters that lie elsewhere. */
  Coordinates on(Device other) {
    return new Coordinates(this, other);
  }

  Parameters parameters() {
    Parameters parameters = new Parameters();
    network.initialise(parameters, random);
    return parameters;
  }

  int length() {
    return shared + enriched;
  }

  /** w(z) for hash codes: codes × length. */
  Tensor ofCodes(Parameters parameters, int[] codes) {
    float[] bits = new float[codes.length * Codebook.CODE_BITS];
    for (int i = 0; i < codes.length; i++) {
      Codebook.bits(codes[i], bits, i * Codebook.CODE_BITS);
    }
    return ofBits(parameters, device.place(Tensors.floats(bits, codes.length, Codebook.CODE_BITS)));
  }

  /**
   * The same for codes whose bits are there.
   *
   * @param bits codes × bits
   */
  Tensor ofBits(Parameters parameters, Tensor bits) {
    Tensor w = Tensors.onSphere(network.forward(parameters, bits));
    if (enriched == 0) {
      return w;
    }
    // The head normalises to √d; the sphere that all codes share has radius √length.
    return torch
        .cat(new TensorVector(w, zeros(bits.size(0), enriched)), 1)
        .mul(Tensors.scalar(Math.sqrt((double) length() / shared)));
  }

  /** Coordinates of all enriched codes: enriched × length. */
  Tensor ofEnriched() {
    return torch
        .cat(new TensorVector(zeros(enriched, shared), torch.eye(enriched, device.floats())), 1)
        .mul(Tensors.scalar(Math.sqrt(length())));
  }

  private Tensor zeros(long rows, long columns) {
    return torch.zeros(new long[] {rows, columns}, device.floats());
  }
}
