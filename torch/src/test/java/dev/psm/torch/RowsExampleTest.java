package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.TensorData;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a GPU's rows are compared by is no empty example. */
class RowsExampleTest {
  private final Map<String, TensorData> results = RowsExample.results(Device.CPU);

  @Test
  void everyResultIsFiniteAndRepeats() {
    results.forEach((name, data) -> assertTrue(TensorDifference.relative(data, data) == 0, name));
    assertEquals(results, RowsExample.results(Device.CPU));
  }

  @Test
  void targetsFollowWithoutArriving() {
    for (String name : new String[] {"fours", "rest"}) {
      double apart =
          TensorDifference.relative(
              results.get("target/" + name), results.get("parameters/" + name));
      assertTrue(apart > 1e-3 && apart < 0.1, name + ": " + apart);
    }
  }
}
