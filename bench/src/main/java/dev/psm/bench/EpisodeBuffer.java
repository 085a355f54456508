package dev.psm.bench;

import dev.psm.agents.rnd.NStepReplay;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import java.util.Arrays;

/** The episode being played, until it is whole. */
final class EpisodeBuffer {
  private final int observationSize;
  private final int actionSize;
  private final float[] observations;
  private final float[] actions;
  private final float[] discounts;
  private final float[] rewards;
  private int length;

  EpisodeBuffer(World world) {
    int steps = world.episodeSteps();
    observationSize = world.observationSize();
    actionSize = world.actionSize();
    observations = new float[(steps + 1) * observationSize];
    actions = new float[steps * actionSize];
    discounts = new float[steps];
    rewards = new float[steps];
  }

  void begin(float[] observation) {
    length = 0;
    System.arraycopy(observation, 0, observations, 0, observationSize);
  }

  void add(float[] action, Environment.Step step, double reward) {
    System.arraycopy(action, 0, actions, length * actionSize, actionSize);
    rewards[length] = (float) reward;
    discounts[length] = step.terminated() ? 0 : 1;
    length++;
    System.arraycopy(
        step.observation(), 0, observations, length * observationSize, observationSize);
  }

  /** One that blew up too early for n steps holds nothing to learn from. */
  void appendTo(NStepReplay replay, int nStep) {
    if (length >= nStep) {
      replay.append(
          Arrays.copyOf(observations, (length + 1) * observationSize),
          Arrays.copyOf(actions, length * actionSize),
          Arrays.copyOf(discounts, length),
          Arrays.copyOf(rewards, length));
    }
  }
}
