package dev.psm.mujoco.suite;

import dev.psm.core.UserError;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.MujocoException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/**
 * Measures stored states again, so that a dataset can be paid for tasks that nobody had in mind
 * when it was collected.
 *
 * <p>States are independent of each other, so several threads share them, each with a {@link
 * Domain} of its own; how many there are never shows in the results. Controls are not stored and
 * count as zero.
 */
public final class Relabelling {
  /** Few enough for a lively progress, enough for the threads not to meet often. */
  private static final int CHUNK = 512;

  private final DomainFacts facts;
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

  public Relabelling(DomainFacts facts, int threads, Progress progress) {
    if (threads < 1) {
      throw new IllegalArgumentException("at least one thread is needed, found " + threads);
    }
    this.facts = facts;
    this.threads = threads;
    this.progress = progress;
    this.rowNames = row -> row;
  }

  private Relabelling(Relabelling other, IntToLongFunction rowNames) {
    this.facts = other.facts;
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
   * @param states one after the other, as {@link Domain#physics} gives them
   */
  public QuantityTable quantities(List<Quantity> wanted, double[] states) {
    return quantities(wanted, count(states), reader(states));
  }

  /**
   * The wanted quantities of every state.
   *
   * @param state the state of a row, as {@link Domain#physics} gives it; called from all threads
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
   * @param states one after the other, as {@link Domain#physics} gives them
   */
  public double[][] rewards(List<Task> tasks, double[] states) {
    return rewards(tasks, count(states), reader(states));
  }

  /**
   * The reward of every state for every task: a row per task, a column per state.
   *
   * @param state the state of a row, as {@link Domain#physics} gives it; called from all threads
   */
  public double[][] rewards(List<Task> tasks, int count, IntFunction<double[]> state) {
    return rewards(tasks, count, reader(state));
  }

  private double[][] rewards(List<Task> tasks, int count, Reader reader) {
    double[][] rewards = new double[tasks.size()][count];
    Measurement measurement =
        (row, domain) -> {
          for (int task = 0; task < rewards.length; task++) {
            rewards[task][row] = tasks.get(task).reward(domain);
          }
        };
    new Pass(count, reader, measurement).run();
    return rewards;
  }

  /**
   * What is observed in every state, one after the other; NaN for the numbers that do not follow
   * from the state.
   *
   * @param states one after the other, as {@link Domain#physics} gives them
   */
  public double[] observations(double[] states) {
    int size = facts.observationSize();
    double[] observations = new double[count(states) * size];
    Measurement measurement =
        (row, domain) -> {
          double[] observation = new double[size];
          domain.observe(observation);
          for (int i = 0; i < size; i++) {
            observations[row * size + i] = domain.observesState(i) ? observation[i] : Double.NaN;
          }
        };
    new Pass(count(states), reader(states), measurement).run();
    return observations;
  }

  private int count(double[] states) {
    int size = facts.physicsSize();
    if (states.length % size != 0) {
      throw wrongLength(states.length / size, states.length % size);
    }
    return states.length / size;
  }

  private UserError wrongLength(int row, int found) {
    return UserError.usage(
        "row %d of the stored states of %s: expected %d numbers, found %d",
        rowNames.applyAsLong(row), facts.name(), facts.physicsSize(), found);
  }

  private Reader reader(double[] states) {
    int size = facts.physicsSize();
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
    void take(int row, Domain domain);
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
      try (Domain domain = facts.open()) {
        double[] state = new double[facts.physicsSize()];
        while (!stopped) {
          int from = nextChunk.getAndIncrement() * CHUNK;
          if (from >= count) {
            return;
          }
          int to = Math.min(count, from + CHUNK);
          for (row = from; row < to; row++) {
            reader.read(row, state);
            goTo(row, state, domain);
            measurement.take(row, domain);
          }
          report(to - from);
        }
      } catch (Throwable e) {
        fail(row, e);
      }
    }

    private void goTo(int row, double[] state, Domain domain) {
      for (int i = 0; i < state.length; i++) {
        if (!Double.isFinite(state[i])) {
          throw UserError.usage(
              "row %d of the stored states of %s: number %d must be finite, found %s",
              rowNames.applyAsLong(row), facts.name(), i, state[i]);
        }
      }
      try {
        domain.recallQuantities(state, 0);
      } catch (MujocoException e) {
        throw UserError.failed(
            e,
            "row %d of the stored states of %s: %s",
            rowNames.applyAsLong(row),
            facts.name(),
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
