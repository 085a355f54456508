package dev.psm.agents;

/**
 * How a learning rate shrinks over training. With an exact expectation the last steps only have
 * noise to average out.
 */
public enum Decay {
  NONE,
  LINEAR,
  COSINE;

  /** The factor at a point of training, {@code progress} in [0, 1). */
  public double at(double progress) {
    return switch (this) {
      case NONE -> 1;
      // Full rate for the first half, then down to zero.
      case LINEAR -> Math.min(1, 2 * (1 - progress));
      case COSINE -> 0.5 * (1 + Math.cos(Math.PI * progress));
    };
  }
}
