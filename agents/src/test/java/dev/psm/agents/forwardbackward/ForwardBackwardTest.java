package dev.psm.agents.forwardbackward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.BaselineSettings;
import dev.psm.agents.BaselineTraining;
import dev.psm.agents.SmallWorlds;
import dev.psm.core.data.TransitionTable;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class ForwardBackwardTest {
  private static final TransitionTable ROOM = SmallWorlds.room(0.9);

  private static BaselineSettings quick(String... more) {
    return BaselineTraining.quick(ForwardBackwardModel.presets().get("tabular"), more);
  }

  @Test
  void fewHundredStepsTeachARoom() {
    ForwardBackward trainer =
        new ForwardBackward(quick("gradientSteps=400", "targetRate=0.05"), ROOM, 1);
    double before = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    BaselineTraining.train(trainer);
    double after = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    assertTrue(before > 35 && after < 10, "from " + before + " % to " + after + " %");
  }

  @Test
  void taskVectorsAreTheClosedFormOnTheSphere() {
    int d = 6;
    ForwardBackwardModel model = new ForwardBackwardModel(quick("featureDimension=" + d), ROOM, 3);
    int[] states = new int[16];
    for (int state = 0; state < 16; state++) {
      states[state] = state;
    }
    float[] b =
        Tensors.toFloats(model.features(model.featureParameters(), Tensors.longs(states, 16)));
    double[] rho = ROOM.nextStateDistribution();
    double[][] rewards = {new Random(1).doubles(16, -1, 1).toArray(), SmallWorlds.roomGoals()[5]};
    Tensor z = model.taskVectors(Tensors.matrix(rewards), Tensors.floats(rho, 16));
    float[] found = Tensors.toFloats(z);
    for (int prompt = 0; prompt < 2; prompt++) {
      double[] expected = new double[d];
      double norm = 0;
      for (int k = 0; k < d; k++) {
        for (int state = 0; state < 16; state++) {
          expected[k] += rewards[prompt][state] * rho[state] * b[state * d + k];
        }
        norm += expected[k] * expected[k];
      }
      double length = 0;
      for (int k = 0; k < d; k++) {
        assertEquals(Math.sqrt(d) * expected[k] / Math.sqrt(norm), found[prompt * d + k], 1e-4);
        length += found[prompt * d + k] * found[prompt * d + k];
      }
      assertEquals(Math.sqrt(d), Math.sqrt(length), 1e-5);
    }
  }

  @Test
  void targetsMoveOnlyByAveraging() {
    ForwardBackward trainer = new ForwardBackward(quick("targetRate=0.1"), ROOM, 1);
    for (int step = 0; step < 3; step++) {
      Parameters forward = trainer.targetForward.targetCopy();
      Parameters backward = trainer.targetBackward.targetCopy();
      trainer.step();
      assertNull(
          SmallWorlds.notAveraged(
              forward, trainer.model().forwardParameters(), trainer.targetForward, 0.1));
      assertNull(
          SmallWorlds.notAveraged(
              backward, trainer.model().featureParameters(), trainer.targetBackward, 0.1));
    }
    trainer.targetForward.asMap().values().forEach(t -> assertFalse(t.requires_grad()));
    trainer.targetBackward.asMap().values().forEach(t -> assertFalse(t.requires_grad()));
  }

  @Test
  void theSeedDecidesEveryBit() {
    BaselineTraining.assertSeedDecidesEveryBit(seed -> new ForwardBackward(quick(), ROOM, seed));
  }

  @Test
  void savedTensorsMakeAFreshModelAnswerAlike() {
    BaselineTraining.assertSavedAndLoaded(seed -> new ForwardBackward(quick(), ROOM, seed));
  }
}
