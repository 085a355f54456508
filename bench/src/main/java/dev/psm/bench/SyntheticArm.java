package dev.psm.bench;

import dev.psm.core.data.Columns;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Transitions of the size of FetchReach with numbered actions, but of noise: no engine is needed.
 */
final class SyntheticArm {
  static final World WORLD = Worlds.named("fetchreach_discrete");

  private static final Columns COLUMNS =
      new Columns(WORLD.observationSize(), WORLD.actionSize(), WORLD.stateSize());
  private static final int ACTIONS = 6;
  private static final int EPISODES = 400;

  private SyntheticArm() {}

  static void write(Path folder) {
    SplittableRandom random = new SplittableRandom(1);
    DatasetDescription description =
        new DatasetDescription(WORLD.name(), "none", "noise", Json.object(), 1, COLUMNS);
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      for (int i = 0; i < EPISODES; i++) {
        writer.append(episode(random, WORLD.episodeSteps() + 1));
      }
      writer.flush();
    }
  }

  private static Episode episode(SplittableRandom random, int rows) {
    float[] observations = new float[rows * COLUMNS.observation()];
    for (int i = 0; i < observations.length; i++) {
      observations[i] = (float) random.nextDouble(-1, 1);
    }
    float[] actions = new float[rows];
    for (int i = 1; i < rows; i++) {
      actions[i] = random.nextInt(ACTIONS);
    }
    float[] discounts = new float[rows];
    Arrays.fill(discounts, 1);
    double[] physics = new double[rows * COLUMNS.physics()];
    return new Episode(observations, actions, discounts, physics, Map.of());
  }
}
