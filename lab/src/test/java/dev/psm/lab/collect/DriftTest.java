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
    assertEquals(Drift.Origin.SAME_DYNAMICS, drift.origin(), drift.toString());
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
    assertEquals(Drift.Origin.SIMILAR_DYNAMICS, drift.origin(), drift.toString());
  }

  /** A verdict names both engines where they differ, whichever way it goes. */
  @Test
  void dataOfAnotherEngineIsToldByBothNames() {
    Drift same = new Drift(100, 1e-15, 1e-14, 1e-13, 7, 0, 2, 0);
    Drift similar = new Drift(100, 1e-4, 1e-3, 0.5, 7, 0, 2, 0.01);
    Drift foreign = new Drift(100, 2, 3, 4, 7, 0, 2, 0.9);
    String two = "MuJoCo 2.2.2";
    String three = "MuJoCo 3.14.0";
    String differ = "the engines differ, collected on MuJoCo 2.2.2, replayed on MuJoCo 3.14.0: ";
    assertEquals(differ + "no more than by rounding", same.verdict(two, three));
    assertEquals(
        differ + "it follows the stored actions, not to rounding", similar.verdict(two, three));
    assertEquals(
        differ + "too far to tell this from data of another environment",
        foreign.verdict(two, three));
    assertEquals("it is this engine's own data, to rounding", same.verdict(two, two));
    assertEquals(
        "it follows the stored actions, but not to rounding, though MuJoCo 2.2.2 made it: another"
            + " build or processor did, or it was changed",
        similar.verdict(two, two));
    assertEquals("it is not data of this environment", foreign.verdict(two, two));
    assertEquals(
        "it replays as data of MuJoCo 3.14.0 does, to rounding", same.verdict("unknown", three));
    assertEquals(
        "it follows the stored actions, as data of another engine version does",
        similar.verdict("unknown", three));
    assertEquals("it is not data of this environment", foreign.verdict("unknown", three));
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
