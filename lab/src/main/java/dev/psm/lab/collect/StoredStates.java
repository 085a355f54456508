package dev.psm.lab.collect;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.lab.StateSource;
import java.util.List;
import java.util.Optional;

/**
 * The states of a dataset, put back into the engine to be measured; of a world whose quantities are
 * observed, its observations.
 */
public final class StoredStates implements StateSource {
  /** Enough for any statistic of a whole dataset. */
  private static final int MAX_STATES = 200_000;

  /** Its multiples spread most evenly between whole numbers. */
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  /** Large enough that opening the engine anew for each does not show. */
  private static final int BLOCK = 1 << 16;

  private final Dataset dataset;
  private final World world;
  private final int threads;

  public StoredStates(Dataset dataset, int threads) {
    this.dataset = dataset;
    this.threads = threads;
    this.world = dataset.description().world();
    if (!isObserved() && dataset.columns().physics() != world.storedSize()) {
      throw UserError.invalid(
          "the dataset holds %d numbers of physics per state, but %s has %d: its states cannot be"
              + " put back into the engine",
          dataset.columns().physics(), world.name(), world.storedSize());
    }
    if (dataset.episodes() == 0) {
      throw UserError.invalid("the dataset is empty");
    }
  }

  private boolean isObserved() {
    return world.quantitiesObserved() && world.stateSize() == 0;
  }

  /** What {@link Relabelling} measures of some rows. */
  private void read(long row, int count, double[] into, int at) {
    if (!isObserved()) {
      dataset.physics(row, count, into, at);
      return;
    }
    float[] observations = new float[count * world.observationSize()];
    dataset.observations(row, count, observations, 0);
    for (int i = 0; i < observations.length; i++) {
      into[at + i] = observations[i];
    }
  }

  public World world() {
    return world;
  }

  @Override
  public String description() {
    long rows = dataset.rows();
    return rows <= MAX_STATES
        ? "all %s of the dataset".formatted(Wording.count(rows, "state"))
        : "%,d evenly spaced states of %,d".formatted(MAX_STATES, rows);
  }

  @Override
  public QuantityTable measure(List<Quantity> quantities) {
    return sampled().quantities(quantities, physics(0, samples()));
  }

  /** The same of consecutive rows, all of them. */
  public QuantityTable measure(List<Quantity> quantities, long row, int count) {
    double[] states = new double[Math.multiplyExact(count, world.storedSize())];
    read(row, count, states, 0);
    return relabelling(row).quantities(quantities, states);
  }

  /** Of states that begin with a row. */
  private Relabelling relabelling(long row) {
    return new Relabelling(world, threads, (done, total) -> {}).naming(i -> row + i);
  }

  /** How many states {@link #measure(List)} measures, evenly spaced. */
  int samples() {
    return (int) Math.min(MAX_STATES, dataset.rows());
  }

  /**
   * One row of every stretch of equal length, at a place that differs from stretch to stretch: a
   * constant distance would meet every episode of equal length at the same few times.
   */
  long row(int sample) {
    return row(sample, samples(), dataset.rows());
  }

  static long row(int sample, int samples, long rows) {
    double golden = sample * GOLDEN_RATIO;
    double place = sample + (golden - Math.floor(golden));
    return Math.min(rows - 1, (long) (place * rows / samples));
  }

  /** What is observed in some of the samples, as {@link Relabelling#observations} gives it. */
  Optional<double[]> observations(int first, int count) {
    return sampled().naming(i -> row(first + i)).observations(physics(first, count));
  }

  private Relabelling sampled() {
    return new Relabelling(world, threads, (done, total) -> {}).naming(this::row);
  }

  private double[] physics(int firstSample, int count) {
    int size = world.storedSize();
    double[] physics = new double[count * size];
    for (int i = 0; i < count; i++) {
      read(row(firstSample + i), 1, physics, i * size);
    }
    return physics;
  }

  /** Receives rewards block by block, in the order of the rows. */
  @FunctionalInterface
  interface Sink {
    void rewards(long firstRow, double[] rewards);
  }

  /**
   * Pays some states of the dataset for a task, holding only one block of them in memory.
   *
   * @param from the first row, and {@code to} the one after the last
   */
  void pay(Task task, long from, long to, Sink sink) {
    int size = world.storedSize();
    double[] physics = new double[0];
    for (long row = from; row < to; row += BLOCK) {
      int count = (int) Math.min(BLOCK, to - row);
      if (physics.length != count * size) {
        physics = new double[count * size];
      }
      read(row, count, physics, 0);
      sink.rewards(row, relabelling(row).rewards(List.of(task), physics)[0]);
    }
  }
}
