package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BenchServeCommandTest {
  @Tag("slow")
  @Test
  void latenciesOverloadAndMemoryAreMeasured() {
    JsonNode document =
        Cli.run(
                "bench",
                "serve",
                "../models/walker-psm",
                "--rate=50",
                "--seconds=1",
                "--memory-minutes=0.1",
                "--json")
            .json();
    for (String kind : new String[] {"act", "actBatch64", "inferJson", "inferBinary", "solve"}) {
      JsonNode told = document.path(kind);
      assertTrue(told.path("p50Milliseconds").asDouble() > 0, kind);
      assertTrue(told.path("statuses").path("200").asInt() > 0, kind);
    }
    assertTrue(document.path("saturation").path("perSecond").asDouble() > 0);
    document
        .path("overload")
        .path("statuses")
        .fieldNames()
        .forEachRemaining(status -> assertTrue(status.equals("200") || status.equals("429")));
    JsonNode memory = document.path("memory");
    assertEquals(8, memory.path("residentMegabytes").size());
    assertTrue(memory.path("framesOfTheControlLoop").asInt() > 10, memory::toString);
    // Every 20th request is wrong on purpose.
    assertEquals(
        memory.path("statuses").path("200").asInt(),
        19 * memory.path("statuses").path("404").asInt()
            + 19 * memory.path("statuses").path("400").asInt(),
        memory::toString);
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    Cli.run("bench", "serve", "no/such").refused("no/such");
    Cli.run("bench", "serve", "--rate", "0").refused("--rate");
    Cli.run("bench", "serve", "--memory-minutes", "-1").refused("--memory-minutes");
  }
}
