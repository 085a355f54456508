package dev.psm.mujoco.mjcf;

import dev.psm.core.reward.Quantity;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.View;

/** A quantity and where the engine keeps it. */
record Gauge(Quantity quantity, Array array, int address) {

  /** One of the engine's arrays. */
  enum Array {
    POSITIONS,
    VELOCITIES,
    ACTIVATIONS,
    SENSORS;

    View of(Simulation simulation) {
      return switch (this) {
        case POSITIONS -> simulation.qpos();
        case VELOCITIES -> simulation.qvel();
        case ACTIVATIONS -> simulation.act();
        case SENSORS -> simulation.sensors();
      };
    }
  }

  String name() {
    return quantity.name();
  }

  double read(Simulation simulation) {
    return array.of(simulation).get(address);
  }

  void write(Simulation simulation, double value) {
    array.of(simulation).set(address, value);
  }
}
