package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class DeviceMomentsTest {
  private static float[] batch(Random random, int step) {
    float[] values = new float[2 + random.nextInt(300)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (Math.exp(random.nextGaussian()) / (1 + step));
    }
    return values;
  }

  private static void assertClose(double expected, double found) {
    assertEquals(expected, found, 1e-12 * Math.abs(expected));
  }

  @Test
  void tensorsHoldWhatPlainNumbersDo() {
    Random random = new Random(1);
    RunningMoments plain = new RunningMoments();
    DeviceMoments tensors = new DeviceMoments(Device.CPU);
    assertEquals(1, tensors.variance());
    for (int step = 0; step < 200; step++) {
      try (PointerScope scope = new PointerScope()) {
        float[] values = batch(random, step);
        Tensor column = Tensors.floats(values, values.length, 1);
        float[] expected = Tensors.toFloats(plain.scaled(column));
        Tensor scaled = tensors.scaled(column);
        assertSame(torch.ScalarType.Float, scaled.scalar_type().intern());
        assertFalse(scaled.requires_grad());
        assertEquals(2, scaled.dim());
        float[] found = Tensors.toFloats(scaled);
        for (int i = 0; i < expected.length; i++) {
          assertEquals(expected[i], found[i], 2 * Math.ulp(expected[i]));
        }
        assertArrayEquals(values, Tensors.toFloats(column), "what was given is left alone");
      }
      assertClose(plain.mean(), tensors.mean());
      assertClose(plain.variance(), tensors.variance());
    }
  }

  @Test
  void eitherGoesOnWithWhatTheOtherSaved() {
    RunningMoments plain = new RunningMoments();
    plain.add(new float[] {1, 2, 4});
    Map<String, TensorData> saved = new LinkedHashMap<>();
    plain.export("m", saved);
    DeviceMoments tensors = new DeviceMoments(Device.CPU);
    tensors.load("m", saved, "file");
    Map<String, TensorData> again = new LinkedHashMap<>();
    tensors.export("m", again);
    assertEquals(saved, again);
    plain.add(new float[] {3, 5});
    Tensor scaled = tensors.scaled(Tensors.floats(new float[] {3, 5}, 2));
    assertEquals(2, scaled.numel());
    assertClose(plain.variance(), tensors.variance());
  }
}
