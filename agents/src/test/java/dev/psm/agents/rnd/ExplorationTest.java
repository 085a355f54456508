package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.settings.Settings;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A point in a box that starts each episode in the middle and moves by its action. */
class ExplorationTest {
  private static final int EPISODE = 100;
  private static final int EPISODES = 60;
  private static final int POINTS = 4;
  private static final float STEP = 0.05f;
  private static final int GRID = 20;

  /** Cells of the box entered over all episodes. */
  private static int coverage(RndSettings settings, long seed) {
    RndExplorer explorer = new RndExplorer(settings, 2, 2, seed);
    NStepReplay replay = NStepReplay.of(settings, 2, 2);
    boolean[] visited = new boolean[GRID * GRID];
    float[] discounts = new float[EPISODE];
    Arrays.fill(discounts, 1);
    for (int round = 0; round < EPISODES / POINTS; round++) {
      float[][] observations = new float[POINTS][2 * (EPISODE + 1)];
      float[][] actions = new float[POINTS][2 * EPISODE];
      float[] now = new float[2 * POINTS];
      for (int t = 0; t < EPISODE; t++) {
        float[] chosen = explorer.act(now, POINTS);
        for (int point = 0; point < POINTS; point++) {
          for (int axis = 0; axis < 2; axis++) {
            int at = 2 * point + axis;
            actions[point][2 * t + axis] = chosen[at];
            now[at] = Math.max(-1, Math.min(1, now[at] + STEP * chosen[at]));
            observations[point][2 * (t + 1) + axis] = now[at];
          }
          visited[cell(now[2 * point]) * GRID + cell(now[2 * point + 1])] = true;
        }
        while (replay.size() > 0 && explorer.updatesDue() > 0) {
          explorer.update(replay);
        }
      }
      for (int point = 0; point < POINTS; point++) {
        replay.append(observations[point], actions[point], discounts);
      }
    }
    int cells = 0;
    for (boolean cell : visited) {
      cells += cell ? 1 : 0;
    }
    return cells;
  }

  private static int cell(float x) {
    return Math.min(GRID - 1, (int) ((x + 1) / 2 * GRID));
  }

  @Test
  void theExplorerEntersFarMoreCellsThanRandomActions() {
    RndSettings curious =
        Settings.override(
            RndSettings.presets().get("small"),
            List.of(
                "width=64",
                "representation=32",
                "batchSize=128",
                "stepsPerUpdate=4",
                "learningRate=0.001",
                "seedSteps=800"));
    RndSettings aimless = Settings.override(curious, List.of("seedSteps=1000000"));
    int random = coverage(aimless, 1);
    int found = coverage(curious, 1);
    System.err.println("COVERAGE random " + random + " rnd " + found);
    for (int s = 2; s < 6; s++)
      System.err.println("seed " + s + " " + coverage(aimless, s) + " " + coverage(curious, s));
    assertTrue(found > 1.5 * random, found + " cells, by random actions " + random);
  }
}
