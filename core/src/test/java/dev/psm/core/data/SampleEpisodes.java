package dev.psm.core.data;

import dev.psm.core.io.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** Episodes whose every number tells which episode and step it belongs to. */
final class SampleEpisodes {
  static final Columns COLUMNS = new Columns(3, 2, 2, Map.of("reward", 1));

  /** Small enough that a handful of episodes fills a chunk. */
  static final long CHUNK_BYTES = 1000;

  /** Unequal lengths, the shortest possible among them. */
  static final int[] LENGTHS = {5, 1, 9, 4, 20, 1, 1, 7, 12, 3, 6};

  static final int TRANSITIONS = Arrays.stream(LENGTHS).sum();

  private SampleEpisodes() {}

  static DatasetDescription description() {
    return new DatasetDescription(
        "walker", "MuJoCo 2.2.2", "random", Json.object().put("noise", 0.2), 7, COLUMNS);
  }

  static Episode episode(int number, int transitions) {
    int rows = transitions + 1;
    float[] observations = new float[rows * 3];
    float[] actions = new float[rows * 2];
    float[] discounts = new float[rows];
    double[] physics = new double[rows * 2];
    float[] rewards = new float[rows];
    for (int t = 0; t < rows; t++) {
      observations[3 * t] = number;
      observations[3 * t + 1] = t;
      observations[3 * t + 2] = number * 1000 + t;
      actions[2 * t] = t == 0 ? 0 : number + 0.5f;
      actions[2 * t + 1] = t;
      discounts[t] = t == 0 ? 1 : 1f / (1 + t);
      physics[2 * t] = number + 1e-9;
      physics[2 * t + 1] = t;
      rewards[t] = -t;
    }
    return new Episode(observations, actions, discounts, physics, Map.of("reward", rewards));
  }

  static Episode episode(int number) {
    return episode(number, LENGTHS[number % LENGTHS.length]);
  }

  /** Writes one episode per length, in several chunks. */
  static void write(Path folder) {
    try (DatasetWriter writer = DatasetWriter.create(folder, description(), CHUNK_BYTES)) {
      for (int number = 0; number < LENGTHS.length; number++) {
        writer.append(episode(number));
      }
      writer.flush();
    }
  }

  static boolean same(Episode one, Episode other) {
    return Arrays.equals(one.observations(), other.observations())
        && Arrays.equals(one.actions(), other.actions())
        && Arrays.equals(one.discounts(), other.discounts())
        && Arrays.equals(one.physics(), other.physics())
        && Arrays.equals(one.extras().get("reward"), other.extras().get("reward"));
  }
}
