package dev.psm.agents;

import static dev.psm.torch.Tensors.scalar;

import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;

/** The noisy actions that actors are trained with. */
public final class TruncatedNormal {
  /** Actions stay this far inside [−1, 1]. */
  public static final double MARGIN = 1e-6;

  private TruncatedNormal() {}

  /**
   * clamp(mean + clip(σ · noise)), whose gradient for the mean is 1 even where the clamp holds:
   * otherwise an actor at a bound would never leave it.
   *
   * @param noise standard normal, of the mean's shape
   */
  public static Tensor sample(Tensor mean, Tensor noise, double deviation, double clip) {
    Tensor raw = raw(mean, noise, deviation, clip);
    return raw.sub(raw.detach()).add(clamped(raw.detach(), 1 - MARGIN));
  }

  /** The same without a gradient. */
  public static Tensor constant(Tensor mean, Tensor noise, double deviation, double clip) {
    return clamped(raw(mean, noise, deviation, clip), 1 - MARGIN);
  }

  private static Tensor raw(Tensor mean, Tensor noise, double deviation, double clip) {
    return mean.add(clamped(noise.mul(scalar(deviation)), clip));
  }

  private static Tensor clamped(Tensor x, double bound) {
    return x.clamp(new ScalarOptional(scalar(-bound)), new ScalarOptional(scalar(bound)));
  }
}
