package dev.psm.agents.rnd;

import dev.psm.core.UserError;

/**
 * What a learner that explores or learns one task can be told, whatever its actions are: {@link
 * RndSettings} for vectors, {@link DqnSettings} for numbered actions.
 */
public sealed interface ExplorerSettings permits RndSettings, DqnSettings {
  int width();

  int representation();

  int batchSize();

  int stepsPerUpdate();

  int nStep();

  double discount();

  double learningRate();

  int seedSteps();

  int replayCapacity();

  /** The name of exploration with these settings, as datasets keep it. */
  String policy();

  /** The name of the algorithm that learns action values. */
  String algorithm();

  /** Refuses settings that episodes of this length do not fit. */
  default void requireEpisodes(String environment, int episodeSteps) {
    if (nStep() > episodeSteps || replayCapacity() < episodeSteps) {
      throw UserError.invalid(
          "an episode of %s has %d steps: nStep must be at most that, found %d, and replayCapacity"
              + " at least, found %d",
          environment, episodeSteps, nStep(), replayCapacity());
    }
  }

  /** Updates that so many environment steps call for: none while actions are random. */
  default long updatesAfter(long environmentSteps) {
    return Math.max(0, environmentSteps - seedSteps()) / stepsPerUpdate();
  }
}
