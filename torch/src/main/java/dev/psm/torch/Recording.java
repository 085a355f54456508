package dev.psm.torch;

/** Work that can be done again and again from the same memory to the same memory. */
public interface Recording extends AutoCloseable {
  void replay();

  /** How many kernels and copies were recorded. */
  long kernels();

  @Override
  void close();
}
