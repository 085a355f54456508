package dev.psm.bench.fuzz;

import java.util.random.RandomGenerator;

/** One sort of file: how it is damaged, and the reader that commands use for it. */
interface FuzzTarget {
  /** What is damaged, in a few words. */
  String name();

  /** Damaged contents; the same for the same generator. */
  byte[] draw(RandomGenerator random);

  /**
   * Reads contents as a command would.
   *
   * @throws dev.psm.core.UserError where they are refused
   * @throws IllegalStateException where they were read or refused in a way that breaks a promise
   */
  void read(byte[] contents);

  /** What every refusal must name; empty where there is no file. */
  String place();
}
