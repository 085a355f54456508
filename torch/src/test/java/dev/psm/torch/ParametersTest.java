package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class ParametersTest {

  private static Parameters two() {
    return new Parameters()
        .add("a", Tensors.floats(new float[] {1, 2, 3}, 3))
        .add("b", Tensors.floats(new float[] {10, 20, 30, 40}, 2, 2));
  }

  private static void fill(Parameters parameters, double value) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      parameters.asMap().values().forEach(tensor -> tensor.fill_(Tensors.scalar(value)));
    }
  }

  @Test
  void averagingKeepsMostOfTheTargetAndNoneOfTheOnlineChanges() {
    Parameters online = two();
    Parameters target = online.targetCopy();
    fill(online, 5);
    target.averageTowards(online, 0.1);
    assertArrayEquals(new float[] {1.4f, 2.3f, 3.2f}, Tensors.toFloats(target.get("a")), 1e-5f);
    assertArrayEquals(
        new float[] {9.5f, 18.5f, 27.5f, 36.5f}, Tensors.toFloats(target.get("b")), 1e-4f);
    assertArrayEquals(new float[] {5, 5, 5}, Tensors.toFloats(online.get("a")));
    target.averageTowards(online, 1);
    assertArrayEquals(new float[] {5, 5, 5, 5}, Tensors.toFloats(target.get("b")));
  }

  @Test
  void targetCopiesShareNoMemoryAndTakeNoGradient() {
    Parameters online = two();
    Parameters target = online.targetCopy();
    fill(online, 0);
    assertArrayEquals(new float[] {1, 2, 3}, Tensors.toFloats(target.get("a")));
    assertTrue(online.get("a").requires_grad());
    assertFalse(target.get("a").requires_grad());
    Tensor loss = online.get("a").sub(target.get("a")).square().sum();
    assertThrows(RuntimeException.class, () -> Tensors.gradients(loss, target.vector()));
  }

  @Test
  void addingCopiesTheValuesAndRefusesASecondTensorOfTheSameName() {
    Tensor source = Tensors.floats(new float[] {1}, 1);
    Parameters parameters = new Parameters().add("x", source);
    source.fill_(Tensors.scalar(9));
    assertArrayEquals(new float[] {1}, Tensors.toFloats(parameters.get("x")));
    assertThrows(IllegalArgumentException.class, () -> parameters.add("x", source));
    assertThrows(IllegalArgumentException.class, () -> parameters.get("y"));
  }

  @Test
  void gradientsComeOneVectorPerGroupInTheOrderOfTheGroups() {
    Parameters first = two();
    Parameters second = new Parameters().add("c", Tensors.floats(new float[] {7}, 1));
    Tensor loss =
        first
            .get("a")
            .sum()
            .mul(Tensors.scalar(2))
            .add(first.get("b").sum().mul(Tensors.scalar(3)))
            .add(second.get("c").sum().mul(Tensors.scalar(5)));
    var gradients = Tensors.gradients(loss, first, second);
    assertArrayEquals(new float[] {2, 2, 2}, Tensors.toFloats(Handles.at(gradients[0], 0)));
    assertArrayEquals(new float[] {3, 3, 3, 3}, Tensors.toFloats(Handles.at(gradients[0], 1)));
    assertArrayEquals(new float[] {5}, Tensors.toFloats(Handles.at(gradients[1], 0)));
    assertEquals(2, gradients[0].size());
    assertEquals(1, gradients[1].size());
  }

  @Test
  void parametersOutliveTheScopeTheyWereMadeIn() {
    Parameters online;
    Parameters target;
    try (PointerScope scope = new PointerScope()) {
      online = two();
      target = online.targetCopy();
      target.averageTowards(online, 0.5);
    }
    for (int i = 0; i < 100; i++) {
      // Whatever was freed by mistake is overwritten.
      try (PointerScope scope = new PointerScope()) {
        torch.ones(3).mul(Tensors.scalar(-1));
      }
    }
    assertFalse(online.get("a").isNull());
    assertFalse(target.get("a").isNull());
    assertFalse(online.vector().isNull());
    assertArrayEquals(new float[] {1, 2, 3}, Tensors.toFloats(online.get("a")));
    fill(online, 0);
    target.averageTowards(online, 0.5);
    assertArrayEquals(new float[] {5, 10, 15, 20}, Tensors.toFloats(target.get("b")));
  }

  @Test
  void whatIsExportedLoadsIntoFreshParameters() {
    Map<String, TensorData> file = new LinkedHashMap<>();
    two().export("net.", file);
    assertEquals(List.of("net.a", "net.b"), List.copyOf(file.keySet()));
    Parameters fresh = two();
    fill(fresh, 0);
    fresh.load("net.", file, "model.safetensors");
    assertArrayEquals(new float[] {1, 2, 3}, Tensors.toFloats(fresh.get("a")));
    assertArrayEquals(new float[] {10, 20, 30, 40}, Tensors.toFloats(fresh.get("b")));
    assertTrue(fresh.get("a").requires_grad());
  }

  private static String refusal(TensorData second) {
    Map<String, TensorData> file = new LinkedHashMap<>();
    two().export("net.", file);
    file.remove("net.b");
    if (second != null) {
      file.put("net.b", second);
    }
    return assertThrows(UserError.class, () -> two().load("net.", file, "model.safetensors"))
        .getMessage();
  }

  @Test
  void missingMisshapenAndMistypedTensorsAreRefusedByName() {
    assertEquals("model.safetensors: tensor 'net.b' is missing", refusal(null));
    assertEquals(
        "model.safetensors: tensor 'net.b' has shape [4], expected [2, 2]",
        refusal(TensorData.of(new float[4], 4)));
    assertEquals(
        "model.safetensors: tensor 'net.b' has type I64, expected F32",
        refusal(TensorData.of(new long[4], 2, 2)));
  }

  @Test
  void countAddsTheScalarsOfAllTensors() {
    assertEquals(7, two().count());
  }

  @Test
  void parametersStayWhereTheyAreAndTakeTheValuesOfOthers() {
    Parameters one = two();
    assertSame(one, one.on(Device.CPU));
    Parameters other = two();
    fill(other, 7);
    one.copyFrom(other);
    assertArrayEquals(new float[] {7, 7, 7}, Tensors.toFloats(one.get("a")));
    fill(other, 8);
    assertArrayEquals(new float[] {7, 7, 7}, Tensors.toFloats(one.get("a")));
    assertTrue(one.get("a").requires_grad());
  }
}
