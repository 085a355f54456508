package dev.psm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.psm.core.io.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerSpeedupTest {
  @Test
  void mediansOfAllNumbersAreComparedWithTheFirst() {
    WorkerSpeedup speedup = new WorkerSpeedup();
    for (double seconds : new double[] {30, 10, 12}) {
      speedup.add(1, new WorkerSpeedup.Pass(seconds, 3, seconds + 1));
      speedup.add(2, new WorkerSpeedup.Pass(seconds / 2, 2, seconds));
    }
    ArrayNode list = Json.object().putArray("speedup");
    assertEquals(
        List.of(
            "2 workers are 2.00 times as fast as 1: 6.0 s, of which the pilot 2.0, and 12.0 CPU s;"
                + " instead of 12.0, 3.0 and 13.0 (medians of 3)"),
        speedup.lines(list));
    assertEquals(1.5, list.path(0).path("pilotTimes").asDouble());
  }

  @Test
  void oneNumberIsComparedWithNone() {
    WorkerSpeedup speedup = new WorkerSpeedup();
    speedup.add(2, new WorkerSpeedup.Pass(1, 1, 1));
    assertEquals(List.of(), speedup.lines(Json.object().putArray("speedup")));
  }
}
