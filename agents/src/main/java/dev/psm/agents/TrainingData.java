package dev.psm.agents;

import dev.psm.core.data.Dataset;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;

/** The reward-free experience that a trainer learns from. */
public sealed interface TrainingData {
  World world();

  /** What somebody did in a world, as it was stored. */
  record Recorded(World world, Dataset dataset) implements TrainingData {}

  /** Everything that can be done in a world of few states: every action in every state, once. */
  record Complete(FiniteWorld world) implements TrainingData {}
}
