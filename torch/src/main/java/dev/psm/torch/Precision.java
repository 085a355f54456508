package dev.psm.torch;

/** How products of matrices are computed. Everything else is single precision always. */
public enum Precision {
  /** Single precision throughout. */
  FLOAT32,

  /** Factors rounded to 10 bits of mantissa, sums in single precision: for GPUs. */
  TF32,

  /**
   * Weights, activations and their gradients rounded to 7 bits of mantissa, sums in single
   * precision: for GPUs.
   */
  BFLOAT16
}
