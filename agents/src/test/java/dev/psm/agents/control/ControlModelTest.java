package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.training.Experience;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ControlModelTest {
  private static final int D = 5;
  private static final List<Long> SEEDS = List.of(4L, 5L, 6L);
  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void write() {
    data = StepTrial.noise(folder.resolve("data"));
  }

  private static ControlTrainer trained(TinyAgent agent) {
    ControlTrainer trainer = agent.trainer(data, SEEDS);
    for (int step = 0; step < 15; step++) {
      trainer.step();
    }
    return trainer;
  }

  private static ControlModel model(ControlModel.Kind kind) {
    return new ControlModel(
        new ControlModel.Shape(kind, new NetworkSizes(D, 4, 4)),
        StepTrial.OBSERVATION,
        StepTrial.ACTION);
  }

  @ParameterizedTest
  @EnumSource
  void everySeedsModelActsAndSeesAsTheTrainerDoes(TinyAgent agent) {
    ControlTrainer trainer = trained(agent);
    int rows = 8;
    Random random = new Random(2);
    Tensor observations = Tensors.gaussian(random, 3, rows, StepTrial.OBSERVATION);
    Tensor tasks = Tensors.onSphere(Tensors.gaussian(random, 3, rows, D));
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor actions = trainer.shapes.meanAction(trainer.actor.weights(), observations, tasks);
      Tensor features = trainer.taskFeatures(observations);
      for (int seed = 0; seed < 3; seed++) {
        ControlModel model = trainer.model(SEEDS.get(seed));
        float[] seen = Tensors.toFloats(observations.get(seed));
        assertArrayEquals(
            Tensors.toFloats(actions.get(seed)),
            model.act(seen, Tensors.toFloats(tasks.get(seed))),
            1e-5f);
        assertArrayEquals(
            Tensors.toFloats(features.get(seed)), model.features(seen), 1e-5f, "features");
      }
      float[] one = Tensors.toFloats(actions.get(0));
      assertFalse(Arrays.equals(one, Tensors.toFloats(actions.get(1))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAModelSavesMakesAFreshOneAnswerAlike(TinyAgent agent) {
    ControlTrainer trainer = trained(agent);
    ControlModel model = trainer.model(5);
    Map<String, TensorData> tensors = model.tensors();
    ControlModel fresh = model(trainer.kind());
    ControlModel fitting = new ControlModel(model.shape(), StepTrial.OBSERVATION, StepTrial.ACTION);
    float[] observations = Tensors.toFloats(Tensors.gaussian(new Random(1), 4, 3));
    float[] tasks = Tensors.toFloats(Tensors.gaussian(new Random(2), 4, D));
    assertFalse(Arrays.equals(model.act(observations, tasks), fitting.act(observations, tasks)));
    fitting.load(tensors, "file");
    assertArrayEquals(model.act(observations, tasks), fitting.act(observations, tasks));
    assertArrayEquals(model.features(observations), fitting.features(observations));
    assertEquals(tensors, fitting.tensors());

    for (String name : tensors.keySet()) {
      Map<String, TensorData> fewer = new LinkedHashMap<>(tensors);
      fewer.remove(name);
      assertEquals(
          "file: tensor '" + name + "' is missing",
          assertThrows(UserError.class, () -> fitting.load(fewer, "file")).getMessage());
    }
    String refusal = assertThrows(UserError.class, () -> fresh.load(tensors, "file")).getMessage();
    assertTrue(
        refusal.startsWith("file: tensor 'features.0.weight' has shape [1, 3, 7], expected"),
        refusal);
  }

  /** Σ r φ / n, then of norm √d, in double precision. */
  private static double[] correlation(float[] phi, double[] rewards) {
    double[] z = new double[D];
    for (int i = 0; i < phi.length; i++) {
      z[i % D] += rewards[i / D] * phi[i] / rewards.length;
    }
    return onSphere(z);
  }

  private static double[] onSphere(double[] z) {
    double square = Arrays.stream(z).map(v -> v * v).sum();
    return Arrays.stream(z).map(v -> v * Math.sqrt(D / square)).toArray();
  }

  /** The minimum of Σ(φᵀz − r)², by elimination on the normal equations. */
  private static double[] leastSquares(float[] phi, double[] rewards) {
    double[][] system = new double[D][D + 1];
    for (int row = 0; row < rewards.length; row++) {
      for (int i = 0; i < D; i++) {
        for (int j = 0; j < D; j++) {
          system[i][j] += (double) phi[row * D + i] * phi[row * D + j];
        }
        system[i][D] += phi[row * D + i] * rewards[row];
      }
    }
    for (int pivot = 0; pivot < D; pivot++) {
      for (int row = 0; row < D; row++) {
        double factor = row == pivot ? 0 : system[row][pivot] / system[pivot][pivot];
        for (int column = pivot; column <= D; column++) {
          system[row][column] -= factor * system[pivot][column];
        }
      }
    }
    double[] z = new double[D];
    for (int i = 0; i < D; i++) {
      z[i] = system[i][D] / system[i][i];
    }
    return onSphere(z);
  }

  private static void assertVector(double[] expected, float[] found) {
    for (int i = 0; i < D; i++) {
      assertEquals(expected[i], found[i], 1e-5);
    }
  }

  @Test
  void taskVectorsAreTheClosedFormOrTheLeastSquaresFit() {
    Random random = new Random(3);
    int count = 61;
    float[] phi = new float[count * D];
    for (int i = 0; i < phi.length; i++) {
      // Features of unequal size and with a common part, so that the two answers differ.
      phi[i] = (float) ((1 + i % D) * random.nextGaussian() + 0.5);
    }
    double[] rewards = random.doubles(count, -1, 2).toArray();
    double[] sorted = rewards.clone();
    Arrays.sort(sorted);
    double offset = sorted[2 * (count - 1) / 5];
    double[] less = Arrays.stream(rewards).map(r -> r - offset).toArray();
    assertVector(correlation(phi, less), model(ControlModel.Kind.MEASURE).taskVector(phi, rewards));
    for (ControlModel.Kind kind :
        List.of(ControlModel.Kind.SPHERICAL_FEATURES, ControlModel.Kind.CENTRED_FEATURES)) {
      assertVector(leastSquares(phi, less), model(kind).taskVector(phi, rewards));
    }
  }

  @ParameterizedTest
  @EnumSource
  void neitherAnOffsetNorAScaleOfRewardsMovesTheTaskVector(ControlModel.Kind kind) {
    Random random = new Random(5);
    int count = 80;
    float[] phi = new float[count * D];
    for (int i = 0; i < phi.length; i++) {
      phi[i] = (float) (random.nextGaussian() + 1);
    }
    double[] rewards = random.doubles(count).toArray();
    float[] expected = model(kind).taskVector(phi, rewards);
    for (double offset : new double[] {-100, -10, -1, 1, 10, 100}) {
      double[] moved = Arrays.stream(rewards).map(r -> r + offset).toArray();
      assertArrayEquals(expected, model(kind).taskVector(phi, moved), 1e-6f, "offset " + offset);
    }
    for (double scale : new double[] {1e-300, 1e-14, 1e-3, 1e3, 1e14, 1e300}) {
      double[] scaled = Arrays.stream(rewards).map(r -> r * scale).toArray();
      assertArrayEquals(expected, model(kind).taskVector(phi, scaled), 1e-6f, "scale " + scale);
    }
  }

  @Test
  void aGoalIsARewardInOnePlace() {
    Random random = new Random(4);
    int count = 40;
    float[] phi = new float[count * D];
    for (int i = 0; i < phi.length; i++) {
      phi[i] = (float) ((1 + i % D) * random.nextGaussian());
    }
    double[] rewards = new double[count];
    rewards[7] = 3;
    float[] goal = Arrays.copyOfRange(phi, 7 * D, 8 * D);
    for (ControlModel.Kind kind : ControlModel.Kind.values()) {
      assertArrayEquals(
          model(kind).taskVector(phi, rewards), model(kind).goalVectors(phi, goal), 1e-5f);
    }
  }

  @Test
  void aConstantRewardAndFeaturesOfOneDirectionGiveNoNaN() {
    float[] phi = new float[20 * D];
    for (int i = 0; i < phi.length; i++) {
      phi[i] = i % D;
    }
    for (ControlModel.Kind kind : ControlModel.Kind.values()) {
      assertArrayEquals(new float[D], model(kind).taskVector(phi, new double[20]));
      double[] ones = new double[20];
      Arrays.fill(ones, 1);
      assertArrayEquals(new float[D], model(kind).taskVector(phi, ones));
      double[] one = new double[20];
      one[3] = 1;
      assertVector(onSphere(new double[] {0, 1, 2, 3, 4}), model(kind).taskVector(phi, one));
      float[] still = model(kind).act(new float[StepTrial.OBSERVATION], new float[D]);
      for (float action : still) {
        assertTrue(Float.isFinite(action));
      }
    }
  }

  @Test
  void weightsThatAreNotFiniteAreRefused() {
    ControlModel model = model(ControlModel.Kind.MEASURE);
    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      for (String name : model.tensors().keySet()) {
        Map<String, TensorData> tensors = model.tensors();
        float[] values = tensors.get(name).floats();
        values[values.length - 1] = bad;
        tensors.put(name, TensorData.of(values, tensors.get(name).shape()));
        String refusal =
            assertThrows(UserError.class, () -> model.load(tensors, "file")).getMessage();
        assertTrue(
            refusal.startsWith(
                "file: tensor '%s': expected finite numbers, found %s as element %d"
                    .formatted(name, bad, values.length - 1)),
            refusal);
      }
    }
  }

  @Test
  void halfAnObservationIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> model(ControlModel.Kind.MEASURE).features(new float[4]));
  }
}
