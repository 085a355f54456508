package dev.psm.torch;

import org.bytedeco.pytorch.Tensor;

/**
 * Layers that round as a GPU does, on the processor: they show what a tolerance has to allow. The
 * factors of products have so many bits of mantissa, and with bfloat16 so have all activations.
 */
final class RoundedLayers implements Layers {
  private static final int SINGLE = 23;

  private final PlainLayers plain = new PlainLayers();
  private final int bits;
  private final boolean activations;

  RoundedLayers(Precision precision) {
    this.bits =
        switch (precision) {
          case FLOAT32 -> SINGLE;
          case TF32 -> 10;
          case BFLOAT16 -> 7;
        };
    this.activations = precision == Precision.BFLOAT16;
  }

  /** To the nearest, ties to even. */
  private Tensor factor(Tensor x) {
    if (bits == SINGLE) {
      return x;
    }
    int drop = SINGLE - bits;
    float[] values = Tensors.toFloats(x);
    for (int i = 0; i < values.length; i++) {
      int word = Float.floatToRawIntBits(values[i]);
      word += (1 << (drop - 1)) - 1 + ((word >> drop) & 1);
      values[i] = Float.intBitsToFloat(word & -(1 << drop));
    }
    return Tensors.floats(values, x.sizes().vec().get());
  }

  private Tensor activation(Tensor x) {
    return activations ? factor(x) : x;
  }

  @Override
  public Tensor entering(Tensor x) {
    return activation(x);
  }

  @Override
  public Tensor leaving(Tensor x) {
    return x;
  }

  @Override
  public Tensor room(Tensor like, long width) {
    return null;
  }

  @Override
  public Tensor linear(Tensor x, Tensor weight, Tensor bias) {
    return plain.linear(factor(x), factor(weight), bias);
  }

  @Override
  public Tensor linearRelu(Tensor x, Tensor weight, Tensor bias, Tensor into) {
    Tensor raw = activation(plain.inputGradient(factor(x), factor(weight).transpose(1, 2)));
    return activation(raw.add(bias).relu());
  }

  @Override
  public Normed linearNormTanh(
      Tensor x, Tensor weight, Tensor bias, Tensor gain, Tensor shift, boolean kept) {
    return rounded(plain.linearNormTanh(factor(x), factor(weight), bias, gain, shift, kept));
  }

  @Override
  public Normed normTanh(Tensor product, Tensor bias, Tensor gain, Tensor shift, boolean kept) {
    return rounded(plain.normTanh(product, bias, gain, shift, kept));
  }

  private Normed rounded(Normed normed) {
    return new Normed(
        activation(normed.raw()),
        normed.mean(),
        normed.inverseDeviation(),
        activation(normed.standard()),
        activation(normed.output()));
  }

  @Override
  public Back relu(Tensor output, Tensor gradient, boolean wanted) {
    return plain.relu(output, gradient, wanted);
  }

  @Override
  public NormedBack normTanh(
      Normed normed, Tensor bias, Tensor gain, Tensor gradient, boolean wanted) {
    NormedBack back = plain.normTanh(normed, bias, gain, gradient, wanted);
    return new NormedBack(activation(back.gradient()), back.bias(), back.gain(), back.shift());
  }

  @Override
  public Tensor biasGradient(Tensor gradient) {
    return plain.biasGradient(gradient);
  }

  @Override
  public Tensor joined(Tensor a, Tensor b, int members) {
    return activation(plain.joined(a, b, members));
  }

  @Override
  public Tensor weightGradient(Tensor x, Tensor gradient) {
    return plain.weightGradient(factor(x), factor(gradient));
  }

  @Override
  public Tensor inputGradient(Tensor gradient, Tensor weight) {
    return activation(plain.inputGradient(factor(gradient), factor(weight)));
  }
}
