package dev.psm.bench;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;
import dev.psm.lab.RandomEpisodes;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Rewards of stored states for all tasks of the walker, on two threads and on one. */
final class DataRelabelling {
  private static final World WORLD = Worlds.named("walker");
  private static final int WARM_UP = 2000;
  private static final int PARTS = 8;

  private DataRelabelling() {}

  record Timing(int threads, double seconds, double cpuSeconds) {
    double share() {
      return cpuSeconds / (threads * seconds);
    }

    boolean busy() {
      return share() < EnvContest.QUIET;
    }

    /** Wall time on a busy machine measures the others' work. */
    double judged() {
      return busy() ? cpuSeconds / threads : seconds;
    }
  }

  /**
   * What it came to.
   *
   * @param statesSeconds what it took to get to the states, which is no part of relabelling
   */
  record Result(List<String> tasks, double statesSeconds, Timing one, Timing two) {}

  static Result measure(int states, Progress progress) {
    long start = System.nanoTime();
    double[] physics = randomStates(states, progress);
    double seconds = (System.nanoTime() - start) / 1e9;
    int few = Math.min(states, WARM_UP);
    time(1, Arrays.copyOf(physics, few * WORLD.stateSize()), "relabelling, warm-up", progress);
    Timing two = time(2, physics, "relabelling, two threads", progress);
    Timing one = time(1, physics, "relabelling, one thread", progress);
    return new Result(WORLD.tasks().stream().map(Task::name).toList(), seconds, one, two);
  }

  private static Timing time(int threads, double[] physics, String label, Progress progress) {
    double[][] rewards;
    double seconds;
    double cpu;
    try (Progress.Bar bar = progress.start(label, physics.length / WORLD.stateSize())) {
      Relabelling relabelling =
          new Relabelling(WORLD, threads, (done, total) -> bar.update(done, ""));
      long cpuStart = processNanoseconds();
      long start = System.nanoTime();
      rewards = relabelling.rewards(WORLD.tasks(), physics);
      seconds = (System.nanoTime() - start) / 1e9;
      cpu = (processNanoseconds() - cpuStart) / 1e9;
    }
    if (Arrays.stream(rewards).flatMapToDouble(Arrays::stream).anyMatch(Double::isNaN)) {
      throw new IllegalStateException("every state has a reward");
    }
    return new Timing(threads, seconds, cpu);
  }

  /** Of all threads: those that relabel are gone when it is done. */
  private static long processNanoseconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean bean
        ? bean.getProcessCpuTime()
        : 0;
  }

  /** In several parts, each from its own seed, so that all cores take steps. */
  private static double[] randomStates(int states, Progress progress) {
    double[] physics = new double[Math.multiplyExact(states, WORLD.stateSize())];
    AtomicLong done = new AtomicLong();
    try (Progress.Bar bar = progress.start("random states", states)) {
      IntStream.range(0, PARTS)
          .parallel()
          .forEach(
              part -> {
                int from = (int) ((long) part * states / PARTS);
                int to = (int) ((part + 1L) * states / PARTS);
                fill(physics, from, to, part, done, bar);
              });
    }
    return physics;
  }

  private static void fill(
      double[] physics, int from, int to, int seed, AtomicLong done, Progress.Bar bar) {
    RandomGenerator random = Seeds.generator(seed);
    float[] action = new float[WORLD.actionSize()];
    RandomGenerator starts = Seeds.generator(seed);
    try (Environment environment = WORLD.open()) {
      environment.reset(starts);
      for (int row = from; row < to; ) {
        RandomEpisodes.draw(WORLD, random, action);
        Environment.Step step = environment.step(action);
        if (!step.diverged()) {
          double[] state = environment.state();
          System.arraycopy(state, 0, physics, row * state.length, state.length);
          row++;
          synchronized (bar) {
            bar.update(done.incrementAndGet(), "");
          }
        }
        if (step.ended()) {
          environment.reset(starts);
        }
      }
    }
  }
}
