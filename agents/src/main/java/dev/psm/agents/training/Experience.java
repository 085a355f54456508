package dev.psm.agents.training;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Space;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A dataset's states and actions as tensors, all in memory beside the networks: a gradient step
 * gathers its batch by row numbers, wherever those were drawn.
 */
public final class Experience implements AutoCloseable {
  private static final int BLOCK_ROWS = 1 << 16;

  /** Rows begin where a GPU reads 16 bytes at once. */
  private static final int ALIGNMENT = 4;

  private final Dataset dataset;
  private final Transitions transitions;
  private final Device device;
  private final Space actions;

  /**
   * Observation of every row, and action and discount of the transition into it, side by side:
   * gathered at once.
   */
  private final Tensor table;

  /**
   * A batch of transitions.
   *
   * @param observations s: seeds × batch × observation
   * @param actions a, the mean over the transition's environment steps: seeds × batch × action
   * @param discounts the product over these steps, 0 where one ended the world: seeds × batch × 1
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

  /** Of vectors as actions. */
  public Experience(Dataset dataset, Device device) {
    this(dataset, device, 1);
  }

  /**
   * Of vectors as actions.
   *
   * @param stride environment steps of a transition
   */
  public Experience(Dataset dataset, Device device, int stride) {
    this(dataset, device, Space.Box.uniform(-1, 1, dataset.columns().action()), stride);
  }

  /**
   * @param actions which there are; others are refused
   */
  public Experience(Dataset dataset, Device device, Space actions) {
    this(dataset, device, actions, 1);
  }

  private Experience(Dataset dataset, Device device, Space actions, int stride) {
    this.dataset = dataset;
    this.transitions = new Transitions(dataset, stride);
    this.device = device;
    this.actions = actions;
    Columns columns = dataset.columns();
    int width = columns.observation() + columns.action() + 1;
    dataset.requireIntact();
    try (PointerScope scope = new PointerScope()) {
      long rows = dataset.rows();
      table = allocate(rows, (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT).retainReference();
      for (long row = 0; row < rows; row += BLOCK_ROWS) {
        load(row, (int) Math.min(BLOCK_ROWS, rows - row));
      }
    }
  }

  private void load(long row, int count) {
    copy(row, count, 0, observationSize(), this::observations);
    copy(row, count, observationSize(), actionSize(), this::meanActions);
    copy(row, count, observationSize() + actionSize(), 1, this::discountProducts);
  }

  private void observations(long row, int count, float[] out) {
    dataset.observations(row, count, out, 0);
    require("observation", "finite numbers", Double::isFinite, observationSize(), row, out);
  }

  /** What an agent cannot choose must not be learned either. */
  private void actions(long row, int count, float[] out) {
    dataset.actions(row, count, out, 0);
    if (actions instanceof Space.Discrete numbered) {
      String expected = "a whole number from 0 to " + (numbered.count() - 1);
      DoublePredicate valid = x -> x >= 0 && x < numbered.count() && x == Math.rint(x);
      require("action", expected, valid, actionSize(), row, out);
    } else {
      require("action", "numbers from -1 to 1", x -> Math.abs(x) <= 1, actionSize(), row, out);
    }
  }

  private void discounts(long row, int count, float[] out) {
    dataset.discounts(row, count, out, 0);
    require("discount", "a number from 0 to 1", x -> x >= 0 && x <= 1, 1, row, out);
  }

  private void meanActions(long row, int count, float[] out) {
    transitions.meanActions(row, count, steps(row, count, actionSize(), this::actions), out);
  }

  private void discountProducts(long row, int count, float[] out) {
    transitions.discountProducts(row, count, steps(row, count, 1, this::discounts), out);
  }

  /** Of these rows and of those before them that transitions into them reach back to. */
  private float[] steps(long row, int count, int width, Column column) {
    int before = transitions.before(row);
    float[] steps = new float[Math.multiplyExact(before + count, width)];
    column.read(row - before, before + count, steps);
    return steps;
  }

  /** Refuses the first row with a number that cannot be learned from. */
  private void require(
      String what, String expected, DoublePredicate valid, int width, long row, float[] values) {
    for (int i = 0; i < values.length; i++) {
      if (!valid.test(values[i])) {
        throw UserError.invalid(
                "the %s of row %d in %s holds %s, expected %s; collect or import the data again",
                what, row + i / width, dataset.folder(), values[i], expected)
            .with(Remedy.CHECK_DATA, dataset.folder());
      }
    }
  }

  private interface Column {
    void read(long row, int count, float[] out);
  }

  private void copy(long row, int count, int at, int width, Column column) {
    try (PointerScope scope = new PointerScope()) {
      float[] block = new float[count * width];
      column.read(row, count, block);
      table.narrow(0, row, count).narrow(1, at, width).copy_(Tensors.floats(block, count, width));
    }
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

  /** Environment steps from a transition's first state to the state it enters. */
  public int stride() {
    return transitions.stride();
  }

  Transitions transitions() {
    return transitions;
  }

  /** The transitions that begin at these rows: seeds × batch. */
  public Batch gather(Tensor rows) {
    Tensor nextRows = rows.add(Tensors.whole(stride()));
    Tensor next = select(nextRows);
    int observation = observationSize();
    return new Batch(
        observations(rows),
        next.narrow(2, observation, actionSize()),
        next.narrow(2, observation + actionSize(), 1),
        next.narrow(2, 0, observation),
        nextRows);
  }

  /**
   * Transitions one after the other.
   *
   * @param observations the first states: seeds × batch × observation
   * @param actions of every transition in turn: seeds × batch × action
   * @param nextObservations the states entered in turn, one batch below the other: seeds ×
   *     transitions·batch × observation
   */
  public record Window(Tensor observations, List<Tensor> actions, Tensor nextObservations) {}

  /** So many transitions from each of these rows on, which must be of one episode. */
  public Window window(Tensor rows, int transitions) {
    TensorVector entered = new TensorVector();
    for (int t = 1; t <= transitions; t++) {
      entered.push_back(rows.add(Tensors.whole((long) t * stride())));
    }
    Tensor next = select(torch.cat(entered, 1));
    long batch = rows.size(1);
    Tensor taken = next.narrow(2, observationSize(), actionSize());
    List<Tensor> actions = new ArrayList<>();
    for (int t = 0; t < transitions; t++) {
      actions.add(taken.narrow(1, t * batch, batch));
    }
    return new Window(observations(rows), actions, next.narrow(2, 0, observationSize()));
  }

  /** The observations that the transitions which begin at these rows lead to. */
  public Tensor entered(Tensor rows) {
    return observations(rows.add(Tensors.whole(stride())));
  }

  /** The observations of these rows. */
  public Tensor observations(Tensor rows) {
    return select(rows).narrow(2, 0, observationSize());
  }

  private Tensor select(Tensor rows) {
    return table.index_select(0, rows.view(-1)).view(rows.size(0), rows.size(1), table.size(1));
  }

  /** Frees the table; the dataset is its owner's. */
  @Override
  public void close() {
    table.close();
  }
}
