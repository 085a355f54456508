package dev.psm.torch;

import org.bytedeco.pytorch.Tensor;

/**
 * The layers of networks side by side, forwards and backwards, as a device computes them best.
 *
 * <p>Shapes: x and everything like it is networks × rows × numbers, weights are networks × inputs ×
 * outputs, biases networks × 1 × outputs.
 */
interface Layers {
  double LAYER_NORM_EPSILON = 1e-5;

  /** Brings inputs into the type that products want. */
  Tensor entering(Tensor x);

  /** Back to single precision. */
  Tensor leaving(Tensor x);

  /**
   * Room for the outputs of several networks beside each other, networks × rows × width; null where
   * it is better to join them afterwards.
   */
  Tensor room(Tensor like, long width);

  /** x·w + b. */
  Tensor linear(Tensor x, Tensor weight, Tensor bias);

  /**
   * relu(x·w + b).
   *
   * @param into where it goes; null for a place of its own
   */
  Tensor linearRelu(Tensor x, Tensor weight, Tensor bias, Tensor into);

  /**
   * tanh(LayerNorm(x·w + b)).
   *
   * @param kept whether the backward pass will be wanted
   */
  Normed linearNormTanh(
      Tensor x, Tensor weight, Tensor bias, Tensor gain, Tensor shift, boolean kept);

  /**
   * The same of a product that is there already, which may be overwritten.
   *
   * @param product x·w, in the products' type: networks × rows × numbers
   */
  Normed normTanh(Tensor product, Tensor bias, Tensor gain, Tensor shift, boolean kept);

  /**
   * What LayerNorm and tanh leave for the backward pass: what came in, its moments, what came out.
   *
   * @param standard before gain and shift; null where the backward pass finds it again
   */
  record Normed(Tensor raw, Tensor mean, Tensor inverseDeviation, Tensor standard, Tensor output) {}

  /**
   * The gradient before a relu, and of the bias before that.
   *
   * @param output of the relu
   * @param gradient by the output; may be overwritten
   * @param wanted whether the bias's gradient is wanted; null otherwise
   */
  Back relu(Tensor output, Tensor gradient, boolean wanted);

  record Back(Tensor gradient, Tensor bias) {}

  /** The gradient before LayerNorm and tanh, and of all their weights. */
  NormedBack normTanh(Normed normed, Tensor bias, Tensor gain, Tensor gradient, boolean wanted);

  record NormedBack(Tensor gradient, Tensor bias, Tensor gain, Tensor shift) {}

  /**
   * The gradient of a bias that was added last: its sum over rows.
   *
   * @param gradient in single precision
   */
  Tensor biasGradient(Tensor gradient);

  /**
   * Two inputs side by side, and as often as a seed has members: seeds × rows × numbers becomes
   * seeds·members × rows × numbers, in the products' type.
   *
   * @param b null where there is only one
   */
  Tensor joined(Tensor a, Tensor b, int members);

  /** xᵀ·gradient, in single precision. */
  Tensor weightGradient(Tensor x, Tensor gradient);

  /** gradient·wᵀ. */
  Tensor inputGradient(Tensor gradient, Tensor weight);
}
