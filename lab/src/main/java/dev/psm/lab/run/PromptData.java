package dev.psm.lab.run;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.Prompt;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Prompts out of a dataset: one of its states as a goal, one of its episodes to be followed, or its
 * states with the rewards that it came with.
 */
public final class PromptData {
  private static final String REWARD = "reward";

  private PromptData() {}

  /** Whether this is a dataset's folder. */
  public static boolean isDataset(Path folder) {
    return Dataset.isIn(folder);
  }

  /** The state of a row, counted over the whole dataset. */
  public static Prompt.Goal goal(Path folder, long row, World world) {
    try (Dataset data = open(folder, world)) {
      if (row < 0 || row >= data.rows()) {
        throw UserError.invalid(
            "%s has rows 0 to %d, so there is no row %d", folder, data.rows() - 1, row);
      }
      float[] observation = new float[world.observationSize()];
      data.observations(row, 1, observation, 0);
      Optional<double[]> physics = Optional.empty();
      if (hasStates(data, world)) {
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
        throw UserError.invalid(
            "%s has episodes 0 to %d, so there is no episode %d",
            folder, data.episodes() - 1, episode);
      }
      Episode recorded = data.episode(episode);
      return new Prompt.Demonstration(
          recorded.observations(),
          window,
          "episode %d of %s".formatted(episode, name(folder)),
          hasStates(data, world) ? Optional.of(recorded.physics()) : Optional.empty());
    }
  }

  /**
   * The states that steps led to, each with the reward of that step; of a large dataset, evenly
   * spaced ones.
   */
  public static Prompt.Samples samples(Path folder, World world) {
    try (Dataset data = open(folder, world)) {
      if (!Objects.equals(data.columns().extras().get(REWARD), 1)) {
        throw UserError.invalid(
            "%s came without rewards, so there is nothing to learn of them; give a formula, or a"
                + " file of samples",
            folder);
      }
      data.requireIntact();
      int every = Math.toIntExact(data.transitions() / InferenceSample.DEFAULT_SIZE + 1);
      int count = Math.toIntExact((data.transitions() + every - 1) / every);
      int width = world.observationSize();
      float[] observations = new float[Math.multiplyExact(count, width)];
      float[] rewards = new float[count];
      long transition = 0;
      int sample = 0;
      for (int episode = 0; episode < data.episodes(); episode++) {
        for (long row = data.firstRow(episode) + 1; row <= data.lastRow(episode); row++) {
          if (transition++ % every == 0) {
            data.observations(row, 1, observations, sample * width);
            data.extra(REWARD, row, 1, rewards, sample);
            sample++;
          }
        }
      }
      double[] paid = new double[count];
      for (int i = 0; i < count; i++) {
        paid[i] = rewards[i];
      }
      return new Prompt.Samples(
          observations, paid, "%d rewards of %s".formatted(count, name(folder)));
    }
  }

  /** Whether an episode can begin in its states. */
  private static boolean hasStates(Dataset data, World world) {
    return world.stateSize() > 0 && data.columns().physics() == world.stateSize();
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
      throw UserError.invalid(
          "%s holds data of %s with observations of %d numbers; the agent acts in %s, where they have"
              + " %d",
          folder, environment, data.columns().observation(), world.name(), world.observationSize());
    }
    return data;
  }
}
