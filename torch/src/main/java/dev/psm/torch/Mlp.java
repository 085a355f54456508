package dev.psm.torch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * A multilayer perceptron as a shape without weights: the weights live in {@link Parameters}, so
 * that online and target networks share one description.
 *
 * <p>With {@code normaliseFirst} the first layer is Linear, LayerNorm, tanh (the sources'
 * <em>ntanh</em> block), otherwise Linear, ReLU; further layers are Linear, ReLU; the last is
 * Linear alone unless {@code activateLast}.
 */
public record Mlp(String name, int[] sizes, boolean normaliseFirst, boolean activateLast) {
  private static final double LAYER_NORM_EPSILON = 1e-5;

  /** Adds this network's weights: orthogonal with gain 1, biases 0, LayerNorm 1 and 0. */
  public void initialise(Parameters parameters, RandomGenerator random) {
    try (PointerScope scope = new PointerScope()) {
      for (int layer = 0; layer + 1 < sizes.length; layer++) {
        parameters.add(key(layer, "weight"), orthogonal(random, sizes[layer + 1], sizes[layer]));
        parameters.add(key(layer, "bias"), torch.zeros(sizes[layer + 1]));
        if (layer == 0 && normaliseFirst) {
          parameters.add(name + ".norm.weight", torch.ones(sizes[1]));
          parameters.add(name + ".norm.bias", torch.zeros(sizes[1]));
        }
      }
    }
  }

  /** The shapes of the weights. */
  public Map<String, long[]> shapes() {
    Map<String, long[]> shapes = new LinkedHashMap<>();
    for (int layer = 0; layer + 1 < sizes.length; layer++) {
      shapes.put(key(layer, "weight"), new long[] {sizes[layer + 1], sizes[layer]});
      shapes.put(key(layer, "bias"), new long[] {sizes[layer + 1]});
      if (layer == 0 && normaliseFirst) {
        shapes.put(name + ".norm.weight", new long[] {sizes[1]});
        shapes.put(name + ".norm.bias", new long[] {sizes[1]});
      }
    }
    return shapes;
  }

  /** Applies the network to the last axis of x. */
  public Tensor forward(Parameters parameters, Tensor x) {
    Tensor h = x;
    int layers = sizes.length - 1;
    for (int layer = 0; layer < layers; layer++) {
      h = torch.linear(h, parameters.get(key(layer, "weight")), parameters.get(key(layer, "bias")));
      boolean last = layer == layers - 1;
      if (layer == 0 && normaliseFirst) {
        h =
            torch
                .layer_norm(
                    h,
                    new long[] {sizes[1]},
                    new TensorOptional(parameters.get(name + ".norm.weight")),
                    new TensorOptional(parameters.get(name + ".norm.bias")),
                    LAYER_NORM_EPSILON,
                    false)
                .tanh();
      } else if (!last || activateLast) {
        h = h.relu();
      }
    }
    return h;
  }

  private String key(int layer, String part) {
    return name + "." + layer + "." + part;
  }

  /** A matrix with orthonormal rows or columns, whichever are fewer, drawn uniformly. */
  static Tensor orthogonal(RandomGenerator random, int rows, int columns) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      boolean tall = rows >= columns;
      Tensor gaussian = Tensors.gaussian(random, tall ? rows : columns, tall ? columns : rows);
      Tensor[] qr = Handles.of(torch.linalg_qr(gaussian));
      // The sign of R's diagonal makes the distribution uniform.
      Tensor q = qr[0].mul(qr[1].diag().sign());
      return (tall ? q : q.t()).contiguous();
    }
  }
}
