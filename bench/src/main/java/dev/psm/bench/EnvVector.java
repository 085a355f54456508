package dev.psm.bench;

import dev.psm.core.env.Environment;
import dev.psm.core.env.VectorEnvironment;
import dev.psm.core.env.World;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Environments stepped together, as collecting does: on two threads beside one. */
final class EnvVector implements AutoCloseable {
  static final int COUNT = 16;
  private static final double ROUND_SECONDS = 0.02;

  private final VectorEnvironment<Environment> environments;
  private final RandomGenerator random = RandomGenerator.getDefault();
  private final float[] actions;

  /**
   * What it came to.
   *
   * @param one steps per second of all environments on one thread, and {@code two} on two
   */
  record Result(double one, double two, double speedup) {}

  private EnvVector(World world, String task, int threads) {
    environments =
        new VectorEnvironment<>(
            world, COUNT, threads, i -> world.open(), i -> world.task(task).reward());
    actions = new float[COUNT * world.actionSize()];
    environments.reset(0);
  }

  static Result measure(World world, String task, double seconds) {
    try (EnvVector one = new EnvVector(world, task, 1);
        EnvVector two = new EnvVector(world, task, 2)) {
      long steps =
          EnvContest.settle(seconds / 4, ROUND_SECONDS, count -> one.run(count) + two.run(count));
      List<Double> alone = new ArrayList<>();
      List<Double> both = new ArrayList<>();
      List<Double> speedups = new ArrayList<>();
      for (int round = EnvContest.rounds(seconds / 2, ROUND_SECONDS); round > 0; round--) {
        double first = one.run(steps);
        double second = two.run(steps);
        alone.add(first);
        both.add(second);
        speedups.add(first / second);
      }
      return new Result(
          COUNT * steps / EnvContest.median(alone),
          COUNT * steps / EnvContest.median(both),
          EnvContest.median(speedups));
    }
  }

  /** Seconds for so many steps of every environment. */
  private double run(long steps) {
    long start = System.nanoTime();
    for (long i = 0; i < steps; i++) {
      for (int k = 0; k < actions.length; k++) {
        actions[k] = 2 * random.nextFloat() - 1;
      }
      environments.step(actions);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  @Override
  public void close() {
    environments.close();
  }
}
