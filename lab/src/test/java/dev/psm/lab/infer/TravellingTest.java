package dev.psm.lab.infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.lab.pass.Packed;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TravellingTest {
  @Test
  void sumsComeBackFromTextToTheBit() {
    RewardSums sums = RewardSums.zero(3, 2, true, 5);
    sums.rewardFeatures()[4] = 1 / 3.0;
    sums.influences()[2] = Double.MIN_VALUE;
    sums.squares()[1] = 1e46;
    sums.between()[7] = 9_000_000_000L;
    String text = Json.line(sums.toJson());
    RewardSums back = RewardSums.of((ObjectNode) Json.parse(text, "sums"));
    assertEquals(text, Json.line(back.toJson()));
    assertArrayEquals(sums.rewardFeatures(), back.rewardFeatures());
    assertEquals(Double.POSITIVE_INFINITY, back.least()[0]);
    assertArrayEquals(sums.squares(), back.squares());
    assertEquals(9_000_000_000L, back.between()[7]);
  }

  /** Longer than a reader of JSON takes as one text. */
  @Test
  void longArraysTravelInPieces() {
    double[] values = IntStream.range(0, 3_000_000).mapToDouble(Math::sqrt).toArray();
    ObjectNode node = Json.object();
    Packed.put(node, "values", values);
    assertArrayEquals(values, Packed.doubles(Json.parse(Json.line(node), "values"), "values"));
  }
}
