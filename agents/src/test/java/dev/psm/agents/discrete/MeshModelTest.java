package dev.psm.agents.discrete;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.LibtorchExtension;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.Steps;
import dev.psm.agents.training.Experience;
import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LibtorchExtension.class)
class MeshModelTest {
  private static final Steps LINE = LineWorld.LINE;
  @TempDir static Path folder;
  private static MeshModel model;

  /** A model that has learned the line, with room for four supports in a task. */
  @BeforeAll
  static void learn() {
    Experience data = LINE.collectNumbered(folder.resolve("data"), 400, 10, 1);
    MeshPsm trainer =
        new MeshPsm(
            Settings.override(
                MeshPsmSettings.presets(LINE.numbered()).get("small"),
                List.of(
                    "gradientSteps=1200",
                    "meshRows=128",
                    "meshColumns=32",
                    "width=32",
                    "learningRate=3e-3",
                    "targetRate=0.1",
                    "basisDimension=8",
                    "discount=0.8",
                    "enrichedCodes=16",
                    "enrichmentStart=0.1",
                    "enrichedShare=0.5",
                    "supports=4")),
            LINE.numbered(),
            data,
            List.of(1L));
    for (int i = 0; i < 1200; i++) {
      trainer.step();
    }
    model = trainer.model(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"GPI", "BEST", "DUAL"})
  void everyMethodGoesToTheEnds(SolveMethod method) {
    MeshModel view = model.solvingBy(method);
    for (int goal : new int[] {0, 4}) {
      float[] task = view.goalVectors(new float[0], view.goalFeatures(LINE.observation(goal)));
      for (int state = 0; state < 5; state++) {
        assertEquals(
            goal == 0 ? 0 : 1,
            view.act(LINE.observation(state), task)[0],
            method + " from " + state + " to " + goal);
      }
    }
  }

  @Test
  void thereIsNoLinearProgramme() {
    UserError refusal = assertThrows(UserError.class, () -> model.solvingBy(SolveMethod.LP));
    assertTrue(refusal.getMessage().contains("gpi, best or dual"), refusal.getMessage());
  }

  /** A reward that is 1 in one state of the sample is the goal of that state, up to its weight. */
  @Test
  void aRewardInOnePlaceIsAGoal() {
    float[] sample = model.features(LINE.observations());
    float[] reward = model.taskVector(sample, new double[] {0, 0, 0, 1, 0});
    float[] goal = model.goalVectors(sample, model.goalFeatures(LINE.observation(3)));
    for (int state = 0; state < 5; state++) {
      assertEquals(
          model.act(LINE.observation(state), goal)[0],
          model.act(LINE.observation(state), reward)[0]);
    }
  }

  /** Where more states pay than fit, the weights still sum to what all of them pay. */
  @Test
  void supportsKeepWhatARewardPays() {
    Random random = new Random(3);
    int states = 1000;
    float[] sample = new float[states * model.featureDimension()];
    double[] rewards = new double[states];
    for (int i = 0; i < states; i++) {
      sample[i * model.featureDimension()] = i;
      // Canonical already: the offset is 0, the largest 1.
      rewards[i] = i < 501 ? 0 : i == 999 ? 1 : random.nextDouble();
    }
    float[] task = model.taskVector(sample, rewards);
    int size = model.featureDimension() + 1;
    int first = task.length - 4 * size;
    double sum = 0;
    double paid = 0;
    for (int i = 0; i < 4; i++) {
      assertTrue(task[first + i * size] > 0, "support " + i);
      assertTrue(task[first + i * size + 1] > 500, "a state that pays");
      sum += task[first + i * size];
    }
    for (double reward : rewards) {
      paid += reward / states;
    }
    assertEquals(paid, sum, 1e-6);
  }

  /** Signs stay, and what pays most has the weight of all that it pays. */
  @Test
  void supportsKeepSignsAndSizes() {
    int states = 100;
    float[] sample = new float[states * model.featureDimension()];
    double[] rewards = new double[states];
    for (int i = 0; i < states; i++) {
      sample[i * model.featureDimension()] = i;
    }
    for (int i = 0; i < 10; i++) {
      rewards[i] = -0.1;
      rewards[60 + i] = i == 5 ? 1 : 0;
    }
    float[] task = model.taskVector(sample, rewards);
    int size = model.featureDimension() + 1;
    int first = task.length - 4 * size;
    double negative = 0;
    double positive = 0;
    for (int i = 0; i < 4; i++) {
      float weight = task[first + i * size];
      if (weight < 0) {
        negative += weight;
        assertTrue(task[first + i * size + 1] < 10);
      } else if (weight > 0) {
        positive += weight;
        assertEquals(65, task[first + i * size + 1]);
      }
    }
    assertEquals(-0.01, negative, 1e-6);
    assertEquals(0.01, positive, 1e-6);
  }

  /** The constant of a reward and its scale change nothing. */
  @Test
  void tasksAreThoseOfTheCanonicalReward() {
    float[] sample = model.features(LINE.observations());
    assertArrayEquals(
        model.taskVector(sample, new double[] {0, 1, 0, 3, 0}),
        model.taskVector(sample, new double[] {-7, 93, -7, 293, -7}),
        1e-6f);
  }

  @Test
  void manyTasksAtOnceAreEachAlone() {
    MeshModel dual = model.solvingBy(SolveMethod.DUAL);
    float[] goals = dual.goalFeatures(LINE.observations());
    float[] together = dual.goalVectors(new float[0], goals);
    for (int goal = 0; goal < 5; goal++) {
      float[] alone = dual.goalVectors(new float[0], dual.goalFeatures(LINE.observation(goal)));
      for (int i = 0; i < alone.length; i++) {
        assertEquals(alone[i], together[goal * alone.length + i], 2e-2, "goal " + goal);
      }
    }
    float[] actions = dual.act(LINE.observations(), together);
    for (int row = 0; row < 5; row++) {
      float[] task = new float[dual.taskSize()];
      System.arraycopy(together, row * task.length, task, 0, task.length);
      assertEquals(dual.act(LINE.observation(row), task)[0], actions[row]);
    }
  }
}
