package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.Worlds;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collecting.Policy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process with a known spread and a known memory, from the first action on. */
final class WanderingExplorerTest {
  private static final float[] UNSEEN = {};

  @ParameterizedTest
  @CsvSource({"1, 0", "10, 0", "10, 0.05"})
  void actionsSpreadAndLastAsLongAsAsked(double memory, double noise) {
    // So small that nothing is clipped.
    WanderSettings settings = new WanderSettings(memory, 0.1, noise);
    int count = 50_000;
    WanderingExplorer explorer = new WanderingExplorer(MAZE, settings, 1);
    float[] first = explorer.act(UNSEEN, count);
    float[] next = explorer.act(UNSEEN, count);
    double variance = 0;
    double nextVariance = 0;
    double covariance = 0;
    for (int i = 0; i < first.length; i++) {
      variance += first[i] * first[i];
      nextVariance += next[i] * next[i];
      covariance += first[i] * next[i];
    }
    // Of 100,000 numbers; a variance of theirs is known to 0.45 %.
    double both = 0.01 + noise * noise;
    assertEquals(both, variance / first.length, 0.02 * both);
    assertEquals(both, nextVariance / first.length, 0.02 * both);
    assertEquals(0.01 * Math.exp(-1 / memory), covariance / first.length, 0.02 * both);
  }

  @Test
  void actionsAreClipped() {
    float[] actions = new WanderingExplorer(MAZE, new WanderSettings(5, 3, 0), 1).act(UNSEEN, 1000);
    int clipped = 0;
    for (float action : actions) {
      assertTrue(action >= -1 && action <= 1, "found " + action);
      clipped += Math.abs(action) == 1 ? 1 : 0;
    }
    // 2 Φ(−1/3) = 0.739 of them.
    assertEquals(0.739, clipped / 2000.0, 0.05);
  }

  @Test
  void episodesBeginAnewAndGoOnFromACount() {
    WanderSettings settings = new WanderSettings(1e6, 0.1, 0);
    WanderingExplorer one = new WanderingExplorer(MAZE, settings, 1);
    int count = 2000;
    float[] last = {};
    for (int i = 0; i < MAZE.episodeSteps(); i++) {
      last = one.act(UNSEEN, count);
    }
    WanderingExplorer other = new WanderingExplorer(MAZE, settings, 1);
    other.restore(one.state(), "state");
    float[] next = one.act(UNSEEN, count);
    assertArrayEquals(next, other.act(UNSEEN, count));
    // With so long a memory all actions of an episode are alike, and none of the next.
    double product = 0;
    for (int i = 0; i < next.length; i++) {
      product += last[i] * next[i] / 0.01 / next.length;
    }
    assertEquals(0, product, 0.08);
    assertArrayEquals(next, one.act(UNSEEN, count), 0.002f);
  }

  @Test
  void numberedActionsAndSettingsOutOfRangeAreRefused() {
    Collecting.refused(
        () ->
            Policy.WANDER.collect(
                Worlds.named("fetchreach_discrete"),
                new Collection.Plan(1, 1, 1, 1),
                Path.of("nowhere"),
                Progress.SILENT),
        "wander",
        "numbered");
    Collecting.refused(() -> new WanderSettings(0, 1, 0), "memory", "positive");
    Collecting.refused(() -> new WanderSettings(1, Double.NaN, 0), "scale", "NaN");
    Collecting.refused(() -> new WanderSettings(1, 1, -1), "noise", "-1");
  }
}
