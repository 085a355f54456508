package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VectorEnvironmentTest {
  private static final int COUNT = 7;

  private final List<Walk> opened = Collections.synchronizedList(new ArrayList<>());

  private VectorEnvironment<Walk> open(int threads) {
    return new VectorEnvironment<>(
        Walk.WORLD,
        COUNT,
        threads,
        i -> {
          Walk walk = new Walk(i);
          opened.add(walk);
          return walk;
        },
        i -> readings -> (i + 1) * readings.get(Walk.HALF));
  }

  private static float[] actions(RandomGenerator random) {
    float[] actions = new float[2 * COUNT];
    for (int i = 0; i < actions.length; i++) {
      actions[i] = random.nextFloat();
    }
    return actions;
  }

  @Test
  void anyNumberOfThreadsGivesWhatSeparateEnvironmentsSteppedByHandGive() {
    for (int threads : new int[] {1, 2, 3, 7, 20}) {
      try (VectorEnvironment<Walk> together = open(threads)) {
        assertEquals(Math.min(threads, COUNT), together.threads());
        List<Walk> byHand = new ArrayList<>();
        List<RandomGenerator> chances = new ArrayList<>();
        float[] starts = together.reset(42);
        for (int i = 0; i < COUNT; i++) {
          Walk walk = new Walk(i);
          byHand.add(walk);
          chances.add(Seeds.generator(Seeds.mix(42, i, "environment")));
          float[] start = walk.reset(chances.get(i));
          assertArrayEquals(start, Arrays.copyOfRange(starts, 3 * i, 3 * i + 3));
        }
        RandomGenerator random = Seeds.generator(1);
        int ends = 0;
        for (int step = 0; step < 200; step++) {
          float[] actions = actions(random);
          VectorEnvironment.Batch batch = together.step(actions);
          for (int i = 0; i < COUNT; i++) {
            Walk walk = byHand.get(i);
            Environment.Step alone = walk.step(Arrays.copyOfRange(actions, 2 * i, 2 * i + 2));
            assertArrayEquals(
                alone.observation(), Arrays.copyOfRange(batch.outcomes(), 3 * i, 3 * i + 3));
            assertEquals((i + 1) * walk.get(Walk.HALF), batch.rewards()[i]);
            assertEquals(alone.terminated(), batch.terminated()[i]);
            assertEquals(alone.truncated(), batch.truncated()[i]);
            assertEquals(alone.ended(), batch.ended(i));
            assertEquals(alone.diverged(), batch.diverged()[i]);
            float[] next = alone.ended() ? walk.reset(chances.get(i)) : alone.observation();
            assertArrayEquals(next, Arrays.copyOfRange(batch.observations(), 3 * i, 3 * i + 3));
            ends += alone.ended() ? 1 : 0;
          }
        }
        assertTrue(ends > 100, "episodes did end");
      }
    }
  }

  @Test
  void aBatchIsTheCallersToKeep() {
    try (VectorEnvironment<Walk> together = open(2)) {
      together.reset(0);
      VectorEnvironment.Batch first = together.step(new float[2 * COUNT]);
      float[] copy = first.observations().clone();
      together.step(new float[2 * COUNT]);
      assertArrayEquals(copy, first.observations());
    }
  }

  @Test
  void everyEnvironmentLivesAndDiesOnOneNamedDaemonThread() throws InterruptedException {
    Set<Thread> threads = new HashSet<>();
    try (VectorEnvironment<Walk> together = open(3)) {
      together.reset(0);
      together.step(new float[2 * COUNT]);
      assertEquals(
          opened.stream().map(walk -> walk.thread).distinct().count(),
          3,
          "as many threads as asked for");
      for (Walk walk : opened) {
        assertTrue(walk.thread.isDaemon());
        assertTrue(walk.thread.getName().startsWith("environments-"));
        threads.add(walk.thread);
      }
      assertEquals(
          together.ask(walk -> walk.thread),
          together.ask(walk -> Thread.currentThread()),
          "questions are asked there too");
    }
    opened.forEach(walk -> assertTrue(walk.closed));
    threads.forEach(thread -> assertFalse(thread.isAlive()));
  }

  @Test
  void closedOnesSaySoAndClosingTwiceIsHarmless() {
    VectorEnvironment<Walk> together = open(2);
    together.reset(0);
    together.close();
    together.close();
    assertThrows(IllegalStateException.class, () -> together.step(new float[2 * COUNT]));
    assertThrows(IllegalStateException.class, () -> together.reset(0));
    assertThrows(IllegalStateException.class, () -> together.ask(walk -> 1));
  }

  @Test
  void theErrorOfTheLowestIndexComesAsItIsAndTheOthersHadTheirTurn() {
    for (int threads : new int[] {1, 2, 7}) {
      try (VectorEnvironment<Walk> together = open(threads)) {
        together.reset(0);
        float[] actions = new float[2 * COUNT];
        actions[2 * 5] = Walk.POISON;
        actions[2 * 3] = Walk.POISON;
        ArithmeticException failed =
            assertThrows(ArithmeticException.class, () -> together.step(actions));
        assertEquals("walk 3", failed.getMessage());
        IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> together.step(new float[2 * COUNT]));
        assertTrue(refused.getMessage().contains("reset"));
        together.reset(0);
        together.step(new float[2 * COUNT]);
      }
    }
  }

  @Test
  void aFailureToOpenClosesWhatIsOpenAndEndsTheThreads() {
    ArithmeticException thrown = new ArithmeticException("no");
    ArithmeticException caught =
        assertThrows(
            ArithmeticException.class,
            () ->
                new VectorEnvironment<Walk>(
                    Walk.WORLD,
                    COUNT,
                    2,
                    i -> {
                      if (i == 4) {
                        throw thrown;
                      }
                      Walk walk = new Walk(i);
                      opened.add(walk);
                      return walk;
                    }));
    assertSame(thrown, caught);
    assertEquals(COUNT - 1, opened.size());
    opened.forEach(
        walk -> {
          assertTrue(walk.closed);
          assertFalse(walk.thread.isAlive());
        });
  }

  @Test
  void misuseIsRefusedBeforeAnyoneMoves() {
    try (VectorEnvironment<Walk> together = open(2)) {
      assertThrows(IllegalStateException.class, () -> together.step(new float[2 * COUNT]));
      together.reset(7);
      IllegalArgumentException wrong =
          assertThrows(IllegalArgumentException.class, () -> together.step(new float[3]));
      assertEquals("7 environments need 2 numbers each, found 3 in all", wrong.getMessage());
      float[] actions = new float[2 * COUNT];
      actions[9] = Float.NaN;
      IllegalArgumentException nan =
          assertThrows(IllegalArgumentException.class, () -> together.step(actions));
      assertEquals(
          "number 1 of the action for environment 4 must be finite, found NaN", nan.getMessage());
      VectorEnvironment.Batch after = together.step(new float[2 * COUNT]);
      together.reset(7);
      assertArrayEquals(
          together.step(new float[2 * COUNT]).outcomes(), after.outcomes(), "nobody had moved");
    }
    assertThrows(
        IllegalArgumentException.class, () -> new VectorEnvironment<>(Walk.WORLD, 0, 1, Walk::new));
    assertThrows(
        IllegalArgumentException.class, () -> new VectorEnvironment<>(Walk.WORLD, 1, 0, Walk::new));
  }

  @Test
  void anInterruptIsKeptAndLosesNoStep() {
    try (VectorEnvironment<Walk> together = open(2);
        VectorEnvironment<Walk> undisturbed = open(2)) {
      together.reset(3);
      undisturbed.reset(3);
      float[] actions = new float[2 * COUNT];
      for (int i = 0; i < 100; i++) {
        float[] expected = undisturbed.step(actions).observations();
        Thread.currentThread().interrupt();
        assertArrayEquals(expected, together.step(actions).observations());
        assertTrue(Thread.interrupted(), "the flag is still there");
      }
      Thread.currentThread().interrupt();
    }
    assertTrue(Thread.interrupted());
    opened.forEach(walk -> assertFalse(walk.thread.isAlive()));
  }

  @Test
  void callsFromSeveralThreadsTakeTurns() throws InterruptedException {
    try (VectorEnvironment<Walk> together = open(2)) {
      together.reset(0);
      List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
      Runnable stepping =
          () -> {
            for (int i = 0; i < 2000; i++) {
              together.step(new float[2 * COUNT]);
            }
          };
      List<Thread> callers = List.of(new Thread(stepping), new Thread(stepping));
      for (Thread caller : callers) {
        caller.setUncaughtExceptionHandler((thread, error) -> errors.add(error));
        caller.start();
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertEquals(List.of(), errors);
    }
  }
}
