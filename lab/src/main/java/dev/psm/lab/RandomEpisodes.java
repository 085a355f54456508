package dev.psm.lab;

import dev.psm.core.Seeds;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Episodes of uniformly random actions: the yardstick that every policy has to beat. */
public final class RandomEpisodes {
  private RandomEpisodes() {}

  /**
   * What they came to.
   *
   * @param returns per task, per episode
   * @param divergences episodes cut short because the simulation blew up
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Result(double[][] returns, double stepsPerSecond, int threads, long divergences) {}

  /** Runs them for every task of the domain. */
  public static Result run(World world, int episodes, long seed, int threads, Progress progress) {
    return run(world, world.tasks(), episodes, seed, threads, progress);
  }

  /** Runs them; each has a stream of its own, so the threads do not change what comes out. */
  public static Result run(
      World world, List<Task> tasks, int episodes, long seed, int threads, Progress progress) {
    double[][] returns = new double[tasks.size()][episodes];
    AtomicInteger next = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    AtomicLong steps = new AtomicLong();
    AtomicLong divergences = new AtomicLong();
    int workers = Math.min(threads, episodes);
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    long start = System.nanoTime();
    try (Progress.Bar bar = progress.start("random " + world.name(), episodes)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int worker = 0; worker < workers; worker++) {
        futures.add(
            pool.submit(
                () -> {
                  try (Environment environment = CheckedEnvironment.open(world)) {
                    for (int e = next.getAndIncrement(); e < episodes; e = next.getAndIncrement()) {
                      int episode = e;
                      Played played =
                          play(
                              world,
                              environment,
                              seed,
                              e,
                              () -> add(environment, tasks, returns, episode));
                      steps.addAndGet(played.steps());
                      divergences.addAndGet(played.diverged() ? 1 : 0);
                      bar.update(done.incrementAndGet(), "");
                    }
                  }
                }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      // Whoever is still playing finds no episode left.
      next.set(episodes);
      pool.shutdownNow();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Result(returns, steps.get() / seconds, workers, divergences.get());
  }

  private static void add(
      Environment environment, List<Task> tasks, double[][] returns, int episode) {
    for (int i = 0; i < returns.length; i++) {
      returns[i][episode] += tasks.get(i).reward(environment);
    }
  }

  /** What an episode came to. */
  record Played(int steps, boolean diverged) {}

  /**
   * Plays one episode; its number and the seed decide it.
   *
   * @param visitor is called in every state that an action led to, except one that blew up
   */
  static Played play(
      World world, Environment environment, long seed, int episode, Runnable visitor) {
    // The start and the actions are two streams, so that a change in one leaves the other alone.
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, episode, "actions"));
    environment.reset(Seeds.generator(Seeds.mix(seed, episode, "starts")));
    float[] action = new float[world.actionSize()];
    int steps = 0;
    Environment.Step step;
    do {
      draw(world, random, action);
      step = environment.step(action);
      steps++;
      if (!step.diverged()) {
        visitor.run();
      }
    } while (!step.ended());
    return new Played(steps, step.diverged());
  }

  /** Draws one uniformly random action. */
  public static void draw(World world, RandomGenerator random, float[] action) {
    if (world.actionSpace() instanceof Space.Discrete numbered) {
      action[0] = random.nextInt(numbered.count());
      return;
    }
    for (int i = 0; i < action.length; i++) {
      action[i] = 2 * random.nextFloat() - 1;
    }
  }
}
