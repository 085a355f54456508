package dev.psm.mujoco.suite;

import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;

/**
 * FetchReach with its six numbered actions as numbers, for agents that choose among a few: +x, +y,
 * +z, −x, −y, −z.
 */
public final class NumberedActions implements Environment<Integer> {
  private final PhysicsEnvironment environment;
  private final Space.Discrete actions;

  /** Takes the environment over and closes it with itself. */
  public NumberedActions(PhysicsEnvironment environment) {
    int count = environment.domain().facts().discreteActions();
    if (count == 0) {
      throw new IllegalArgumentException(
          environment.domain().facts().name() + " has vectors as actions, not numbers");
    }
    this.environment = environment;
    this.actions = new Space.Discrete(count);
  }

  @Override
  public Start reset(long seed) {
    return environment.reset(seed);
  }

  @Override
  public Start reset() {
    return environment.reset();
  }

  @Override
  public Step step(Integer action) {
    if (action < 0 || action >= actions.count()) {
      throw new IllegalArgumentException(
          "actions are numbered from 0 to %d, found %d".formatted(actions.count() - 1, action));
    }
    double[] direction = FetchReach.direction(action);
    float[] vector = new float[direction.length];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) direction[i];
    }
    return environment.step(vector);
  }

  @Override
  public Space.Box observationSpace() {
    return environment.observationSpace();
  }

  @Override
  public Space.Discrete actionSpace() {
    return actions;
  }

  @Override
  public double[] state() {
    return environment.state();
  }

  @Override
  public void setState(double[] state) {
    environment.setState(state);
  }

  @Override
  public void close() {
    environment.close();
  }
}
