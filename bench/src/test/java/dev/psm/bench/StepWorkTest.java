package dev.psm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepWorkTest {
  private static double giga(String agent, String phase, boolean unused) {
    return StepWork.flops(new TrainingSubject(agent, phase, TrainingSize.PAPER), unused) / 1e9;
  }

  /** Counted by hand from the widths 24, 6, 16, 128, 256 and 1024, batch 1024. */
  @Test
  void theFullPsmStepOfPaperSize() {
    assertEquals(2e-9 * 1024 * 18_831_360, giga("psm", "proto", false), 1e-9);
    assertEquals(2e-9 * 1024 * 35_301_376, giga("psm", "successor", false), 1e-9);
    assertEquals(110.9, giga("psm", "both", false), 0.1);
  }

  @Test
  void aPlainWayBackToTheActorCostsMore() {
    assertEquals(125, giga("psm", "both", true), 0.5);
  }

  @ParameterizedTest
  @CsvSource({"fb,73.16", "laplacian,73.53", "hilp,76.00"})
  void otherAgents(String agent, double expected) {
    assertEquals(expected, giga(agent, "both", false), 0.1);
  }
}
