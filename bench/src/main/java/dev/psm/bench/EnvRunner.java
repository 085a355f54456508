package dev.psm.bench;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.reward.Reward;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.View;
import dev.psm.mujoco.suite.PhysicsEnvironment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * An environment driven by random actions, episode after episode from the same start. The actions
 * come from a generator that {@code envs_peer.c} has too, so both go through the same states.
 */
final class EnvRunner implements AutoCloseable {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  private final PhysicsEnvironment environment;
  private final Simulation engine;
  private final Reward reward;
  private final RandomGenerator starts = Seeds.generator(0);
  private final double[] start;
  private final double[] engineStart;
  private final float[] action;
  private long noise = 1;
  private double paid;
  private long taken;

  /**
   * What some steps took, and the sum of positions and velocities after them, which two runs of the
   * same steps share.
   */
  record Timing(double wallSeconds, double cpuSeconds, double sum) {}

  /** An environment that belongs to the calling thread. */
  EnvRunner(World world, String task) {
    environment = (PhysicsEnvironment) world.open();
    reward = world.task(task).reward();
    engine = environment.domain().simulation();
    action = new float[world.actionSize()];
    long seed = 0;
    double[] drawn;
    do {
      environment.reset(Seeds.generator(seed++));
      drawn = engine.qpos().toArray();
    } while (!keeps(drawn));
    start = environment.moment();
    engineStart =
        Stream.of(engine.qpos(), engine.qvel(), engine.act(), engine.warmStart())
            .flatMapToDouble(view -> Arrays.stream(view.toArray()))
            .toArray();
    environment.restore(start);
  }

  /**
   * Whether the engine leaves these positions alone. It normalises quaternions at every pass, which
   * may move a unit one by a last bit, and then the peer would not start where we do.
   */
  private boolean keeps(double[] positions) {
    engine.forwardPassive();
    return Arrays.equals(positions, engine.qpos().toArray());
  }

  /** What the engine's own state is at the start: qpos, qvel, act and qacc_warmstart. */
  double[] engineStart() {
    return engineStart.clone();
  }

  Timing run(long steps) {
    long wall = System.nanoTime();
    long cpu = CLOCK.getCurrentThreadCpuTime();
    for (long i = 0; i < steps; i++) {
      for (int k = 0; k < action.length; k++) {
        action[k] = draw();
      }
      Environment.Step step = environment.step(action);
      paid += reward.of(environment);
      if (step.ended()) {
        environment.restore(start);
      }
    }
    taken += steps;
    cpu = CLOCK.getCurrentThreadCpuTime() - cpu;
    wall = System.nanoTime() - wall;
    return new Timing(wall / 1e9, cpu / 1e9, sum(engine.qvel(), sum(engine.qpos(), 0)));
  }

  /** A real start, drawn by the domain's own rule. */
  void reset() {
    environment.reset(starts);
  }

  /** Over all steps so far; that it is asked for keeps the compiler from leaving rewards out. */
  double meanReward() {
    return paid / taken;
  }

  private float draw() {
    noise = noise * 6364136223846793005L + 1442695040888963407L;
    return (noise >>> 40) * 0x1p-23f - 1f;
  }

  private static double sum(View view, double start) {
    double all = start;
    for (int i = 0; i < view.size(); i++) {
      all += view.get(i);
    }
    return all;
  }

  @Override
  public void close() {
    environment.close();
  }
}
