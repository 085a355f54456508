package dev.psm.lab.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.lab.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriftTest {
  private static final World CHEETAH = Worlds.named("cheetah");

  @TempDir static Path shared;
  @TempDir Path root;

  @BeforeAll
  static void collect() {
    Collection.atRandom(
        CHEETAH, new Collection.Plan(1000, 1, 1, 0), shared.resolve("data"), Progress.SILENT);
  }

  /** How the collected episode replays after a change. */
  private Drift of(UnaryOperator<Episode> change) {
    Path changed = root.resolve("changed");
    try (Dataset dataset = Dataset.open(shared.resolve("data"));
        DatasetWriter writer = DatasetWriter.create(changed, dataset.description())) {
      writer.append(change.apply(dataset.episode(0)));
      writer.flush();
    }
    try (Dataset dataset = Dataset.open(changed)) {
      return Drift.of(dataset, CHEETAH, 300, 0);
    }
  }

  private static Episode with(Episode episode, float[] actions, double[] physics) {
    return new Episode(episode.observations(), actions, episode.discounts(), physics, Map.of());
  }

  /** The actions of a row from another one, numbers scaled; an episode's first stays zero. */
  private static UnaryOperator<Episode> actions(int shift, float scale) {
    return episode -> {
      float[] actions = new float[episode.actions().length];
      for (int i = CHEETAH.actionSize(); i < actions.length; i++) {
        int from = Math.max(0, i - shift * CHEETAH.actionSize());
        actions[i] = scale * episode.actions()[from];
      }
      return with(episode, actions, episode.physics());
    };
  }

  @Test
  void ownDataIsKnownToRounding() {
    Drift drift = of(UnaryOperator.identity());
    assertEquals(Drift.Origin.THIS_ENGINE, drift.origin(), drift.toString());
    assertTrue(drift.effect() > 1, drift.toString());
    assertEquals(0, drift.lost());
  }

  /** As if another version of the engine had made it: close, but not the same. */
  @Test
  void smallDifferencesAreAnotherEngines() {
    Drift drift =
        of(
            episode -> {
              double[] physics = new double[episode.physics().length];
              for (int i = 0; i < physics.length; i++) {
                physics[i] = (float) episode.physics()[i];
              }
              return with(episode, episode.actions(), physics);
            });
    assertEquals(Drift.Origin.SIMILAR_ENGINE, drift.origin(), drift.toString());
  }

  @Test
  void actionsOfAnotherRowUnitOrSignAreForeign() {
    for (UnaryOperator<Episode> change : List.of(actions(1, 1), actions(0, 0.5f), actions(0, -1))) {
      Drift drift = of(change);
      assertEquals(Drift.Origin.FOREIGN, drift.origin(), drift.toString());
      root = root.resolve("next");
    }
  }

  @Test
  void statesInAnotherUnitAreForeign() {
    Drift drift =
        of(
            episode -> {
              double[] physics = episode.physics().clone();
              for (int i = 0; i < physics.length; i++) {
                physics[i] = Math.toDegrees(physics[i]);
              }
              return with(episode, episode.actions(), physics);
            });
    assertEquals(Drift.Origin.FOREIGN, drift.origin(), drift.toString());
  }
}
