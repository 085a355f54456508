package dev.psm.agents.finite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Claims that hold for both baselines. */
public final class BaselineTraining {
  private BaselineTraining() {}

  /** Small networks that learn the room within seconds. */
  static BaselineSettings quick(BaselineSettings preset, String... more) {
    BaselineSettings small =
        Settings.override(
            preset,
            List.of(
                "discount=0.9",
                "featureDimension=16",
                "forwardWidth=64",
                "featureWidth=64",
                "batchSize=128",
                "learningRate=0.002",
                "featureLearningRate=0.002"));
    return Settings.override(small, List.of(more));
  }

  static void train(BaselineTrainer trainer) {
    while (trainer.stepsDone() < trainer.settings.gradientSteps()) {
      trainer.step();
    }
  }

  /** Two trainers of one seed agree to the bit, another seed differs in every tensor. */
  static void assertSeedDecidesEveryBit(LongFunction<FiniteTrainer> trainerOf) {
    FiniteTrainer first = trainerOf.apply(11);
    FiniteTrainer second = trainerOf.apply(11);
    FiniteTrainer other = trainerOf.apply(12);
    for (int step = 0; step < 20; step++) {
      first.step();
      second.step();
      other.step();
    }
    assertEquals(first.model().tensors(), second.model().tensors());
    for (String name : first.model().tensors().keySet()) {
      assertNotEquals(first.model().tensors().get(name), other.model().tensors().get(name), name);
    }
  }

  /** An offset and a positive factor of the rewards change no greedy action. */
  public static void assertOffsetAndScaleChangeNoPolicy(FiniteModel model) {
    assertOddRewardsAreRefused(model);
    double[][] rewards = SmallWorlds.roomGoals();
    int[][] expected = policies(model, rewards, 1, 0);
    for (double scale : new double[] {1e-300, 1, 1e300}) {
      assertTrue(Arrays.deepEquals(expected, policies(model, rewards, scale, 0)), "x" + scale);
    }
    for (double offset : new double[] {-1e9, -1e6, -100, 1, 1e4, 1e6, 1e9}) {
      assertTrue(Arrays.deepEquals(expected, policies(model, rewards, 1, offset)), "+" + offset);
    }
  }

  /** Rewards of another size or without a value are no rewards; of none there are no answers. */
  public static void assertOddRewardsAreRefused(FiniteModel model) {
    int states = SmallWorlds.roomGoals()[0].length;
    assertEquals(0, model.actionValues(new double[0][]).length);
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      double[] reward = new double[states];
      reward[2] = bad;
      assertRefused(model, reward, "state 2 must be finite, found " + bad);
    }
    assertRefused(model, new double[3], "each of %d states, found 3".formatted(states));
  }

  private static void assertRefused(FiniteModel model, double[] reward, String words) {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> model.actionValues(new double[][] {SmallWorlds.roomGoals()[0], reward}))
            .getMessage();
    assertTrue(message.contains(words), message);
  }

  private static int[][] policies(
      FiniteModel model, double[][] rewards, double scale, double offset) {
    double[][] changed =
        Arrays.stream(rewards)
            .map(row -> Arrays.stream(row).map(r -> scale * r + offset).toArray())
            .toArray(double[][]::new);
    return Arrays.stream(model.actionValues(changed))
        .map(FiniteModel::greedy)
        .toArray(int[][]::new);
  }

  /** What a model saves makes a fresh one answer alike, and nothing may be missing. */
  static void assertSavedAndLoaded(LongFunction<FiniteTrainer> trainerOf) {
    FiniteTrainer trainer = trainerOf.apply(1);
    for (int step = 0; step < 5; step++) {
      trainer.step();
    }
    double[][] rewards = SmallWorlds.roomGoals();
    double[][][] expected = trainer.model().actionValues(rewards);
    FiniteModel fresh = trainerOf.apply(2).model();
    assertFalse(Arrays.deepEquals(expected, fresh.actionValues(rewards)));
    Map<String, TensorData> tensors = trainer.model().tensors();
    fresh.load(tensors, "file");
    assertTrue(Arrays.deepEquals(expected, fresh.actionValues(rewards)));
    for (String name : tensors.keySet()) {
      Map<String, TensorData> fewer = new LinkedHashMap<>(tensors);
      fewer.remove(name);
      assertEquals(
          "file: tensor '" + name + "' is missing",
          assertThrows(UserError.class, () -> fresh.load(fewer, "file")).getMessage());
    }
  }
}
