package dev.psm.torch;

import org.bytedeco.pytorch.global.torch;

/**
 * While it is open, libtorch computes what this thread asks for on so many threads. One is right
 * for products so small that to wake other threads, on cores that others may want, takes longer
 * than they do, and for work beside other work. MKL does the same, since both have their threads
 * from one OpenMP.
 *
 * <p>To be closed by the thread that opened it. The number of threads is each thread's own, but one
 * that calls libtorch for the first time meanwhile begins with the newest.
 */
public final class ComputeThreads implements AutoCloseable {
  private final int before = TorchRuntime.threads();

  public ComputeThreads(int count) {
    torch.set_num_threads(count);
  }

  @Override
  public void close() {
    torch.set_num_threads(before);
  }
}
