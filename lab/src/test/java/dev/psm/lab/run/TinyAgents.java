package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.FactoredPsmSettings;
import dev.psm.agents.training.Experience;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collection;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** Agents that have learned next to nothing, in next to no time. */
public final class TinyAgents {
  public static final World MAZE = Worlds.named("maze");
  static final int SAMPLE = 300;

  private static final FactoredPsmSettings SETTINGS =
      Settings.override(
          FactoredPsmSettings.presets(MAZE).get("small"),
          List.of(
              "gradientSteps=20",
              "protoSteps=10",
              "batchSize=16",
              "featureDimension=8",
              "width=16",
              "featureWidth=16"));

  private TinyAgents() {}

  /** A dataset of two episodes of random actions. */
  static void collect(World world, Path folder) {
    Collection.atRandom(
        world, new Collection.Plan(2L * world.episodeSteps(), 2, 1, 0), folder, Progress.SILENT);
  }

  public static List<ZeroShotAgent> train(World world, Path data, List<Long> seeds) {
    try (Dataset dataset = Dataset.open(data)) {
      ControlTrainer trainer = new FactoredPsm(SETTINGS, new Experience(dataset), seeds);
      for (int step = 0; step < 20; step++) {
        trainer.step();
      }
      InferenceSample sample = InferenceSample.draw(dataset, world, SAMPLE, 0, 1);
      return seeds.stream()
          .map(seed -> new ZeroShotAgent("psm", trainer.model(seed), world, sample))
          .toList();
    }
  }

  /** An agent of any kind, for the maze. */
  public static ZeroShotAgent train(ControlAgent kind, Path data) {
    List<String> sizes =
        List.of(
            "gradientSteps=20",
            "batchSize=16",
            "featureDimension=8",
            "width=16",
            "featureWidth=16");
    Record settings = Settings.override(kind.presets(MAZE).get("small"), sizes);
    if (kind == FactoredPsm.AGENT) {
      settings = Settings.override(settings, List.of("protoSteps=10"));
    }
    try (Dataset dataset = Dataset.open(data)) {
      ControlTrainer trainer = kind.trainer(settings, new Experience(dataset), List.of(0L));
      for (int step = 0; step < 20; step++) {
        trainer.step();
      }
      return new ZeroShotAgent(
          kind.id(), trainer.model(0), MAZE, InferenceSample.draw(dataset, MAZE, SAMPLE, 0, 1));
    }
  }

  /** As training leaves it: a folder per seed. */
  static void save(List<ZeroShotAgent> agents, Path run) {
    for (int seed = 0; seed < agents.size(); seed++) {
      agents.get(seed).save(run.resolve("seed-" + seed), Json.object());
    }
    Json.write(run.resolve("run.json"), Json.object());
  }

  public static void refused(Executable work, String... words) {
    UserError error = assertThrows(UserError.class, work);
    assertEquals(UserError.Kind.INVALID, error.kind(), error.getMessage());
    for (String word : words) {
      assertTrue(
          error.getMessage().contains(word), "'" + word + "' is not in: " + error.getMessage());
    }
  }
}
