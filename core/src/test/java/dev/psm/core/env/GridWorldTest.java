package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GridWorldTest {
  private final GridMap map = GridMap.named("gridworld");

  @Test
  void theSameSeedGivesTheSameEpisode() {
    GridWorld one = new GridWorld(map);
    GridWorld two = new GridWorld(map);
    for (long seed = 0; seed < 20; seed++) {
      assertArrayEquals(one.reset(seed).observation(), two.reset(seed).observation());
      assertEquals(one.goal(), two.goal());
    }
  }

  @Test
  void startsAndGoalsCoverTheMap() {
    GridWorld world = new GridWorld(map);
    world.reset(1);
    Set<Double> starts = new HashSet<>();
    Set<Integer> goals = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      world.reset();
      starts.add(world.state()[0]);
      goals.add(world.goal());
    }
    assertEquals(50, starts.size());
    assertEquals(50, goals.size());
  }

  @Test
  void rewardIsOneForEveryStepThatEndsOnTheGoalBumpsIncluded() {
    int corner = map.stateAt(1, 1);
    GridWorld world = new GridWorld(map, corner);
    world.reset(3);
    world.setState(new double[] {map.stateAt(1, 2), corner, 0});
    Environment.Step step = world.step(GridMap.LEFT);
    assertEquals(1, step.reward());
    assertEquals(1, step.info().get("row"));
    assertEquals(1, step.info().get("column"));
    assertEquals(corner, step.info().get("goal"));
    assertEquals(1, world.step(GridMap.STAY).reward());
    assertEquals(1, world.step(GridMap.UP).reward());
    assertEquals(0, world.step(GridMap.DOWN).reward());
  }

  @Test
  void episodesAreTruncatedAfterTwoHundredStepsAndNeverTerminated() {
    GridWorld world = new GridWorld(map, 0);
    world.reset(0);
    for (int i = 1; i <= 200; i++) {
      Environment.Step step = world.step(GridMap.STAY);
      assertFalse(step.terminated());
      assertEquals(i == 200, step.truncated());
      assertTrue(world.observationSpace().contains(step.observation()));
    }
    assertThrows(IllegalStateException.class, () -> world.step(GridMap.STAY));
  }

  @Test
  void misuseIsRefused() {
    GridWorld world = new GridWorld(map);
    assertThrows(IllegalStateException.class, () -> world.step(GridMap.STAY));
    world.reset(0);
    assertThrows(IllegalArgumentException.class, () -> world.step(5));
    assertThrows(IllegalArgumentException.class, () -> world.setState(new double[] {50, 0, 0}));
    assertThrows(IllegalArgumentException.class, () -> new GridWorld(map, 50));
  }
}
