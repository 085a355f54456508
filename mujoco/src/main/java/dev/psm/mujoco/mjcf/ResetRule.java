package dev.psm.mujoco.mjcf;

import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.View;
import dev.psm.mujoco.mjcf.MjcfSettings.ResetRange;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How episodes begin: in the model's first keyframe, or its own start where it has none; every
 * position of a hinge or slide and every velocity is moved by a little noise, positions never
 * beyond their joint's limits; then what has a range of its own is drawn from that.
 */
final class ResetRule {
  private final MjcfSettings settings;
  private final Simulation simulation;
  private final List<JointLimits> limits;
  private final boolean hasKeyframe;
  private final double[] keyPositions;
  private final double[] keyVelocities;
  private final double[] keyActivations;

  ResetRule(MjcfSettings settings, Simulation simulation) {
    this.settings = settings;
    this.simulation = simulation;
    ModelFacts model = simulation.facts();
    limits = JointLimits.of(model);
    hasKeyframe = model.size("nkey") > 0;
    keyPositions = firstKeyframe(model, "key_qpos", simulation.qpos());
    keyVelocities = firstKeyframe(model, "key_qvel", simulation.qvel());
    keyActivations = firstKeyframe(model, "key_act", simulation.act());
  }

  private double[] firstKeyframe(ModelFacts model, String field, View like) {
    return hasKeyframe ? model.doubles(field, like.size()) : new double[0];
  }

  /** Writes a start; the simulation was just reset to the model's own. */
  void draw(RandomGenerator random) {
    if (hasKeyframe) {
      simulation.qpos().setAll(keyPositions, 0);
      simulation.qvel().setAll(keyVelocities, 0);
      simulation.act().setAll(keyActivations, 0);
    }
    View positions = simulation.qpos();
    for (JointLimits joint : limits) {
      double moved = positions.get(joint.address()) + noise(random);
      positions.set(joint.address(), Math.max(joint.low(), Math.min(joint.high(), moved)));
    }
    View velocities = simulation.qvel();
    for (int i = 0; i < velocities.size(); i++) {
      velocities.set(i, velocities.get(i) + noise(random));
    }
    for (ResetRange range : settings.resetRanges()) {
      double drawn = range.low() + (range.high() - range.low()) * random.nextDouble();
      range.gauge().write(simulation, drawn);
    }
  }

  private double noise(RandomGenerator random) {
    return settings.resetNoise() * (2 * random.nextDouble() - 1);
  }
}
