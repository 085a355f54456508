package dev.psm.app;

import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.FactoredPsmSettings;
import dev.psm.agents.training.Experience;
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

/** Runs whose agents have learned next to nothing, in next to no time. */
final class TinyRun {
  private TinyRun() {}

  /** Collects a dataset of two episodes and trains on it, as many seeds as asked for. */
  static void make(String environment, Path data, Path run, List<Long> seeds) {
    World world = Worlds.named(environment);
    Collection.atRandom(
        world, new Collection.Plan(2L * world.episodeSteps(), 2, 1, 0), data, Progress.SILENT);
    FactoredPsmSettings settings =
        Settings.override(
            FactoredPsmSettings.presets(world).get("small"),
            List.of(
                "gradientSteps=20",
                "protoSteps=10",
                "batchSize=16",
                "featureDimension=8",
                "width=16",
                "featureWidth=16"));
    try (Dataset dataset = Dataset.open(data)) {
      ControlTrainer trainer = new FactoredPsm(settings, new Experience(dataset), seeds);
      for (int step = 0; step < 20; step++) {
        trainer.step();
      }
      InferenceSample sample = InferenceSample.draw(dataset, world, 200, 0, 1);
      for (long seed : seeds) {
        new ZeroShotAgent("psm", trainer.model(seed), world, sample)
            .save(run.resolve("seed-" + seed), Json.object());
      }
    }
    Json.write(run.resolve("run.json"), Json.object());
  }
}
