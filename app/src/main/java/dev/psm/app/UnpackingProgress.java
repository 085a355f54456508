package dev.psm.app;

import dev.psm.lab.Progress;
import dev.psm.torch.NativeCache;
import dev.psm.torch.NativeLibraries;

/** Says that native libraries are unpacked, which can make the first command slow. */
final class UnpackingProgress implements NativeCache.Listener {
  private static final double MEGABYTE = 1e6;

  private final Output output;
  private Progress.Bar bar;

  UnpackingProgress(Output output) {
    this.output = output;
  }

  @Override
  public void waiting() {
    output.note("waiting for another psm, which is unpacking native libraries");
  }

  @Override
  public void unpacked(long bytes, long total) {
    if (bar == null) {
      output.note(
          "unpacking native libraries into %s (%d MB, once)"
              .formatted(NativeLibraries.cache().root(), megabytes(total)));
      bar = output.progress().start("MB", megabytes(total));
    }
    bar.update(megabytes(bytes), "");
  }

  @Override
  public void ended() {
    bar.close();
    bar = null;
  }

  private static long megabytes(long bytes) {
    return Math.round(bytes / MEGABYTE);
  }
}
