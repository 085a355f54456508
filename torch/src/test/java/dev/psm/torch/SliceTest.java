package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.junit.jupiter.api.Test;

class SliceTest {
  private static Parameters stack() {
    return new Parameters()
        .add("a", Tensors.floats(new float[] {1, 2, 3, 4, 5, 6}, 6, 1))
        .add("b", Tensors.floats(new float[] {10, 20, 30, 40, 50, 60}, 3, 2));
  }

  @Test
  void aSliceIsAnEqualPartOfTheFirstAxisAndAView() {
    Tensor tensor = Tensors.floats(new float[] {1, 2, 3, 4, 5, 6}, 6);
    Tensor part = new Slice(1, 3).of(tensor);
    assertArrayEquals(new float[] {3, 4}, Tensors.toFloats(part));
    part.fill_(Tensors.scalar(0));
    assertArrayEquals(new float[] {1, 2, 0, 0, 5, 6}, Tensors.toFloats(tensor));
    assertArrayEquals(Tensors.toFloats(tensor), Tensors.toFloats(Slice.WHOLE.of(tensor)));
  }

  @Test
  void whatDoesNotFallIntoEqualPartsIsRefused() {
    Tensor five = Tensors.floats(new float[5], 5);
    assertThrows(IllegalArgumentException.class, () -> new Slice(0, 2).of(five));
    assertThrows(IllegalArgumentException.class, () -> new Slice(2, 2));
    assertThrows(IllegalArgumentException.class, () -> new Slice(-1, 2));
  }

  @Test
  void aSlicesParametersAreSavedAndLoadedWithoutTheOthers() {
    Map<String, TensorData> file = new LinkedHashMap<>();
    stack().export("x/", file, new Slice(1, 3));
    assertEquals(TensorData.of(new float[] {3, 4}, 2, 1), file.get("x/a"));
    assertEquals(TensorData.of(new float[] {30, 40}, 1, 2), file.get("x/b"));
    Parameters other = stack();
    other.load("x/", file, "file", new Slice(2, 3));
    assertArrayEquals(new float[] {1, 2, 3, 4, 3, 4}, Tensors.toFloats(other.get("a")));
    assertArrayEquals(new float[] {10, 20, 30, 40, 30, 40}, Tensors.toFloats(other.get("b")));
  }

  @Test
  void aSlicesMomentsAreSavedAndLoadedWithoutTheOthers() {
    TensorVector gradients =
        new TensorVector(
            Tensors.floats(new float[] {1, -2, 3, -4, 5, -6}, 6, 1),
            Tensors.floats(new float[] {6, 5, 4, 3, 2, 1}, 3, 2));
    Adam together = new Adam(stack());
    together.step(gradients, 0.1);
    Map<String, TensorData> part = new LinkedHashMap<>();
    together.export("adam/", part, new Slice(2, 3));
    assertArrayEquals(new float[] {0.5f, -0.6f}, part.get("adam/a.first").floats(), 1e-6f);
    assertArrayEquals(new float[] {0.2f, 0.1f}, part.get("adam/b.first").floats(), 1e-6f);
    assertArrayEquals(new float[] {0.025f, 0.036f}, part.get("adam/a.second").floats(), 1e-6f);
    assertEquals(TensorData.of(new float[] {1}, 1), part.get("adam/steps"));

    Adam other = new Adam(stack());
    other.load("adam/", part, "file", new Slice(0, 3));
    Map<String, TensorData> whole = new LinkedHashMap<>();
    other.export("adam/", whole);
    assertArrayEquals(
        new float[] {0.5f, -0.6f, 0, 0, 0, 0}, whole.get("adam/a.first").floats(), 1e-6f);
    assertEquals(TensorData.of(new float[] {1}, 1), whole.get("adam/steps"));
  }

  /** Checkpoints are many, and the garbage collector does not see how much memory a view keeps. */
  @Test
  void savingAndLoadingSlicesLeavesNoViewsBehind() {
    Parameters parameters = stack();
    Adam adam = new Adam(parameters);
    Slice slice = new Slice(1, 3);
    Map<String, TensorData> file = new LinkedHashMap<>();
    long before = Pointer.totalCount();
    for (int i = 0; i < 100; i++) {
      parameters.export("", file, slice);
      parameters.load("", file, "file", slice);
      adam.export("adam/", file, slice);
      adam.load("adam/", file, "file", slice);
    }
    long more = Pointer.totalCount() - before;
    assertTrue(more < 100, more + " more pointers");
  }
}
