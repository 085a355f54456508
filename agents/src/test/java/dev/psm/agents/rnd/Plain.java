package dev.psm.agents.rnd;

import dev.psm.core.env.Space;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The networks once more, one number at a time in double precision, and tiny settings. */
final class Plain {
  private Plain() {}

  static RndSettings tiny(String... more) {
    RndSettings tiny =
        Settings.override(
            RndSettings.presets().get("urlb"),
            List.of("width=7", "representation=5", "batchSize=6", "learningRate=0.001"));
    return Settings.override(tiny, List.of(more));
  }

  /** Vectors of so many numbers as actions. */
  static Space vectors(int size) {
    return Space.Box.uniform(-1, 1, size);
  }

  /** Linear layers with ReLU between them; the first is Linear, LayerNorm, tanh where asked. */
  static double[] mlp(
      Parameters parameters, String name, int layers, boolean normaliseFirst, double... input) {
    double[] h = input;
    for (int layer = 0; layer < layers; layer++) {
      h = linear(parameters, name + "." + layer, h);
      if (layer == 0 && normaliseFirst) {
        h = normTanh(parameters, name, h);
      } else if (layer < layers - 1) {
        h = Arrays.stream(h).map(v -> Math.max(v, 0)).toArray();
      }
    }
    return h;
  }

  private static double[] linear(Parameters parameters, String name, double[] x) {
    float[] weight = Tensors.toFloats(parameters.get(name + ".weight"));
    float[] bias = Tensors.toFloats(parameters.get(name + ".bias"));
    double[] y = new double[bias.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = bias[i];
      for (int j = 0; j < x.length; j++) {
        y[i] += weight[i * x.length + j] * x[j];
      }
    }
    return y;
  }

  private static double[] normTanh(Parameters parameters, String name, double[] x) {
    float[] weight = Tensors.toFloats(parameters.get(name + ".norm.weight"));
    float[] bias = Tensors.toFloats(parameters.get(name + ".norm.bias"));
    double mean = Arrays.stream(x).average().orElseThrow();
    double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = Math.tanh((x[i] - mean) / Math.sqrt(variance + 1e-5) * weight[i] + bias[i]);
    }
    return y;
  }

  /** Batch normalisation with the batch's own biased variance, then the clamp to ±5. */
  static double[][] normalised(double[][] rows) {
    int columns = rows[0].length;
    double[][] result = new double[rows.length][columns];
    for (int column = 0; column < columns; column++) {
      double mean = 0;
      double variance = 0;
      for (double[] row : rows) {
        mean += row[column] / rows.length;
      }
      for (double[] row : rows) {
        variance += (row[column] - mean) * (row[column] - mean) / rows.length;
      }
      for (int i = 0; i < rows.length; i++) {
        double value = (rows[i][column] - mean) / Math.sqrt(variance + 1e-5);
        result[i][column] = Math.max(-5, Math.min(5, value));
      }
    }
    return result;
  }

  /** Normal draws that are exact in single precision. */
  static double[][] gaussian(Random random, int rows, int columns, double scale) {
    double[][] values = new double[rows][columns];
    for (double[] row : values) {
      for (int i = 0; i < columns; i++) {
        row[i] = (float) (scale * random.nextGaussian());
      }
    }
    return values;
  }

  static double[] joined(double[] first, double[] second) {
    double[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** True where any tensor differs in any bit. */
  static boolean differ(Parameters before, Parameters after) {
    return before.asMap().keySet().stream().anyMatch(name -> differ(before, after, name));
  }

  static boolean differ(Parameters before, Parameters after, String name) {
    return !Arrays.equals(Tensors.toFloats(before.get(name)), Tensors.toFloats(after.get(name)));
  }
}
