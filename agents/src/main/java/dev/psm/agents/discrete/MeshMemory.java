package dev.psm.agents.discrete;

import dev.psm.agents.training.ActionCodebook;
import dev.psm.core.UserError;
import dev.psm.torch.Device;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * The memory that a trainer on meshes takes, beside its data: a bound from above that is known
 * before anything is allocated. Only the pairs that are computed at once have activations; the
 * whole mesh has a few numbers per pair. Whatever a step makes lives until its scope ends, so that
 * tensors are counted as they are made, not as they are needed. {@code psm bench mesh} compares the
 * bound with what a process really takes.
 */
record MeshMemory(
    MeshPsmSettings settings, MeasureNetwork.Layout layout, int seeds, boolean partial) {
  /**
   * Tensors of the width of the pairs that are computed at once, for each hidden layer: what it
   * gives, in the target and in the pass that learns; the gradient before its ReLU and by its
   * input.
   */
  private static final double PER_LAYER = 4;

  /**
   * Those beside the hidden layers, where several seeds have a LayerNorm of their own (four fewer
   * with one seed). Target: sums, normalised, tanh. Learning: sums, the same with the rows' own
   * columns, normalised, tanh, the gradient by the last layer. Back: before the tanh, scaled,
   * before LayerNorm, its gain's. The first layer is among these and not among the hidden ones.
   */
  private static final double BESIDE = 12;

  /** Tensors of the mesh's own size: measures, bootstrap, and four that metrics are made of. */
  private static final double PER_PAIR = 6;

  /**
   * Tensors of rows × actions × width: the heads of the codes, of their target and of the enriched
   * ones; two of the gradient, and one that a product may copy.
   */
  private static final double HEADS = 6;

  /** Tensors of rows × width beside those that layers and kinds of columns add. */
  private static final double PER_ROW = 14;

  /** Tensors of columns × width: products of both networks, the gradient, and that of a part. */
  private static final double PER_COLUMN = 4;

  /** Copies of an observation: as drawn, standardised, marked, of either end and kind. */
  private static final double OBSERVATIONS = 16;

  /**
   * Copies of all weights: themselves, the target's, Adam's two, three of the gradient, and seven
   * that heads are arranged in.
   */
  private static final double WEIGHTS = 14;

  /** Freed blocks that the next tensors do not fit into, as a share of the activations. */
  private static final double FRAGMENTS = 0.25;

  /** Of the process, whatever the mesh: buffers of matrix products, and code that Java compiles. */
  private static final double PROCESS_BYTES = 16 << 20;

  private static final double SHARE = 0.5;

  /** As a double, since what is refused may be too much for any whole number. */
  private double estimate() {
    double kinds = partial ? 2 : 1;
    double rows = settings.meshRows();
    double columns = settings.meshColumns() + kinds;
    double width = layout.width();
    double layers = layout.layers();
    double pairsAtOnce = settings.rowsAtOnce((int) kinds) * columns;
    double activations = pairsAtOnce * width * (PER_LAYER * (layers - 1) + BESIDE);
    double byRow = HEADS * layout.actions() + layers + 2 * kinds + PER_ROW;
    double byCode = PER_LAYER * (settings.coordinateLayers() + 1);
    double numbers =
        (1 + FRAGMENTS) * activations
            + PER_PAIR * rows * columns
            + byRow * rows * width
            + byCode * rows * Math.max(settings.coordinateWidth(), layout.coordinates())
            + (PER_COLUMN * columns + settings.enrichedCodes()) * width
            + OBSERVATIONS * (rows + columns) * layout.entered()
            + WEIGHTS * weights()
            + ActionCodebook.TABLE_SIZE;
    return PROCESS_BYTES + Float.BYTES * seeds * numbers;
  }

  private double weights() {
    return count(layout.shapes())
        + count(settings.shape(0).coordinateShape().shapes(1))
        + (double) settings.enrichedCodes() * settings.basisDimension();
  }

  private static double count(Map<String, long[]> shapes) {
    return shapes.values().stream()
        .mapToDouble(shape -> Arrays.stream(shape).asDoubleStream().reduce(1, (a, b) -> a * b))
        .sum();
  }

  long bytes() {
    return (long) estimate();
  }

  /** Refuses a mesh that does not fit into half of a device's memory. */
  void require(Device device) {
    double bytes = estimate();
    long there = device.memoryBytes();
    if (bytes > SHARE * there) {
      throw UserError.invalid(
          "a mesh of %d rows and %d columns takes up to %s for %d %s, more than half of the %s on"
              + " %s; lower meshRows, meshColumns or pairsAtOnce=%d, or train fewer seeds at once",
          settings.meshRows(),
          settings.meshColumns(),
          gibibytes(bytes),
          seeds,
          seeds == 1 ? "seed" : "seeds",
          gibibytes((double) there),
          device,
          settings.pairsAtOnce());
    }
  }

  private static String gibibytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (1 << 30));
  }
}
