package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NStepReplayTest {
  private static final double DISCOUNT = 0.9;

  /** Observations (100 · episode + t, −that), actions 1000 · episode + t. */
  private static void append(NStepReplay replay, int episode, int length) {
    float[] discounts = new float[length];
    Arrays.fill(discounts, 1);
    append(replay, episode, discounts);
  }

  private static void append(NStepReplay replay, int episode, float... discounts) {
    int length = discounts.length;
    float[] observations = new float[2 * (length + 1)];
    float[] actions = new float[length];
    for (int t = 0; t <= length; t++) {
      observations[2 * t] = 100 * episode + t;
      observations[2 * t + 1] = -observations[2 * t];
      if (t < length) {
        actions[t] = 1000 * episode + t;
      }
    }
    replay.append(observations, actions, discounts);
  }

  private static NStepReplay replay(int capacity, int nStep) {
    return new NStepReplay(2, 1, capacity, nStep, DISCOUNT);
  }

  @Test
  void samplesKeepTheirEpisodeAndLieNStepsApart() {
    NStepReplay replay = replay(100, 3);
    append(replay, 1, 5);
    append(replay, 2, 3);
    append(replay, 3, 9);
    Map<Integer, Integer> starts = new HashMap<>();
    NStepReplay.Batch batch = replay.sample(6000, new Random(1));
    assertEquals(6000, batch.size());
    for (int row = 0; row < batch.size(); row++) {
      int start = (int) batch.observations()[2 * row];
      int episode = start / 100;
      int t = start % 100;
      assertEquals(-start, batch.observations()[2 * row + 1], 0);
      assertEquals(1000 * episode + t, batch.actions()[row], 0);
      assertEquals(start + 3, batch.nextObservations()[2 * row], 0);
      assertEquals(-start - 3, batch.nextObservations()[2 * row + 1], 0);
      assertEquals(Math.pow(DISCOUNT, 3), batch.discounts()[row], 1e-7);
      starts.merge(start, 1, Integer::sum);
    }
    int[] lengths = {0, 5, 3, 9};
    int possible = 0;
    for (int episode = 1; episode <= 3; episode++) {
      for (int t = 0; t + 3 <= lengths[episode]; t++) {
        possible++;
        // A uniform episode, then a uniform start in it.
        double expected = 6000.0 / 3 / (lengths[episode] - 2);
        int found = starts.getOrDefault(100 * episode + t, 0);
        assertEquals(expected, found, 5 * Math.sqrt(expected), episode + ", " + t);
      }
    }
    assertEquals(possible, starts.size(), "no start from which 3 steps do not fit");
  }

  @Test
  void discountsMultiplyTheEnvironmentsOwn() {
    NStepReplay replay = replay(100, 2);
    append(replay, 0, 1, 0.5f, 0.25f, 0);
    double[] expected = {0.81 * 0.5, 0.81 * 0.125, 0};
    NStepReplay.Batch batch = replay.sample(50, new Random(1));
    for (int row = 0; row < 50; row++) {
      int t = (int) batch.observations()[2 * row];
      assertEquals(expected[t], batch.discounts()[row], 1e-7);
    }
  }

  @Test
  void rewardsAreTheDiscountedSumOverNSteps() {
    float[] rewards = {3, -1, 0.5f, 2, 7, -4};
    float[] discounts = {1, 1, 0.5f, 1, 0, 1};
    NStepReplay replay = replay(100, 3);
    replay.append(
        new float[] {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}, new float[6], discounts, rewards);
    NStepReplay.Batch batch = replay.sample(100, new Random(1));
    boolean[] seen = new boolean[4];
    for (int row = 0; row < 100; row++) {
      int t = (int) batch.observations()[2 * row];
      double second = DISCOUNT * discounts[t];
      double third = second * DISCOUNT * discounts[t + 1];
      double expected = rewards[t] + second * rewards[t + 1] + third * rewards[t + 2];
      assertEquals(expected, batch.rewards()[row], 1e-6, "from step " + t);
      assertEquals(third * DISCOUNT * discounts[t + 2], batch.discounts()[row], 1e-7);
      seen[t] = true;
    }
    assertArrayEquals(new boolean[] {true, true, true, true}, seen);
  }

  @Test
  void withoutRewardsTheyAreZero() {
    NStepReplay replay = replay(100, 2);
    append(replay, 1, 5);
    assertArrayEquals(new float[20], replay.sample(20, new Random(1)).rewards());
  }

  @Test
  void oneStepReachesEveryTransition() {
    NStepReplay replay = replay(100, 1);
    append(replay, 0, 4);
    NStepReplay.Batch batch = replay.sample(200, new Random(1));
    boolean[] seen = new boolean[4];
    for (int row = 0; row < 200; row++) {
      int t = (int) batch.observations()[2 * row];
      seen[t] = true;
      assertEquals(t + 1, batch.nextObservations()[2 * row], 0);
    }
    assertArrayEquals(new boolean[] {true, true, true, true}, seen);
  }

  @Test
  void theOldestEpisodesLeaveWhole() {
    NStepReplay replay = replay(20, 3);
    append(replay, 1, 8);
    append(replay, 2, 8);
    assertEquals(16, replay.size());
    append(replay, 3, 12);
    assertEquals(20, replay.size());
    NStepReplay.Batch batch = replay.sample(500, new Random(1));
    for (int row = 0; row < 500; row++) {
      assertTrue(batch.observations()[2 * row] >= 200);
    }
    append(replay, 4, 20);
    assertEquals(20, replay.size());
    assertTrue(replay.sample(1, new Random(1)).observations()[0] >= 400);
  }

  @Test
  void theGeneratorDecidesTheSample() {
    NStepReplay replay = replay(100, 3);
    append(replay, 1, 50);
    float[] first = replay.sample(20, new Random(1)).observations();
    assertArrayEquals(first, replay.sample(20, new Random(1)).observations());
    assertFalse(Arrays.equals(first, replay.sample(20, new Random(2)).observations()));
  }

  @Test
  void oneArrayHoldsTheSameSample() {
    NStepReplay replay = replay(100, 3);
    append(replay, 1, 1, 0.5f, 1, 0.25f, 1, 1);
    append(replay, 2, 40);
    NStepReplay.Batch batch = replay.sample(20, new Random(1));
    float[] numbers = new float[20 * 6 + 1];
    replay.sample(20, new Random(1), numbers);
    assertArrayEquals(batch.observations(), Arrays.copyOfRange(numbers, 0, 40));
    assertArrayEquals(batch.actions(), Arrays.copyOfRange(numbers, 40, 60));
    assertArrayEquals(batch.nextObservations(), Arrays.copyOfRange(numbers, 60, 100));
    assertArrayEquals(batch.discounts(), Arrays.copyOfRange(numbers, 100, 120));
    assertEquals(0, numbers[120], "what lies behind is left alone");
  }

  @Test
  void whatCannotBeSampledIsRefused() {
    NStepReplay replay = replay(10, 3);
    assertThrows(IllegalStateException.class, () -> replay.sample(1, new Random(1)));
    assertThrows(UserError.class, () -> append(replay, 0, 2));
    assertThrows(UserError.class, () -> append(replay, 0, 11));
    assertThrows(
        IllegalArgumentException.class,
        () -> replay.append(new float[8], new float[4], new float[4]));
    assertThrows(
        IllegalArgumentException.class,
        () -> replay.append(new float[10], new float[3], new float[4]));
    assertThrows(
        IllegalArgumentException.class,
        () -> replay.append(new float[10], new float[4], new float[4], new float[3]));
    append(replay, 0, 3);
    append(replay, 0, 10);
    assertEquals(10, replay.size());
  }

  @Test
  void laterChangesToTheCallersArraysAreNotSeen() {
    NStepReplay replay = replay(10, 1);
    float[] observations = {1, 1, 2, 2};
    float[] actions = {3};
    float[] discounts = {1};
    replay.append(observations, actions, discounts);
    Arrays.fill(observations, 9);
    actions[0] = 9;
    discounts[0] = 9;
    NStepReplay.Batch batch = replay.sample(1, new Random(1));
    assertArrayEquals(new float[] {1, 1}, batch.observations());
    assertArrayEquals(new float[] {3}, batch.actions());
    assertArrayEquals(new float[] {0.9f}, batch.discounts());
  }
}
