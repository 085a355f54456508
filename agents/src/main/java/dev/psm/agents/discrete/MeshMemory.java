package dev.psm.agents.discrete;

import dev.psm.core.UserError;
import dev.psm.torch.Device;
import java.util.Locale;

/**
 * The memory that a gradient step on a mesh takes: a bound from above that is known before anything
 * is allocated. Only the pairs that are computed at once have activations; the whole mesh has a few
 * numbers per pair.
 */
record MeshMemory(
    MeshPsmSettings settings, MeasureNetwork.Layout layout, int seeds, boolean partial) {
  /** Tensors of a pair's width that are alive at once: per layer, and beside the layers. */
  private static final long PER_LAYER = 3;

  private static final long BESIDE = 6;

  /**
   * Tensors of the mesh's own size: measures, bootstrap, both again for the log, and a gradient.
   */
  private static final long PER_PAIR = 6;

  private static final double SHARE = 0.5;

  long bytes() {
    int kinds = partial ? 2 : 1;
    long rows = settings.meshRows();
    long columns = (long) settings.meshColumns() + kinds;
    long atOnce = settings.rowsAtOnce(kinds) * columns;
    long activations =
        Math.multiplyExact(atOnce * layout.width(), PER_LAYER * layout.layers() + BESIDE);
    long heads = 4 * rows * layout.actions() * layout.width();
    long mesh = Math.multiplyExact(rows * columns, PER_PAIR);
    return Math.multiplyExact(Float.BYTES * (long) seeds, activations + heads + mesh);
  }

  /** Refuses a mesh that does not fit into half of a device's memory. */
  void require(Device device) {
    long bytes;
    try {
      bytes = bytes();
    } catch (ArithmeticException e) {
      bytes = Long.MAX_VALUE;
    }
    long there = device.memoryBytes();
    if (bytes > SHARE * there) {
      throw UserError.invalid(
          "a mesh of %d rows and %d columns takes up to %s for %d seeds, more than half of the %s on"
              + " %s; lower meshRows, meshColumns or pairsAtOnce=%d, or train fewer seeds at once",
          settings.meshRows(),
          settings.meshColumns(),
          gibibytes(bytes),
          seeds,
          gibibytes(there),
          device,
          settings.pairsAtOnce());
    }
  }

  private static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }
}
