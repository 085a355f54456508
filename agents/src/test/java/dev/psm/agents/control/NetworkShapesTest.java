package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.core.Seeds;
import dev.psm.torch.Device;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkShapesTest {
  private static final int OBSERVATION = 3;
  private static final int ACTION = 2;
  private static final int D = 4;
  private static final int WIDTH = 6;
  private static final NetworkSizes TINY = new NetworkSizes(D, WIDTH, 5);
  private static final NetworkShapes NETWORKS = NetworkShapes.of(TINY, OBSERVATION, ACTION, 1);

  private static List<RandomGenerator> generators(long... seeds) {
    return Arrays.stream(seeds).mapToObj(Seeds::generator).toList();
  }

  @Test
  void walkerHasThePublishedNumbersOfWeights() {
    NetworkSizes paper = ControlSettings.paper(SmallWorlds.BODY).sizes();
    NetworkShapes networks = NetworkShapes.of(paper, 24, 6, 1);
    assertEquals(4_845_824, networks.successor().initialise(Device.CPU, generators(1)).count());
    assertEquals(
        4_616_448,
        NetworkShapes.successor("proto", paper, 24, ActionCodebook.CODE_BITS, 6)
            .initialise(Device.CPU, generators(1))
            .count());
    assertEquals(105_600, networks.initialiseFeatures(Device.CPU, generators(1)).count());
    assertEquals(2_291_718, networks.actor().initialise(Device.CPU, generators(1)).count());
  }

  private static void assertGain(Parameters parameters, double gain) {
    parameters
        .asMap()
        .forEach(
            (name, stack) -> {
              if (!name.matches(".*\\d\\.weight")) {
                return;
              }
              for (int i = 0; i < stack.size(0); i++) {
                Tensor weight = stack.get(i);
                boolean tall = weight.size(0) >= weight.size(1);
                Tensor gram = tall ? weight.t().matmul(weight) : weight.matmul(weight.t());
                Tensor expected = torch.eye(gram.size(0)).mul(Tensors.scalar(gain * gain));
                assertEquals(0, gram.sub(expected).abs().max().item_double(), 1e-5, name);
              }
            });
  }

  @Test
  void ensemblesStartWithGainRootTwoAndSingleNetworksWithOne() {
    assertGain(NETWORKS.successor().initialise(Device.CPU, generators(1, 2)), Math.sqrt(2));
    assertGain(NETWORKS.actor().initialise(Device.CPU, generators(1, 2)), 1);
    assertGain(NETWORKS.initialiseFeatures(Device.CPU, generators(1, 2)), 1);
  }

  @Test
  void membersDifferFromTheStart() {
    Parameters parameters = NETWORKS.successor().initialise(Device.CPU, generators(1));
    parameters
        .asMap()
        .forEach(
            (name, stack) -> {
              assertEquals(2, stack.size(0), name);
              if (name.matches(".*\\d\\.weight")) {
                assertFalse(
                    Arrays.equals(Tensors.toFloats(stack.get(0)), Tensors.toFloats(stack.get(1))),
                    name);
              }
            });
  }

  /** x W + b of one network of a stack. */
  private static double[] linear(Parameters parameters, String name, int index, double[] x) {
    float[] weight = Tensors.toFloats(parameters.get(name + ".weight").get(index));
    float[] bias = Tensors.toFloats(parameters.get(name + ".bias").get(index));
    double[] y = new double[bias.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = bias[i];
      for (int j = 0; j < x.length; j++) {
        y[i] += weight[j * y.length + i] * x[j];
      }
    }
    return y;
  }

  private static double[] relu(double[] x) {
    return Arrays.stream(x).map(v -> Math.max(v, 0)).toArray();
  }

  /** LayerNorm, then tanh. */
  private static double[] normTanh(Parameters parameters, String name, int index, double[] x) {
    float[] weight = Tensors.toFloats(parameters.get(name + ".norm.weight").get(index));
    float[] bias = Tensors.toFloats(parameters.get(name + ".norm.bias").get(index));
    double mean = Arrays.stream(x).average().orElseThrow();
    double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = Math.tanh((x[i] - mean) / Math.sqrt(variance + 1e-5) * weight[i] + bias[i]);
    }
    return y;
  }

  private static double[] embedding(Parameters parameters, String name, int index, double... x) {
    double[] h = normTanh(parameters, name, index, linear(parameters, name + ".0", index, x));
    return relu(linear(parameters, name + ".1", index, h));
  }

  private static double[] towers(
      Parameters parameters, String name, int index, double[] first, double[] second) {
    double[] both =
        joined(
            embedding(parameters, name + ".first", index, first),
            embedding(parameters, name + ".second", index, second));
    double[] h = relu(linear(parameters, name + ".trunk.0", index, both));
    return linear(parameters, name + ".trunk.1", index, h);
  }

  private static double[] joined(double[] a, double[] b) {
    double[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** A row of seeds × rows × width. */
  private static double[] row(Tensor x, int seed, int row) {
    float[] values = Tensors.toFloats(x.get(seed).get(row));
    double[] wide = new double[values.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = values[i];
    }
    return wide;
  }

  private static void assertRow(double[] expected, Tensor found) {
    float[] floats = new float[expected.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) expected[i];
    }
    assertArrayEquals(floats, Tensors.toFloats(found), 2e-4f);
  }

  @Test
  void everyNetworkIsItsPlainComputationForEverySeedAndMember() {
    int seeds = 2;
    int rows = 5;
    Random random = new Random(3);
    Tensor observations = Tensors.gaussian(random, seeds, rows, OBSERVATION);
    Tensor tasks = Tensors.gaussian(random, seeds, rows, D);
    Tensor actions = Tensors.gaussian(random, seeds, rows, ACTION);
    Parameters successor = NETWORKS.successor().initialise(Device.CPU, generators(1, 2));
    Parameters actor = NETWORKS.actor().initialise(Device.CPU, generators(1, 2));
    Parameters features = NETWORKS.initialiseFeatures(Device.CPU, generators(1, 2));
    SmallWorlds.randomise(successor, 1);
    SmallWorlds.randomise(actor, 2);
    SmallWorlds.randomise(features, 3);

    Tensor psi = StepTrial.successor(NETWORKS.successor(), successor, observations, tasks, actions);
    assertArrayEquals(new long[] {seeds, 2, rows, D}, psi.sizes().vec().get());
    Tensor mean = NETWORKS.meanAction(actor, observations, tasks);
    Tensor phi = NETWORKS.features().forward(features, observations);
    boolean someNegative = false;
    for (int seed = 0; seed < seeds; seed++) {
      for (int row = 0; row < rows; row++) {
        double[] s = row(observations, seed, row);
        double[] sa = joined(s, row(actions, seed, row));
        double[] sz = joined(s, row(tasks, seed, row));
        for (int member = 0; member < 2; member++) {
          assertRow(
              towers(successor, "successor", seed * 2 + member, sa, sz),
              psi.get(seed).get(member).get(row));
        }
        double[] raw = towers(actor, "actor", seed, sz, s);
        assertRow(Arrays.stream(raw).map(Math::tanh).toArray(), mean.get(seed).get(row));
        double[] h = normTanh(features, "features", seed, linear(features, "features.0", seed, s));
        h = relu(linear(features, "features.1", seed, h));
        double[] expected = linear(features, "features.2", seed, h);
        assertRow(expected, phi.get(seed).get(row));
        someNegative |= expected[0] < 0;
      }
    }
    assertTrue(someNegative, "the example must tell a last ReLU from none");
  }

  @Test
  void oneRowsConditionChangesThatRowAlone() {
    Towers towers = Towers.of("successor", OBSERVATION + ACTION, OBSERVATION + D, 64, D, 2);
    Parameters parameters = towers.initialise(Device.CPU, generators(1));
    Random random = new Random(4);
    Tensor observations = Tensors.gaussian(random, 1, 4, OBSERVATION);
    Tensor actions = Tensors.gaussian(random, 1, 4, ACTION);
    Tensor conditions = Tensors.gaussian(random, 1, 4, D);
    Tensor changed = conditions.clone();
    changed.select(1, 2).add_(Tensors.scalar(1));
    Tensor before = StepTrial.successor(towers, parameters, observations, conditions, actions);
    Tensor after = StepTrial.successor(towers, parameters, observations, changed, actions);
    for (int member = 0; member < 2; member++) {
      for (int row = 0; row < 4; row++) {
        double difference =
            before
                .select(1, member)
                .select(1, row)
                .sub(after.select(1, member).select(1, row))
                .abs()
                .max()
                .item_double();
        assertEquals(row == 2, difference > 1e-3, "row " + row + ": " + difference);
      }
    }
  }

  @Test
  void halfThePairsDisagreementIsTheSmallerOfTwo() {
    Tensor values = Tensors.gaussian(new Random(5), 3, 2, 7);
    Tensor smaller = values.amin(new long[] {1}, false);
    Near.assertNear(smaller, PolicyLearner.ActorLoss.value(values, 0.5), 1e-6, "minimum");
    Near.assertNear(values.mean(1), PolicyLearner.ActorLoss.value(values, 0), 1e-6, "mean");
  }

  @Test
  void disagreementIsTheMeanOverPairsOfThree() {
    // |1 − 4| + |1 − 6| + |4 − 6| = 10, each pair twice, over 9 − 3.
    Tensor values = Tensors.floats(new float[] {1, 4, 6}, 1, 3, 1);
    assertEquals(
        11 / 3.0 - 0.5 * 20 / 6, PolicyLearner.ActorLoss.value(values, 0.5).item_double(), 1e-6);
  }

  /** Weights that are nowhere special, so that no gradient is zero by chance. */
  private static Parameters shaken(Parameters parameters) {
    Random random = new Random(11);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      for (Tensor tensor : parameters.asMap().values()) {
        tensor.add_(Tensors.gaussian(random, tensor.sizes().vec().get()), Tensors.scalar(0.3));
      }
    }
    return parameters;
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,2", "3,1", "3,2"})
  void theWayBackIsLibtorchsOwn(int seeds, int members) {
    Towers towers = Towers.of("net", OBSERVATION + ACTION, OBSERVATION + D, 8, D, members);
    Parameters parameters =
        shaken(towers.initialise(Device.CPU, generators(1, 2, 3).subList(0, seeds)));
    Random random = new Random(12);
    Tensor a = Tensors.gaussian(random, seeds, 5, OBSERVATION + ACTION).set_requires_grad(true);
    Tensor b = Tensors.gaussian(random, seeds, 5, OBSERVATION + D);
    Tensor gradient = Tensors.gaussian(random, seeds, members, 5, D);
    Tensor output = towers.forward(parameters, new Towers.Inputs(a), new Towers.Inputs(b));
    TensorVector inputs = new TensorVector(a);
    parameters.asMap().values().forEach(inputs::push_back);
    TensorVector expected = Tensors.gradients(output.mul(gradient).sum(), inputs);

    try (NoGradGuard noGradient = new NoGradGuard()) {
      Towers.Trace trace = towers.trace(parameters, new Towers.Inputs(a), new Towers.Inputs(b));
      Near.assertNear(output, trace.output(), 1e-6, "output");
      TensorVector found = towers.backward(parameters, trace, gradient).of(parameters);
      int next = 1;
      for (String name : parameters.asMap().keySet()) {
        Near.assertNear(Handles.at(expected, next), found.get(next - 1), 1e-5, name);
        assertArrayEquals(
            Handles.at(expected, next).sizes().vec().get(),
            found.get(next - 1).sizes().vec().get(),
            name);
        next++;
      }
      Towers.Trace again = towers.trace(parameters, new Towers.Inputs(a), new Towers.Inputs(b));
      Near.assertNear(
          Handles.at(expected, 0),
          towers.backwardToFirst(parameters, again, gradient),
          1e-5,
          "inputs");
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.8})
  void theActorsDescentIsTheGradientOfItsLoss(double pessimism) {
    Tensor values = Tensors.gaussian(new Random(13), 2, 3, 6).set_requires_grad(true);
    Tensor loss = PolicyLearner.ActorLoss.value(values, pessimism).mean(-1).sum().neg();
    Near.assertNear(
        Handles.at(Tensors.gradients(loss, new TensorVector(values)), 0),
        PolicyLearner.ActorLoss.gradient(values.detach(), pessimism),
        1e-6,
        "descent");
  }
}
