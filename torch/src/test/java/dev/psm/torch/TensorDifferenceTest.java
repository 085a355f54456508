package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.io.TensorData;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TensorDifferenceTest {
  @Test
  void theLargestDifferenceIsTold() {
    TensorData one = TensorData.of(new float[] {1}, 1);
    TensorData near = TensorData.of(new float[] {1.5f}, 1);
    TensorData none = TensorData.of(new float[] {Float.NaN}, 1);
    Map<String, TensorData> expected = new TreeMap<>(Map.of("a", one, "b", one, "c", one));
    Map<String, TensorData> found = Map.of("a", one, "b", near, "c", one);
    assertEquals(
        new TensorDifference("b", 0.5), TensorDifference.largest(found, expected, name -> true));
    Map<String, TensorData> broken = Map.of("a", none, "b", near, "c", one);
    assertEquals(
        new TensorDifference("a", Double.POSITIVE_INFINITY),
        TensorDifference.largest(broken, expected, name -> true));
    assertThrows(
        IllegalArgumentException.class,
        () -> TensorDifference.largest(found, expected, name -> name.equals("d")));
  }

  @Test
  void differencesAreRelativeToTheWholeTensor() {
    TensorData three = TensorData.of(new float[] {3, 4}, 2);
    assertEquals(
        0.2, TensorDifference.relative(TensorData.of(new float[] {3, 5}, 2), three), 1e-12);
    assertEquals(5, TensorDifference.relative(three, TensorData.of(new float[2], 2)), 1e-12);
    assertEquals(0, TensorDifference.relative(three, three));
    TensorData one = TensorData.of(new long[] {1}, 1);
    assertEquals(0, TensorDifference.relative(one, TensorData.of(new long[] {1}, 1)));
    assertEquals(
        Double.POSITIVE_INFINITY, TensorDifference.relative(one, TensorData.of(new long[] {2}, 1)));
  }
}
