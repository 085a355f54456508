package dev.psm.lab.control;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.zeroshot.Prompt;
import java.nio.file.Path;
import java.util.Optional;

/** Prompts out of a dataset: one of its states as a goal, one of its episodes to be followed. */
public final class PromptData {
  private PromptData() {}

  /** Whether this is a dataset's folder. */
  public static boolean isOne(Path folder) {
    return Dataset.isIn(folder);
  }

  /** The state of a row, counted over the whole dataset. */
  public static Prompt.Goal goal(Path folder, long row, World world) {
    try (Dataset data = open(folder, world)) {
      if (row < 0 || row >= data.rows()) {
        throw UserError.usage(
            "%s has rows 0 to %d, so there is no row %d", folder, data.rows() - 1, row);
      }
      float[] observation = new float[world.observationSize()];
      data.observations(row, 1, observation, 0);
      Optional<double[]> physics = Optional.empty();
      if (data.columns().physics() == world.stateSize()) {
        physics = Optional.of(new double[world.stateSize()]);
        data.physics(row, 1, physics.get(), 0);
      }
      return new Prompt.Goal(observation, "row %d of %s".formatted(row, name(folder)), physics);
    }
  }

  /** An episode, which begins where the recorded one did if the dataset has physics. */
  public static Prompt.Demonstration demonstration(
      Path folder, int episode, World world, int window) {
    try (Dataset data = open(folder, world)) {
      if (episode < 0 || episode >= data.episodes()) {
        throw UserError.usage(
            "%s has episodes 0 to %d, so there is no episode %d",
            folder, data.episodes() - 1, episode);
      }
      Episode recorded = data.episode(episode);
      return new Prompt.Demonstration(
          recorded.observations(),
          window,
          "episode %d of %s".formatted(episode, name(folder)),
          data.columns().physics() == world.stateSize()
              ? Optional.of(recorded.physics())
              : Optional.empty());
    }
  }

  private static String name(Path folder) {
    return folder.toAbsolutePath().normalize().getFileName().toString();
  }

  private static Dataset open(Path folder, World world) {
    Dataset data = Dataset.open(folder);
    String environment = data.description().environment();
    if (!(environment.equals(world.reference()) || environment.equals(world.name()))
        || data.columns().observation() != world.observationSize()) {
      data.close();
      throw UserError.usage(
          "%s holds data of %s with observations of %d numbers; the agent acts in %s, where they have"
              + " %d",
          folder, environment, data.columns().observation(), world.name(), world.observationSize());
    }
    return data;
  }
}
