package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BenchStudioCommandTest {
  @Tag("slow")
  @Test
  void strokesAndFormulasAreTimedInTheBrowser() {
    JsonNode document =
        Cli.run("bench", "studio", "--rounds", "2", "--body", "../models/walker-psm", "--json")
            .json();
    for (String kind : new String[] {"strokeToPicture", "enterToMove", "typedToMove"}) {
      JsonNode times = document.path(kind);
      assertEquals(2, times.path("milliseconds").size(), kind);
      assertTrue(times.path("medianMilliseconds").asDouble() > 0, kind);
      assertTrue(
          times.path("slowestMilliseconds").asDouble()
              >= times.path("medianMilliseconds").asDouble(),
          kind);
    }
    assertTrue(document.path("browser").asText().contains("Chrome"), document::toString);
  }

  @Test
  void bodyThatIsNotThereIsRefused() {
    Cli.run("bench", "studio", "--body", "no/such").refused("no/such");
    Cli.run("bench", "studio", "--rounds", "0").refused("--rounds");
  }
}
