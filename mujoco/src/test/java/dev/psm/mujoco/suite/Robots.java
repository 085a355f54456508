package dev.psm.mujoco.suite;

import dev.psm.core.Seeds;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.util.List;
import java.util.random.RandomGenerator;

/** The robots as the tests of their environments want them. */
final class Robots {
  private Robots() {}

  static List<RobotWorld> all() {
    return new RobotWorld.Source().worlds().stream().map(RobotWorld.class::cast).toList();
  }

  /** The one that a user means by this name, found as every world is. */
  static RobotWorld named(String name) {
    return (RobotWorld) Worlds.named(name);
  }

  static PhysicsEnvironment open(String name) {
    return (PhysicsEnvironment) named(name).open();
  }

  static float[] reset(PhysicsEnvironment environment, long seed) {
    return environment.reset(Seeds.generator(seed));
  }

  /** An action drawn uniformly from all there are. */
  static float[] action(World world, RandomGenerator random) {
    if (world.actionSpace() instanceof Space.Discrete numbered) {
      return new float[] {random.nextInt(numbered.count())};
    }
    float[] action = new float[world.actionSize()];
    for (int i = 0; i < action.length; i++) {
      action[i] = 2 * random.nextFloat() - 1;
    }
    return action;
  }
}
