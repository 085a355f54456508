package dev.psm.agents.finite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class BatchTest {

  @Test
  void everyRowIsATransitionOfTheDataAndThePermutationIsOne() {
    TransitionTable data = SmallWorlds.room(0.9);
    Batch batch = Batch.sample(data, 200, new Random(1));
    long[] states = Tensors.toLongs(batch.states());
    long[] actions = Tensors.toLongs(batch.actions());
    long[] next = Tensors.toLongs(batch.nextStates());
    for (int i = 0; i < states.length; i++) {
      assertEquals(
          SmallWorlds.ROOM.nextState(Math.toIntExact(states[i]), Math.toIntExact(actions[i])),
          next[i]);
    }
    long[] order = Tensors.toLongs(batch.permutation());
    Arrays.sort(order);
    for (int i = 0; i < order.length; i++) {
      assertEquals(i, order[i]);
    }
    assertEquals(16, Arrays.stream(states).distinct().count());
    assertEquals(5, Arrays.stream(actions).distinct().count());
  }

  @Test
  void taskVectorsAreOnTheSphereAndComeFromGoalsInTheGivenShare() {
    Tensor goals = Tensors.gaussian(new Random(1), 1000, 4).mul(Tensors.scalar(7));
    float[] onSphere = Tensors.toFloats(Tensors.onSphere(goals));
    for (double share : new double[] {0, 0.5, 1}) {
      Tensor z = Batch.taskVectors(goals, share, new Random(2));
      float[] norms = Tensors.toFloats(Tensors.norms(z));
      float[] expected = new float[norms.length];
      Arrays.fill(expected, 2);
      assertArrayEquals(expected, norms, 1e-5f);
      float[] values = Tensors.toFloats(z);
      int fromGoal = 0;
      for (int row = 0; row < 1000; row++) {
        fromGoal += values[row * 4] == onSphere[row * 4] ? 1 : 0;
      }
      assertTrue(
          Math.abs(fromGoal - 1000 * share) < (share == 0.5 ? 80 : 1), share + ": " + fromGoal);
    }
  }
}
