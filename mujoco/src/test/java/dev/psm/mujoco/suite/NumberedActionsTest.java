package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.env.Space;
import org.junit.jupiter.api.Test;

class NumberedActionsTest {
  @Test
  void aNumberMovesTheArmAsItsVectorDoes() {
    try (NumberedActions numbered =
            new NumberedActions(PhysicsEnvironment.open("fetchreach_discrete", "reach"));
        PhysicsEnvironment vectors = PhysicsEnvironment.open("fetchreach", "reach")) {
      assertEquals(new Space.Discrete(6), numbered.actionSpace());
      assertArrayEquals(vectors.reset(3).observation(), numbered.reset(3).observation());
      float[][] directions = {
        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {-1, 0, 0, 0}, {0, -1, 0, 0}
      };
      for (int action = 0; action < directions.length; action++) {
        assertArrayEquals(
            vectors.step(directions[action]).observation(), numbered.step(action).observation());
      }
    }
  }

  @Test
  void otherNumbersAndOtherEnvironmentsAreRefused() {
    try (NumberedActions numbered =
        new NumberedActions(PhysicsEnvironment.open("fetchreach_discrete", "reach"))) {
      numbered.reset(0);
      assertThrows(IllegalArgumentException.class, () -> numbered.step(6));
      assertThrows(IllegalArgumentException.class, () -> numbered.step(-1));
    }
    try (PhysicsEnvironment walker = PhysicsEnvironment.open("walker", "walk")) {
      assertThrows(IllegalArgumentException.class, () -> new NumberedActions(walker));
    }
  }
}
