package dev.psm.torch;

import org.bytedeco.javacpp.BoolPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Layers by libtorch's own operators, on any device. The forward pass can also be followed by
 * libtorch's differentiation, which is what tests compare the backward pass with.
 */
final class PlainLayers implements Layers {
  @Override
  public Tensor entering(Tensor x) {
    return x;
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
    return torch.baddbmm(bias, x, weight);
  }

  /** In place: no gradient needs what came in. */
  @Override
  public Tensor linearRelu(Tensor x, Tensor weight, Tensor bias, Tensor into) {
    return linear(x, weight, bias).relu_();
  }

  @Override
  public Normed linearNormTanh(
      Tensor x, Tensor weight, Tensor bias, Tensor gain, Tensor shift, boolean kept) {
    return normed(linear(x, weight, bias), gain, shift);
  }

  @Override
  public Normed normTanh(Tensor product, Tensor bias, Tensor gain, Tensor shift, boolean kept) {
    return normed(product.add_(bias), gain, shift);
  }

  private static Normed normed(Tensor raw, Tensor gain, Tensor shift) {
    long[] columns = {raw.size(2)};
    if (raw.size(0) == 1) {
      Tensor[] normed =
          Handles.of(
              torch.native_layer_norm(
                  raw,
                  columns,
                  optional(gain.view(-1)),
                  optional(shift.view(-1)),
                  LAYER_NORM_EPSILON));
      return new Normed(raw, normed[1], normed[2], null, normed[0].tanh_());
    }
    // libtorch's own has weights for one network only.
    TensorOptional none = new TensorOptional();
    Tensor[] normed =
        Handles.of(torch.native_layer_norm(raw, columns, none, none, LAYER_NORM_EPSILON));
    Tensor output = torch.addcmul(shift, normed[0], gain).tanh_();
    return new Normed(raw, normed[1], normed[2], normed[0], output);
  }

  @Override
  public Back relu(Tensor output, Tensor gradient, boolean wanted) {
    Tensor before = torch.threshold_backward(gradient, output, Tensors.scalar(0));
    return new Back(before, wanted ? biasGradient(before) : null);
  }

  @Override
  public NormedBack normTanh(
      Normed normed, Tensor bias, Tensor gain, Tensor gradient, boolean wanted) {
    Tensor scaled = torch.tanh_backward(gradient, normed.output());
    Tensor raw = normed.raw();
    long[] columns = {raw.size(2)};
    if (raw.size(0) == 1) {
      Tensor weight = gain.view(-1);
      try (BoolPointer all = which(wanted)) {
        Tensor[] back =
            Handles.of(
                torch.native_layer_norm_backward(
                    scaled,
                    raw,
                    columns,
                    normed.mean(),
                    normed.inverseDeviation(),
                    optional(weight),
                    optional(weight),
                    all));
        Tensor before = back[0];
        return wanted
            ? new NormedBack(
                before, biasGradient(before), back[1].view(1, 1, -1), back[2].view(1, 1, -1))
            : new NormedBack(before, null, null, null);
      }
    }
    Tensor before = beforeNorm(normed, columns, scaled.mul(gain));
    if (!wanted) {
      return new NormedBack(before, null, null, null);
    }
    return new NormedBack(
        before,
        biasGradient(before),
        biasGradient(normed.standard().mul(scaled)),
        biasGradient(scaled));
  }

  private static Tensor beforeNorm(Normed normed, long[] columns, Tensor gradient) {
    TensorOptional none = new TensorOptional();
    try (BoolPointer first = which(false)) {
      return Handles.of(
          torch.native_layer_norm_backward(
              gradient,
              normed.raw(),
              columns,
              normed.mean(),
              normed.inverseDeviation(),
              none,
              none,
              first))[0];
    }
  }

  /** The input's gradient, and the weights' where wanted. */
  private static BoolPointer which(boolean wanted) {
    return new BoolPointer(3).put(0, true).put(1, wanted).put(2, wanted);
  }

  private static TensorOptional optional(Tensor tensor) {
    return new TensorOptional(tensor);
  }

  @Override
  public Tensor biasGradient(Tensor gradient) {
    return gradient.sum(1).unsqueeze(1);
  }

  @Override
  public Tensor joined(Tensor a, Tensor b, int members) {
    Tensor x = b == null ? a : torch.cat(new TensorVector(a, b), 2);
    if (members == 1) {
      return x;
    }
    return x.unsqueeze(1)
        .expand(x.size(0), members, x.size(1), x.size(2))
        .reshape(x.size(0) * members, x.size(1), x.size(2));
  }

  @Override
  public Tensor weightGradient(Tensor x, Tensor gradient) {
    return torch.bmm(x.transpose(1, 2), gradient);
  }

  @Override
  public Tensor inputGradient(Tensor gradient, Tensor weight) {
    return torch.bmm(gradient, weight.transpose(1, 2));
  }
}
