package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MlpTest {
  private static final int[] SIZES = {3, 5, 4, 2};

  /** Random everything, so that a bias or a LayerNorm weight in the wrong place shows. */
  private static Parameters random(Mlp mlp) {
    Random random = new Random(5);
    Parameters parameters = new Parameters();
    mlp.initialise(parameters, random);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      for (Tensor tensor : parameters.asMap().values()) {
        tensor.copy_(Tensors.gaussian(random, tensor.sizes().vec().get()));
      }
    }
    return parameters;
  }

  private static double[] linear(Parameters parameters, int layer, double[] x) {
    float[] weight = Tensors.toFloats(parameters.get("net." + layer + ".weight"));
    float[] bias = Tensors.toFloats(parameters.get("net." + layer + ".bias"));
    double[] y = new double[bias.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = bias[i];
      for (int j = 0; j < x.length; j++) {
        y[i] += weight[i * x.length + j] * x[j];
      }
    }
    return y;
  }

  private static double[] normTanh(Parameters parameters, double[] x) {
    float[] weight = Tensors.toFloats(parameters.get("net.norm.weight"));
    float[] bias = Tensors.toFloats(parameters.get("net.norm.bias"));
    double mean = Arrays.stream(x).average().orElseThrow();
    double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = Math.tanh((x[i] - mean) / Math.sqrt(variance + 1e-5) * weight[i] + bias[i]);
    }
    return y;
  }

  private static double[] relu(double[] x) {
    return Arrays.stream(x).map(v -> Math.max(v, 0)).toArray();
  }

  @ParameterizedTest
  @CsvSource({"true,false", "false,false", "true,true", "false,true"})
  void forwardIsThePlainComputation(boolean normaliseFirst, boolean activateLast) {
    Mlp mlp = new Mlp("net", SIZES, normaliseFirst, activateLast);
    Parameters parameters = random(mlp);
    Random random = new Random(8);
    double[][] inputs = new double[20][];
    for (int row = 0; row < inputs.length; row++) {
      inputs[row] = random.doubles(3, -3, 3).toArray();
    }
    double[] outputs = new double[inputs.length * 2];
    for (int row = 0; row < inputs.length; row++) {
      double[] h = linear(parameters, 0, inputs[row]);
      h = normaliseFirst ? normTanh(parameters, h) : relu(h);
      h = relu(linear(parameters, 1, h));
      h = linear(parameters, 2, h);
      h = activateLast ? relu(h) : h;
      System.arraycopy(h, 0, outputs, row * 2, 2);
    }
    float[] expected = new float[outputs.length];
    boolean someNegative = false;
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (float) outputs[i];
      someNegative |= outputs[i] < 0;
    }
    assertEquals(!activateLast, someNegative, "the example must tell a last ReLU from none");
    assertArrayEquals(
        expected, Tensors.toFloats(mlp.forward(parameters, Tensors.matrix(inputs))), 1e-4f);
  }

  @Test
  void countsAreWeightsBiasesAndOneLayerNorm() {
    Parameters plain = new Parameters();
    new Mlp("net", SIZES, false, false).initialise(plain, new Random(1));
    assertEquals((3 * 5 + 5) + (5 * 4 + 4) + (4 * 2 + 2), plain.count());
    Parameters normalised = new Parameters();
    new Mlp("net", SIZES, true, false).initialise(normalised, new Random(1));
    assertEquals(plain.count() + 2 * 5, normalised.count());
  }

  @Test
  void weightsStartOrthogonalBiasesAtZeroAndLayerNormAtOne() {
    Parameters parameters = new Parameters();
    new Mlp("net", new int[] {6, 9, 9, 4}, true, false).initialise(parameters, new Random(1));
    assertOrthonormal(parameters.get("net.0.weight").t(), 6);
    assertOrthonormal(parameters.get("net.1.weight"), 9);
    assertOrthonormal(parameters.get("net.2.weight"), 4);
    assertEquals(0, parameters.get("net.1.bias").abs().sum().item_double());
    assertEquals(0, parameters.get("net.norm.bias").abs().sum().item_double());
    assertArrayEquals(
        new float[] {1, 1, 1, 1, 1, 1, 1, 1, 1},
        Tensors.toFloats(parameters.get("net.norm.weight")));
  }

  private static void assertOrthonormal(Tensor rows, int count) {
    assertEquals(count, rows.size(0));
    double off = rows.matmul(rows.t()).sub(torch.eye(count)).abs().max().item_double();
    assertEquals(0, off, 1e-5);
  }

  @Test
  void orthogonalMatricesFavourNoSign() {
    Random random = new Random(3);
    int positive = 0;
    for (int draw = 0; draw < 200; draw++) {
      float value = Mlp.orthogonal(random, 1, 1).item_float();
      assertEquals(1, Math.abs(value), 1e-6);
      positive += value > 0 ? 1 : 0;
    }
    assertTrue(positive > 60 && positive < 140, "positive in " + positive + " of 200");
  }

  @Test
  void networksFromOneGeneratorDifferAndFromEqualSeedsAgree() {
    Parameters parameters = new Parameters();
    Random random = new Random(1);
    new Mlp("one", SIZES, false, false).initialise(parameters, random);
    new Mlp("two", SIZES, false, false).initialise(parameters, random);
    assertFalse(
        Arrays.equals(
            Tensors.toFloats(parameters.get("one.1.weight")),
            Tensors.toFloats(parameters.get("two.1.weight"))));
    Parameters again = new Parameters();
    new Mlp("one", SIZES, false, false).initialise(again, new Random(1));
    assertArrayEquals(
        Tensors.toFloats(parameters.get("one.1.weight")),
        Tensors.toFloats(again.get("one.1.weight")));
  }
}
