package dev.psm.core.env;

import dev.psm.core.Seeds;
import dev.psm.core.reward.Reward;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;

/**
 * Many environments of one kind, stepped together on several threads.
 *
 * <p>Each is opened, used and closed on one thread of its own, as a physics engine demands, and has
 * a random stream of its own, so that the number of threads never shows in the results.
 *
 * <p>An environment whose episode ended is reset in the same step (Gymnasium's SAME_STEP mode).
 * Thus every action given is an action taken and every row a transition that may be stored; in the
 * NEXT_STEP mode a row after each end would have to be found and thrown away. What the reset hides,
 * the observation in which the episode ended, is in {@link Batch#outcomes}.
 *
 * @param <E> the kind of environment
 */
public final class VectorEnvironment<E extends Environment> implements AutoCloseable {
  private static final String STREAM = "environment";

  private final List<E> environments;
  private final PinnedThreads pinned;
  private final RandomGenerator[] generators;
  private final IntFunction<? extends Reward> rewards;
  private final int observationSize;
  private final int actionSize;
  private boolean ready;
  private boolean closed;

  /**
   * What one step of all environments led to. Row {@code i} of a matrix belongs to environment
   * {@code i}; the arrays are the caller's to keep.
   *
   * @param observations what to act on next, row by row: of the next episode where one just ended
   * @param outcomes what the actions led to, row by row: the same except where an episode ended
   * @param rewards of the states that the actions led to; 0 where a simulation blew up
   */
  public record Batch(
      float[] observations,
      float[] outcomes,
      double[] rewards,
      boolean[] terminated,
      boolean[] truncated,
      boolean[] diverged) {

    /** Whether an environment's episode is over, for either reason. */
    public boolean ended(int environment) {
      return terminated[environment] || truncated[environment];
    }
  }

  /** Opens environments of a world, to which nothing is paid. */
  public VectorEnvironment(World world, int count, int threads, IntFunction<? extends E> opener) {
    this(world, count, threads, opener, i -> readings -> 0);
  }

  /**
   * Opens environments of a world.
   *
   * @param threads at most as many as there are environments; more are not used
   * @param opener makes the environment of that index, on the thread it will live on; several
   *     threads may be opening at once
   * @param rewards what the environment of that index is paid for
   */
  public VectorEnvironment(
      World world,
      int count,
      int threads,
      IntFunction<? extends E> opener,
      IntFunction<? extends Reward> rewards) {
    if (count < 1 || threads < 1) {
      throw new IllegalArgumentException(
          "at least one environment on one thread is needed, found %d on %d"
              .formatted(count, threads));
    }
    this.rewards = rewards;
    observationSize = world.observationSize();
    actionSize = world.actionSize();
    // A fixed-size list whose places are filled by different threads.
    environments = Arrays.asList(newArray(count));
    generators = new RandomGenerator[count];
    pinned = new PinnedThreads("environments", count, Math.min(threads, count));
    try {
      pinned.run(i -> environments.set(i, opener.apply(i)));
    } catch (Throwable e) {
      try {
        close();
      } catch (Throwable alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  @SuppressWarnings("unchecked")
  private E[] newArray(int count) {
    return (E[]) new Environment[count];
  }

  /** Number of environments. */
  public int count() {
    return environments.size();
  }

  public int threads() {
    return pinned.size();
  }

  /**
   * Begins an episode in every environment and returns the observations, row by row. The same seed
   * gives the same episodes, this one and all that follow it.
   */
  public float[] reset(long seed) {
    return reset(i -> Seeds.mix(seed, i, STREAM));
  }

  /**
   * Begins an episode in every environment with a seed of the caller's, which may be the same for
   * several of them, and returns the observations, row by row.
   *
   * @param seeds by the environment's index
   */
  public synchronized float[] reset(IntToLongFunction seeds) {
    checkOpen();
    ready = false;
    float[] observations = new float[count() * observationSize];
    pinned.run(
        i -> {
          generators[i] = Seeds.generator(seeds.applyAsLong(i));
          put(environments.get(i).reset(generators[i]), observations, i);
        });
    ready = true;
    return observations;
  }

  /**
   * Acts once in every environment. After an error in one of them the others have moved on, so that
   * the next call must be a {@link #reset}.
   *
   * @param actions row by row; nobody moves unless all are finite
   */
  public synchronized Batch step(float[] actions) {
    checkOpen();
    check(actions);
    ready = false;
    int count = count();
    Batch batch =
        new Batch(
            new float[count * observationSize],
            new float[count * observationSize],
            new double[count],
            new boolean[count],
            new boolean[count],
            new boolean[count]);
    pinned.run(i -> step(i, actions, batch));
    ready = true;
    return batch;
  }

  private void step(int i, float[] actions, Batch batch) {
    E environment = environments.get(i);
    float[] action = Arrays.copyOfRange(actions, i * actionSize, (i + 1) * actionSize);
    Environment.Step step = environment.step(action);
    batch.rewards[i] = step.diverged() ? 0 : rewards.apply(i).of(environment);
    batch.terminated[i] = step.terminated();
    batch.truncated[i] = step.truncated();
    batch.diverged[i] = step.diverged();
    put(step.observation(), batch.outcomes, i);
    put(
        step.ended() ? environment.reset(generators[i]) : step.observation(),
        batch.observations,
        i);
  }

  private void put(float[] observation, float[] rows, int i) {
    if (observation.length != observationSize) {
      throw new IllegalStateException(
          "an observation of this world has %d numbers, environment %d gave %d"
              .formatted(observationSize, i, observation.length));
    }
    System.arraycopy(observation, 0, rows, i * observationSize, observationSize);
  }

  /** Asks every environment something, each on its own thread; the answers are by index. */
  public synchronized <R> List<R> ask(Function<? super E, ? extends R> question) {
    checkOpen();
    List<R> answers = new ArrayList<>(Collections.nCopies(count(), null));
    pinned.run(i -> answers.set(i, question.apply(environments.get(i))));
    return answers;
  }

  private void check(float[] actions) {
    if (!ready) {
      throw new IllegalStateException("call reset before step, and again after a step that failed");
    }
    if (actions.length != count() * actionSize) {
      throw new IllegalArgumentException(
          "%d environments need %d numbers each, found %d in all"
              .formatted(count(), actionSize, actions.length));
    }
    for (int i = 0; i < actions.length; i++) {
      if (!Float.isFinite(actions[i])) {
        throw new IllegalArgumentException(
            "number %d of the action for environment %d must be finite, found %s"
                .formatted(i % actionSize, i / actionSize, actions[i]));
      }
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("these environments are closed");
    }
  }

  /** Closes every environment and ends the threads. Twice is harmless. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      pinned.run(
          i -> {
            E environment = environments.get(i);
            // Null where opening failed.
            if (environment != null) {
              environment.close();
            }
          });
    } finally {
      pinned.close();
    }
  }
}
