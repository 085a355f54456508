package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.settings.Settings;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Points in a box that start in a corner and move by their actions, seen through 5 × 5 bumps.
 *
 * <p>Bumps and not coordinates, because a random ReLU network without biases is nearly linear along
 * rays: of two plain numbers it has little that is new in one place only.
 */
class ExplorationTest {
  private static final int EPISODE = 100;
  private static final int ROUNDS = 15;
  private static final int POINTS = 4;
  private static final int CELLS = 20;
  private static final int BUMPS = 5;
  private static final int OBSERVATION = BUMPS * BUMPS;

  private final RndSettings curious =
      Settings.override(
          RndSettings.presets().get("small"),
          List.of(
              "width=64",
              "representation=32",
              "batchSize=128",
              "stepsPerUpdate=4",
              "discount=0.95",
              "learningRate=0.001",
              "targetRate=0.05",
              "seedSteps=800"));
  private final RndSettings aimless = Settings.override(curious, List.of("seedSteps=1000000"));

  /** Cells entered over all episodes. */
  private static int coverage(RndSettings settings, long seed) {
    RndExplorer explorer = new RndExplorer(settings, OBSERVATION, Plain.vectors(2), seed);
    NStepReplay replay = NStepReplay.of(settings, OBSERVATION, 2);
    boolean[] entered = new boolean[CELLS * CELLS];
    float[] discounts = new float[EPISODE];
    Arrays.fill(discounts, 1);
    for (int round = 0; round < ROUNDS; round++) {
      float[][] observations = new float[POINTS][OBSERVATION * (EPISODE + 1)];
      float[][] actions = new float[POINTS][2 * EPISODE];
      float[] places = new float[2 * POINTS];
      Arrays.fill(places, -0.9f);
      for (int t = 0; t < EPISODE; t++) {
        float[] seen = new float[POINTS * OBSERVATION];
        for (int point = 0; point < POINTS; point++) {
          look(places, point, seen, point);
          look(places, point, observations[point], t);
        }
        float[] chosen = explorer.act(seen, POINTS);
        for (int i = 0; i < places.length; i++) {
          places[i] = Math.max(-1, Math.min(1, places[i] + 0.05f * chosen[i]));
          actions[i / 2][2 * t + i % 2] = chosen[i];
        }
        for (int point = 0; point < POINTS; point++) {
          entered[cell(places[2 * point]) * CELLS + cell(places[2 * point + 1])] = true;
        }
        while (replay.size() > 0 && explorer.updatesDue() > 0) {
          explorer.update(replay);
        }
      }
      for (int point = 0; point < POINTS; point++) {
        look(places, point, observations[point], EPISODE);
        replay.append(observations[point], actions[point], discounts);
      }
    }
    int count = 0;
    for (boolean cell : entered) {
      count += cell ? 1 : 0;
    }
    return count;
  }

  private static void look(float[] places, int point, float[] into, int row) {
    for (int column = 0; column < BUMPS; column++) {
      for (int line = 0; line < BUMPS; line++) {
        double dx = places[2 * point] - (0.5 * column - 1);
        double dy = places[2 * point + 1] - (0.5 * line - 1);
        int at = row * OBSERVATION + column * BUMPS + line;
        into[at] = (float) Math.exp(-8 * (dx * dx + dy * dy));
      }
    }
  }

  private static int cell(float x) {
    return Math.min(CELLS - 1, (int) ((x + 1) / 2 * CELLS));
  }

  @Test
  @Tag("slow")
  void theExplorerEntersFarMoreCellsThanRandomActions() {
    int found = 0;
    int random = 0;
    for (long seed = 1; seed <= 2; seed++) {
      found += coverage(curious, seed);
      random += coverage(aimless, seed);
    }
    assertTrue(found > 1.5 * random, found + " cells, by random actions " + random);
  }
}
