package dev.psm.agents.control;

import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A dataset's states and actions as tensors, all in memory beside the networks: a gradient step
 * gathers its batch by row numbers, wherever those were drawn.
 */
public final class Experience implements AutoCloseable {
  private static final int BLOCK_ROWS = 1 << 16;

  private final Dataset dataset;
  private final Device device;
  private final Tensor observations;
  private final Tensor actions;
  private final Tensor discounts;

  /**
   * A batch of transitions.
   *
   * @param observations s: seeds × batch × observation
   * @param actions a: seeds × batch × action
   * @param discounts of the step, 0 where it ended the world: seeds × batch × 1
   * @param nextObservations s′: seeds × batch × observation
   * @param nextRows where s′ lies in the data: seeds × batch
   */
  public record Batch(
      Tensor observations,
      Tensor actions,
      Tensor discounts,
      Tensor nextObservations,
      Tensor nextRows) {}

  public Experience(Dataset dataset) {
    this(dataset, Device.CPU);
  }

  public Experience(Dataset dataset, Device device) {
    this.dataset = dataset;
    this.device = device;
    Columns columns = dataset.columns();
    long rows = dataset.rows();
    try (PointerScope scope = new PointerScope()) {
      observations = column(rows, columns.observation(), dataset::observations);
      actions = column(rows, columns.action(), dataset::actions);
      discounts = column(rows, 1, dataset::discounts);
    }
  }

  private interface Copy {
    void run(long row, int count, float[] out, int at);
  }

  private Tensor column(long rows, int width, Copy copy) {
    Tensor whole = allocate(rows, width).retainReference();
    for (long row = 0; row < rows; row += BLOCK_ROWS) {
      try (PointerScope scope = new PointerScope()) {
        int count = (int) Math.min(BLOCK_ROWS, rows - row);
        float[] block = new float[count * width];
        copy.run(row, count, block, 0);
        whole.narrow(0, row, count).copy_(Tensors.floats(block, count, width));
      }
    }
    return whole;
  }

  private Tensor allocate(long rows, int width) {
    try {
      return torch.empty(new long[] {rows, width}, device.floats(), new MemoryFormatOptional());
    } catch (RuntimeException e) {
      throw UserError.failed(
          e,
          "there is no memory on %s for %d rows of %d numbers (%d MB); train on less data",
          device,
          rows,
          width,
          (rows * width * Float.BYTES) >> 20);
    }
  }

  public Device device() {
    return device;
  }

  public Dataset dataset() {
    return dataset;
  }

  public int observationSize() {
    return dataset.columns().observation();
  }

  public int actionSize() {
    return dataset.columns().action();
  }

  /** The transitions that begin at these rows: seeds × batch. */
  public Batch gather(Tensor rows) {
    Tensor next = rows.add(Tensors.whole(1));
    return new Batch(
        select(observations, rows),
        select(actions, next),
        select(discounts, next),
        select(observations, next),
        next);
  }

  /** The observations of these rows. */
  public Tensor observations(Tensor rows) {
    return select(observations, rows);
  }

  /** Frees the tensors; the dataset is its owner's. */
  @Override
  public void close() {
    observations.close();
    actions.close();
    discounts.close();
  }

  private static Tensor select(Tensor column, Tensor rows) {
    return column.index_select(0, rows.view(-1)).view(rows.size(0), rows.size(1), column.size(1));
  }
}
