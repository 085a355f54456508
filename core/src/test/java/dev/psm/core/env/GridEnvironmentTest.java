package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.Seeds;
import dev.psm.core.reward.Reward;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GridEnvironmentTest {
  private static final float[] LEFT = {GridMap.LEFT};
  private static final float[] STAY = {GridMap.STAY};

  private final GridMap map = GridMap.named("gridworld");
  private final GridEnvironment grid = new GridEnvironment(map);

  @Test
  void theSameChanceGivesTheSameStart() {
    GridEnvironment other = new GridEnvironment(map);
    for (long seed = 0; seed < 20; seed++) {
      assertArrayEquals(
          grid.reset(Seeds.generator(seed)), other.reset(Seeds.generator(seed)), "seed " + seed);
      assertArrayEquals(grid.state(), other.state());
    }
  }

  @Test
  void startsCoverTheMap() {
    RandomGenerator random = Seeds.generator(1);
    Set<Double> starts = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      grid.reset(random);
      starts.add(grid.state()[0]);
    }
    assertEquals(50, starts.size());
  }

  @Test
  void aGoalPaysForEveryStepThatEndsOnItBumpsIncluded() {
    Reward corner = new GridWorld(map).taskOrFormula("row == 1 && col == 1").reward();
    grid.start(new double[] {map.stateAt(1, 2)});
    assertArrayEquals(map.observation(map.stateAt(1, 1)), grid.step(LEFT).observation());
    assertEquals(1, corner.of(grid));
    grid.step(STAY);
    assertEquals(1, corner.of(grid));
    grid.step(new float[] {GridMap.UP});
    assertEquals(1, corner.of(grid));
    grid.step(new float[] {GridMap.DOWN});
    assertEquals(0, corner.of(grid));
  }

  @Test
  void episodesAreTruncatedAfterTwoHundredStepsAndNeverTerminated() {
    grid.reset(Seeds.generator(0));
    for (int i = 1; i <= 200; i++) {
      Environment.Step step = grid.step(STAY);
      assertFalse(step.terminated());
      assertEquals(i == 200, step.truncated());
    }
    assertThrows(IllegalStateException.class, () -> grid.step(STAY));
  }

  @Test
  void misuseIsRefused() {
    assertThrows(IllegalStateException.class, () -> grid.step(STAY));
    grid.reset(Seeds.generator(0));
    assertThrows(IllegalArgumentException.class, () -> grid.step(new float[] {5}));
    assertThrows(IllegalArgumentException.class, () -> grid.step(new float[] {0, 0}));
    assertThrows(SimulationException.class, () -> grid.start(new double[] {50}));
    grid.recall(new double[] {3, 7}, 1);
    assertEquals(map.row(7), grid.get(GridQuantities.ROW));
    assertEquals(map.column(7), grid.get(GridQuantities.COLUMN));
    assertThrows(IllegalStateException.class, () -> grid.step(STAY), "recalled only to measure");
  }

  @Test
  void anEpisodeCanBeginWhereTheLastOneEnded() {
    grid.reset(Seeds.generator(0));
    Environment.Step last = grid.step(LEFT);
    while (!last.ended()) {
      last = grid.step(STAY);
    }
    assertArrayEquals(last.observation(), grid.startHere());
    assertArrayEquals(last.observation(), grid.step(STAY).observation());
  }
}
