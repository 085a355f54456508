package dev.psm.lab;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.DomainFacts;
import dev.psm.mujoco.suite.FetchReach;
import dev.psm.mujoco.suite.PhysicsEnvironment;
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
  public static Result run(
      DomainFacts facts, int episodes, long seed, int threads, Progress progress) {
    return run(facts, facts.tasks(), episodes, seed, threads, progress);
  }

  /** Runs them; each has a stream of its own, so the threads do not change what comes out. */
  public static Result run(
      DomainFacts facts,
      List<Task> tasks,
      int episodes,
      long seed,
      int threads,
      Progress progress) {
    double[][] returns = new double[tasks.size()][episodes];
    AtomicInteger next = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    AtomicLong steps = new AtomicLong();
    AtomicLong divergences = new AtomicLong();
    int workers = Math.min(threads, episodes);
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    long start = System.nanoTime();
    try (Progress.Bar bar = progress.start("random " + facts.name(), episodes)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int worker = 0; worker < workers; worker++) {
        futures.add(
            pool.submit(
                () -> {
                  try (PhysicsEnvironment environment =
                      new PhysicsEnvironment(facts.open(), facts.tasks().get(0))) {
                    for (int e = next.getAndIncrement(); e < episodes; e = next.getAndIncrement()) {
                      int episode = e;
                      steps.addAndGet(
                          play(
                              environment,
                              seed,
                              e,
                              domain -> pay(domain, tasks, returns, episode)));
                      bar.update(done.incrementAndGet(), "");
                    }
                    divergences.addAndGet(environment.divergences());
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

  private static void pay(Domain domain, List<Task> tasks, double[][] returns, int episode) {
    for (int i = 0; i < returns.length; i++) {
      returns[i][episode] += tasks.get(i).reward(domain);
    }
  }

  /** Sees every state that an action led to, except one that blew up. */
  interface Visitor {
    void at(Domain domain);
  }

  /** Plays one episode and returns its length; the number and the seed decide it. */
  static int play(PhysicsEnvironment environment, long seed, int episode, Visitor visitor) {
    DomainFacts facts = environment.domain().facts();
    // The start and the actions are two streams, so that a change in one leaves the other alone.
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, episode, "actions"));
    environment.reset(Seeds.mix(seed, episode, "starts"));
    float[] action = new float[facts.actionSize()];
    int steps = 0;
    Environment.Step step;
    do {
      draw(facts, random, action);
      step = environment.step(action);
      steps++;
      if (!step.info().containsKey("diverged")) {
        visitor.at(environment.domain());
      }
    } while (!step.ended());
    return steps;
  }

  /** Draws one uniformly random action. */
  public static void draw(DomainFacts facts, RandomGenerator random, float[] action) {
    if (facts.discreteActions() > 0) {
      double[] direction = FetchReach.direction(random.nextInt(facts.discreteActions()));
      for (int i = 0; i < action.length; i++) {
        action[i] = (float) direction[i];
      }
      return;
    }
    for (int i = 0; i < action.length; i++) {
      action[i] = 2 * random.nextFloat() - 1;
    }
  }
}
