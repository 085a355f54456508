package dev.psm.core.env;

import dev.psm.core.UserError;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/**
 * Measures stored states again, so that a dataset can be labelled with rewards that nobody had in
 * mind when it was collected.
 *
 * <p>States are independent of each other, so several threads share them, each with an {@link
 * Environment} of its own; how many there are never shows in the results. Actions are not stored
 * with states and count as zero.
 */
public final class Relabelling {
  /** Few enough for a lively progress, enough for the threads not to meet often. */
  private static final int CHUNK = 512;

  private final World world;
  private final int threads;
  private final Progress progress;
  private final IntToLongFunction rowNames;

  /** Is told how far a pass has come, one call at a time, from the threads that work. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Some more rows are done.
     *
     * @param done so far, growing from call to call up to {@code total}
     */
    void measured(int done, int total);
  }

  public Relabelling(World world, int threads, Progress progress) {
    if (threads < 1) {
      throw new IllegalArgumentException("at least one thread is needed, found " + threads);
    }
    this.world = world;
    this.threads = threads;
    this.progress = progress;
    this.rowNames = row -> row;
  }

  private Relabelling(Relabelling other, IntToLongFunction rowNames) {
    this.world = other.world;
    this.threads = other.threads;
    this.progress = other.progress;
    this.rowNames = rowNames;
  }

  /** The same, with rows called in errors what they are called where the states come from. */
  public Relabelling naming(IntToLongFunction names) {
    return new Relabelling(this, names);
  }

  /**
   * The wanted quantities of every state.
   *
   * @param states one after the other, as {@link Environment#state} gives them
   */
  public QuantityTable quantities(List<Quantity> wanted, double[] states) {
    return quantities(wanted, count(states), reader(states));
  }

  /**
   * The wanted quantities of every state.
   *
   * @param state the state of a row, as {@link Environment#state} gives it; called from all threads
   */
  public QuantityTable quantities(List<Quantity> wanted, int count, IntFunction<double[]> state) {
    return quantities(wanted, count, reader(state));
  }

  private QuantityTable quantities(List<Quantity> wanted, int count, Reader reader) {
    QuantityTable table = new QuantityTable(wanted, count);
    new Pass(count, reader, table::measure).run();
    return table;
  }

  /**
   * The reward of every state for every task: a row per task, a column per state.
   *
   * @param states one after the other, as {@link Environment#state} gives them
   */
  public double[][] rewards(List<Task> tasks, double[] states) {
    return rewards(tasks, count(states), reader(states));
  }

  /**
   * The reward of every state for every task: a row per task, a column per state.
   *
   * @param state the state of a row, as {@link Environment#state} gives it; called from all threads
   */
  public double[][] rewards(List<Task> tasks, int count, IntFunction<double[]> state) {
    return rewards(tasks, count, reader(state));
  }

  private double[][] rewards(List<Task> tasks, int count, Reader reader) {
    double[][] rewards = new double[tasks.size()][count];
    Measurement measurement =
        (row, readings) -> {
          for (int task = 0; task < rewards.length; task++) {
            rewards[task][row] = tasks.get(task).reward(readings);
          }
        };
    new Pass(count, reader, measurement).run();
    return rewards;
  }

  /**
   * What is observed in every state, one after the other; NaN for the numbers that do not follow
   * from the state. Empty where the world does not tell.
   *
   * @param states one after the other, as {@link Environment#state} gives them
   */
  public Optional<double[]> observations(double[] states) {
    int size = world.observationSize();
    double[] observations = new double[count(states) * size];
    AtomicBoolean told = new AtomicBoolean(world.stateSize() > 0);
    Measurement measurement =
        (row, readings) -> {
          Optional<double[]> observed = ((Environment) readings).recalledObservation();
          observed.ifPresent(each -> System.arraycopy(each, 0, observations, row * size, size));
          told.compareAndSet(true, observed.isPresent());
        };
    if (told.get()) {
      new Pass(count(states), reader(states), measurement).run();
    }
    return told.get() ? Optional.of(observations) : Optional.empty();
  }

  private int count(double[] states) {
    int size = world.storedSize();
    if (states.length % size != 0) {
      throw wrongLength(states.length / size, states.length % size);
    }
    return states.length / size;
  }

  private UserError wrongLength(int row, int found) {
    return UserError.invalid(
        "row %d of the stored states of %s: expected %d numbers, found %d",
        rowNames.applyAsLong(row), world.name(), world.storedSize(), found);
  }

  private Reader reader(double[] states) {
    int size = world.storedSize();
    return (row, target) -> System.arraycopy(states, row * size, target, 0, size);
  }

  private Reader reader(IntFunction<double[]> state) {
    return (row, target) -> {
      double[] read = state.apply(row);
      if (read.length != target.length) {
        throw wrongLength(row, read.length);
      }
      System.arraycopy(read, 0, target, 0, read.length);
    };
  }

  private interface Reader {
    void read(int row, double[] target);
  }

  private interface Measurement {
    void take(int row, Readings readings);
  }

  /** What is measured in a stored state. */
  private interface Meter extends AutoCloseable {
    Readings at(double[] state);

    @Override
    default void close() {}
  }

  private Environment opened() {
    if (world instanceof StoredWorld) {
      throw UserError.invalid(
          "the data holds states of '%s', and only that environment itself knows its quantities in"
              + " them, which rewards are read from; it is not here: add the plugin or the file"
              + " that it comes from",
          world.name());
    }
    return CheckedEnvironment.open(world);
  }

  /** Where states cannot be returned to, data keeps the quantities themselves. */
  private Meter meter() {
    if (world.stateSize() == 0) {
      List<Quantity> stored = world.quantities();
      return state -> quantity -> state[stored.indexOf(quantity)];
    }
    Environment environment = opened();
    return new Meter() {
      @Override
      public Readings at(double[] state) {
        environment.recall(state, 0);
        return environment;
      }

      @Override
      public void close() {
        environment.close();
      }
    };
  }

  /** One pass over all rows. */
  private final class Pass {
    private final int count;
    private final Reader reader;
    private final Measurement measurement;
    private final AtomicInteger nextChunk = new AtomicInteger();
    private int done;
    private int failedRow;
    private Throwable failure;
    private volatile boolean stopped;

    Pass(int count, Reader reader, Measurement measurement) {
      this.count = count;
      this.reader = reader;
      this.measurement = measurement;
    }

    void run() {
      List<Thread> workers = new ArrayList<>();
      for (int i = 0; i < Math.min(threads, (count + CHUNK - 1) / CHUNK); i++) {
        Thread worker = new Thread(this::work, "relabelling-" + i);
        worker.setDaemon(true);
        worker.start();
        workers.add(worker);
      }
      boolean interrupted = false;
      for (Thread worker : workers) {
        while (worker.isAlive()) {
          try {
            worker.join();
          } catch (InterruptedException e) {
            interrupted = true;
            stopped = true;
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while measuring stored states");
      }
      rethrow();
    }

    private void rethrow() {
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      if (failure instanceof Error error) {
        throw error;
      }
    }

    /**
     * Chunks are taken in their order and each is worked on to its end or its first bad row, so
     * that the lowest bad row is always found, whichever thread comes first.
     */
    private void work() {
      int row = -1;
      try (Meter meter = meter()) {
        double[] state = new double[world.storedSize()];
        while (!stopped) {
          int from = nextChunk.getAndIncrement() * CHUNK;
          if (from >= count) {
            return;
          }
          int to = Math.min(count, from + CHUNK);
          for (row = from; row < to; row++) {
            reader.read(row, state);
            measurement.take(row, measure(row, state, meter));
          }
          report(to - from);
        }
      } catch (Throwable e) {
        fail(row, e);
      }
    }

    private Readings measure(int row, double[] state, Meter meter) {
      for (int i = 0; i < state.length; i++) {
        if (!Double.isFinite(state[i])) {
          throw UserError.invalid(
              "row %d of the stored states of %s: number %d must be finite, found %s",
              rowNames.applyAsLong(row), world.name(), i, state[i]);
        }
      }
      try {
        return meter.at(state);
      } catch (SimulationException e) {
        throw UserError.failed(
            e,
            "row %d of the stored states of %s: %s",
            rowNames.applyAsLong(row),
            world.name(),
            e.getMessage());
      }
    }

    private synchronized void report(int rows) {
      done += rows;
      progress.measured(done, count);
    }

    private synchronized void fail(int row, Throwable e) {
      stopped = true;
      if (failure == null || row < failedRow) {
        failure = e;
        failedRow = row;
      }
    }
  }
}
