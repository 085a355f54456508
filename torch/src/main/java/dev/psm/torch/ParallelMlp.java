package dev.psm.torch;

import static dev.psm.torch.Tensors.scalar;

import java.util.List;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Many multilayer perceptrons of one shape, side by side: those of several seeds, and of each
 * seed's members. Every weight has a leading axis of seeds × members, a seed's members in a row, so
 * that one batched product serves all of them and a seed's part is a {@link Slice}.
 *
 * <p>Layers are as in {@link Mlp}; weights are stored as inputs × outputs.
 *
 * @param gain of the orthogonal initialisation: 1 for single networks, √2 for ensembles, as in the
 *     published code
 */
public record ParallelMlp(
    String name,
    int[] sizes,
    boolean normaliseFirst,
    boolean activateLast,
    int members,
    double gain) {
  private static final double LAYER_NORM_EPSILON = 1e-5;

  /** Adds the weights of every seed, each drawn from that seed's generator alone. */
  public void initialise(Parameters parameters, List<? extends RandomGenerator> seeds) {
    try (PointerScope scope = new PointerScope()) {
      add(parameters, seeds.size(), (inputs, outputs) -> orthogonal(seeds, inputs, outputs));
    }
  }

  /** Adds weights that only have a shape, to load others into. */
  public void blank(Parameters parameters, int seeds) {
    try (PointerScope scope = new PointerScope()) {
      add(
          parameters,
          seeds,
          (inputs, outputs) -> torch.zeros((long) seeds * members, inputs, outputs));
    }
  }

  private interface Weights {
    Tensor of(int inputs, int outputs);
  }

  private void add(Parameters parameters, int seeds, Weights weights) {
    long stack = (long) seeds * members;
    for (int layer = 0; layer + 1 < sizes.length; layer++) {
      parameters.add(key(layer, "weight"), weights.of(sizes[layer], sizes[layer + 1]));
      parameters.add(key(layer, "bias"), torch.zeros(stack, 1, sizes[layer + 1]));
      if (layer == 0 && normaliseFirst) {
        parameters.add(name + ".norm.weight", torch.ones(stack, 1, sizes[1]));
        parameters.add(name + ".norm.bias", torch.zeros(stack, 1, sizes[1]));
      }
    }
  }

  private Tensor orthogonal(List<? extends RandomGenerator> seeds, int inputs, int outputs) {
    TensorVector drawn = new TensorVector();
    for (RandomGenerator random : seeds) {
      for (int member = 0; member < members; member++) {
        drawn.push_back(Mlp.orthogonal(random, outputs, inputs).t().mul(scalar(gain)));
      }
    }
    return torch.stack(drawn, 0);
  }

  /**
   * Applies every network to its own rows.
   *
   * @param x seeds·members × rows × inputs
   * @return seeds·members × rows × outputs
   */
  public Tensor forward(Parameters parameters, Tensor x) {
    return activated(parameters, product(parameters, 0, x));
  }

  /**
   * The same where the last of the inputs are constants: their part of the first product has no
   * gradient.
   *
   * @param x the first of the inputs: seeds·members × rows × some
   * @param constants the others
   */
  public Tensor forward(Parameters parameters, Tensor x, Tensor constants) {
    Tensor weight = parameters.get(key(0, "weight"));
    Tensor known;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor last = weight.narrow(1, x.size(2), constants.size(2));
      known = torch.baddbmm(parameters.get(key(0, "bias")), constants, last);
    }
    return activated(parameters, torch.baddbmm(known, x, weight.narrow(1, 0, x.size(2))));
  }

  private Tensor product(Parameters parameters, int layer, Tensor x) {
    return torch.baddbmm(
        parameters.get(key(layer, "bias")), x, parameters.get(key(layer, "weight")));
  }

  /**
   * All that follows the first product. Activations are in place: no gradient needs their input.
   */
  private Tensor activated(Parameters parameters, Tensor first) {
    int layers = sizes.length - 1;
    Tensor h = first;
    for (int layer = 0; layer < layers; layer++) {
      if (layer > 0) {
        h = product(parameters, layer, h);
      }
      if (layer == 0 && normaliseFirst) {
        h = normalised(parameters, h).tanh_();
      } else if (layer < layers - 1 || activateLast) {
        h = h.relu_();
      }
    }
    return h;
  }

  /** LayerNorm with weights of each network's own; libtorch's own has them for one network only. */
  private Tensor normalised(Parameters parameters, Tensor h) {
    Tensor weight = parameters.get(name + ".norm.weight");
    Tensor bias = parameters.get(name + ".norm.bias");
    if (h.size(0) == 1) {
      return layerNorm(h, new TensorOptional(weight.view(-1)), new TensorOptional(bias.view(-1)));
    }
    return torch.addcmul(bias, layerNorm(h, new TensorOptional(), new TensorOptional()), weight);
  }

  private Tensor layerNorm(Tensor h, TensorOptional weight, TensorOptional bias) {
    return torch.layer_norm(h, new long[] {sizes[1]}, weight, bias, LAYER_NORM_EPSILON, false);
  }

  private String key(int layer, String part) {
    return name + "." + layer + "." + part;
  }
}
