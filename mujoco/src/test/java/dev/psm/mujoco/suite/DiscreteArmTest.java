package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.env.Space;
import org.junit.jupiter.api.Test;

/** The arm whose actions are numbers. */
class DiscreteArmTest {
  @Test
  void aNumberMovesTheArmAsItsVectorDoes() {
    try (PhysicsEnvironment numbered = Robots.open("fetchreach_discrete");
        PhysicsEnvironment vectors = Robots.open("fetchreach")) {
      assertEquals(new Space.Discrete(6), numbered.domain().world().actionSpace());
      assertEquals(1, numbered.domain().world().actionSize());
      assertArrayEquals(Robots.reset(vectors, 3), Robots.reset(numbered, 3));
      float[][] directions = {
        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}
      };
      for (int action = 0; action < directions.length; action++) {
        assertArrayEquals(
            vectors.step(directions[action]).observation(),
            numbered.step(new float[] {action}).observation());
        assertArrayEquals(vectors.moment(), numbered.moment());
      }
    }
  }

  @Test
  void otherNumbersAndVectorsAreRefusedBeforeTheyMoveAnything() {
    try (PhysicsEnvironment numbered = Robots.open("fetchreach_discrete")) {
      Robots.reset(numbered, 0);
      double[] before = numbered.moment();
      for (float wrong : new float[] {6, -1, Float.MAX_VALUE}) {
        assertRefused(
            "actions are numbered from 0 to 5, found " + wrong, numbered, new float[] {wrong});
      }
      assertRefused(
          "fetchreach_discrete: number 0 of the action must be finite, found NaN",
          numbered,
          new float[] {Float.NaN});
      assertRefused(
          "fetchreach_discrete: an action has 1 numbers, found 4", numbered, new float[4]);
      assertArrayEquals(before, numbered.moment());
    }
  }

  private static void assertRefused(
      String message, PhysicsEnvironment environment, float[] action) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> environment.step(action));
    assertEquals(message, refused.getMessage());
  }
}
