package dev.psm.core.reward.formula;

/**
 * One operation of a compiled formula, on a block of states at once: a plain loop over arrays,
 * which the virtual machine turns into vector instructions.
 */
@FunctionalInterface
public interface Kernel {
  /**
   * Sets {@code out[i]} from {@code in[0][i], in[1][i], …} for every {@code i < count}.
   *
   * @param out may be one of the inputs, so read all of state {@code i} before writing it
   */
  void run(double[][] in, double[] out, int count);
}
