package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.TensorVector;
import org.junit.jupiter.api.Test;

class AdamTest {
  private static final float[] FIRST = {1, -2, 0.5f};
  private static final float[] SECOND = {3, 0, -1, 4};

  /** The published algorithm, one number at a time. */
  private static final class Reference {
    private final double[] values;
    private final double[] mean;
    private final double[] square;
    private int steps;

    Reference(float[] initial) {
      values = new double[initial.length];
      for (int i = 0; i < initial.length; i++) {
        values[i] = initial[i];
      }
      mean = new double[initial.length];
      square = new double[initial.length];
    }

    void step(float[] gradient, double rate) {
      steps++;
      for (int i = 0; i < values.length; i++) {
        mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
        square[i] = 0.999 * square[i] + 0.001 * gradient[i] * gradient[i];
        double unbiasedMean = mean[i] / (1 - Math.pow(0.9, steps));
        double unbiasedSquare = square[i] / (1 - Math.pow(0.999, steps));
        values[i] -= rate * unbiasedMean / (Math.sqrt(unbiasedSquare) + 1e-8);
      }
    }

    float[] floats() {
      float[] floats = new float[values.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) values[i];
      }
      return floats;
    }
  }

  private static float[] gradient(int step, int length) {
    float[] gradient = new float[length];
    for (int i = 0; i < length; i++) {
      gradient[i] = (float) Math.sin(1.7 * step + 2.3 * i + length);
    }
    return gradient;
  }

  @Test
  void everyTensorFollowsThePublishedAlgorithmWithBiasCorrection() {
    Parameters parameters =
        new Parameters()
            .add("first", Tensors.floats(FIRST, 3))
            .add("second", Tensors.floats(SECOND, 2, 2));
    Adam adam = new Adam(parameters);
    Reference first = new Reference(FIRST);
    Reference second = new Reference(SECOND);
    for (int step = 0; step < 7; step++) {
      double rate = 0.1 / (1 + step);
      float[] firstGradient = gradient(step, 3);
      float[] secondGradient = gradient(step, 4);
      adam.step(
          new TensorVector(Tensors.floats(firstGradient, 3), Tensors.floats(secondGradient, 2, 2)),
          rate);
      first.step(firstGradient, rate);
      second.step(secondGradient, rate);
      assertArrayEquals(first.floats(), Tensors.toFloats(parameters.get("first")), 2e-6f);
      assertArrayEquals(second.floats(), Tensors.toFloats(parameters.get("second")), 2e-6f);
    }
  }

  @Test
  void theFirstStepHasTheSizeOfTheLearningRateWhateverTheGradient() {
    Parameters parameters = new Parameters().add("x", Tensors.floats(new float[] {0, 0}, 2));
    new Adam(parameters).step(new TensorVector(Tensors.floats(new float[] {1e-3f, -1e3f}, 2)), 0.1);
    assertArrayEquals(new float[] {-0.1f, 0.1f}, Tensors.toFloats(parameters.get("x")), 1e-5f);
  }

  @Test
  void stepsGoDownhillThroughRealGradients() {
    Parameters parameters = new Parameters().add("x", Tensors.floats(new float[] {3, -4}, 2));
    Adam adam = new Adam(parameters);
    for (int step = 0; step < 400; step++) {
      adam.step(Tensors.gradients(parameters.get("x").square().sum(), parameters.vector()), 0.05);
    }
    assertEquals(0, parameters.get("x").norm().item_double(), 0.01);
  }

  @Test
  void savedMomentsAndCountersContinueToTheBit() {
    Parameters straight = new Parameters().add("x", Tensors.floats(FIRST, 3));
    Adam through = new Adam(straight);
    for (int step = 0; step < 5; step++) {
      through.step(new TensorVector(Tensors.floats(gradient(step, 3), 3)), 0.1);
    }
    Map<String, TensorData> saved = new LinkedHashMap<>();
    through.export("adam.", saved);
    Parameters resumed = new Parameters().add("x", straight.get("x"));
    Adam after = new Adam(resumed);
    after.load("adam.", saved, "file");
    for (int step = 5; step < 9; step++) {
      through.step(new TensorVector(Tensors.floats(gradient(step, 3), 3)), 0.1);
      after.step(new TensorVector(Tensors.floats(gradient(step, 3), 3)), 0.1);
      assertArrayEquals(
          Tensors.toFloats(straight.get("x")), Tensors.toFloats(resumed.get("x")), 0f);
    }
    Map<String, TensorData> older = new LinkedHashMap<>(saved);
    older.put("adam.x.steps", older.remove("adam.steps"));
    Map<String, TensorData> again = new LinkedHashMap<>();
    after.load("adam.", older, "file");
    after.export("adam.", again);
    assertEquals(saved, again, "a counter for every tensor is as good as one for all");
    for (String name : saved.keySet()) {
      Map<String, TensorData> fewer = new LinkedHashMap<>(saved);
      fewer.remove(name);
      assertEquals(
          "file: tensor '" + name + "' is missing",
          assertThrows(UserError.class, () -> after.load("adam.", fewer, "file")).getMessage());
    }
  }
}
