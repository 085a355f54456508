package dev.psm.core.reward.formula;

import java.util.Arrays;

/**
 * A compiled formula: a list of operations on registers, each of which holds the values of a block
 * of states. Registers are the quantities, then the constants, then temporaries. Blocks are small
 * enough for all of them to stay in the cache.
 */
final class Program {
  static final int BLOCK = 256;

  private final int quantities;
  private final double[] constants;
  private final int registers;
  private final Kernel[] kernels;
  private final int[][] inputs;
  private final int[] targets;
  private final int result;

  Program(
      int quantities,
      double[] constants,
      int temporaries,
      Kernel[] kernels,
      int[][] inputs,
      int[] targets,
      int result) {
    this.quantities = quantities;
    this.constants = constants;
    this.registers = quantities + constants.length + temporaries;
    this.kernels = kernels;
    this.inputs = inputs;
    this.targets = targets;
    this.result = result;
  }

  /**
   * Works out the states {@code from} to {@code to}, exclusive.
   *
   * @param columns of the quantities, in their order
   */
  void run(double[][] columns, int from, int to, double[] out) {
    int block = Math.min(BLOCK, to - from);
    double[][] register = new double[registers][block];
    for (int i = 0; i < constants.length; i++) {
      Arrays.fill(register[quantities + i], constants[i]);
    }
    double[][][] in = new double[kernels.length][][];
    for (int step = 0; step < kernels.length; step++) {
      in[step] = new double[inputs[step].length][];
      for (int i = 0; i < in[step].length; i++) {
        in[step][i] = register[inputs[step][i]];
      }
    }
    for (int start = from; start < to; start += block) {
      int count = Math.min(block, to - start);
      for (int i = 0; i < quantities; i++) {
        System.arraycopy(columns[i], start, register[i], 0, count);
      }
      for (int step = 0; step < kernels.length; step++) {
        kernels[step].run(in[step], register[targets[step]], count);
      }
      System.arraycopy(register[result], 0, out, start, count);
    }
  }
}
