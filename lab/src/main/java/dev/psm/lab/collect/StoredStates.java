package dev.psm.lab.collect;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;
import dev.psm.lab.StateSource;
import java.util.List;

/** The states of a dataset, put back into the engine to be measured. */
public final class StoredStates implements StateSource {
  /** Enough for any statistic of a whole dataset. */
  private static final int MOST_STATES = 200_000;

  /** Large enough that opening the engine anew for each does not show. */
  private static final int BLOCK = 1 << 18;

  private final Dataset dataset;
  private final World world;
  private final int threads;

  public StoredStates(Dataset dataset, int threads) {
    this.dataset = dataset;
    this.threads = threads;
    String environment = dataset.description().environment();
    this.world = Worlds.named(environment);
    if (dataset.columns().physics() != world.stateSize()) {
      throw UserError.usage(
          "the dataset holds %d numbers of physics per state, but %s has %d: its states cannot be"
              + " put back into the engine",
          dataset.columns().physics(), environment, world.stateSize());
    }
    if (dataset.episodes() == 0) {
      throw UserError.usage("the dataset is empty");
    }
  }

  public World world() {
    return world;
  }

  @Override
  public String description() {
    long rows = dataset.rows();
    return rows <= MOST_STATES
        ? "all %s of the dataset".formatted(Wording.count(rows, "state"))
        : "%,d evenly spaced states of %,d".formatted(MOST_STATES, rows);
  }

  @Override
  public QuantityTable measure(List<Quantity> quantities) {
    int size = world.stateSize();
    int states = (int) Math.min(MOST_STATES, dataset.rows());
    double[] physics = new double[states * size];
    for (int i = 0; i < states; i++) {
      dataset.physics(i * dataset.rows() / states, 1, physics, i * size);
    }
    return new Relabelling(world, threads, (done, total) -> {})
        .naming(i -> i * dataset.rows() / states)
        .quantities(quantities, physics);
  }

  /** Receives rewards block by block, in the order of the rows. */
  @FunctionalInterface
  public interface Sink {
    void rewards(long firstRow, double[] rewards);
  }

  /** Pays every state of the dataset for a task, holding only one block of states in memory. */
  public void relabel(Task task, Sink sink, Progress progress) {
    dataset.requireIntact();
    int size = world.stateSize();
    double[] physics = new double[0];
    try (Progress.Bar bar = progress.start("relabel", dataset.rows())) {
      for (long row = 0; row < dataset.rows(); row += BLOCK) {
        int count = (int) Math.min(BLOCK, dataset.rows() - row);
        if (physics.length != count * size) {
          physics = new double[count * size];
        }
        dataset.physics(row, count, physics, 0);
        long first = row;
        Relabelling relabelling =
            new Relabelling(world, threads, (done, total) -> bar.update(first + done, ""))
                .naming(i -> first + i);
        sink.rewards(row, relabelling.rewards(List.of(task), physics)[0]);
      }
    }
  }
}
