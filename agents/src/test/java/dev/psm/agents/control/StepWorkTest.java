package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.agents.Agents;
import dev.psm.agents.SmallWorlds;
import dev.psm.core.settings.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** At paper size with the walker's 24 numbers of observation and 6 of action. */
class StepWorkTest {
  private static long perRow(String id, String part) {
    ControlAgent agent = Agents.control(id);
    Record settings =
        Settings.override(agent.preset("paper", SmallWorlds.BODY), agent.parts().get(part));
    return agent.multiplications(settings, 24, 6);
  }

  /** Counted by hand from the widths 24, 6, 16, 128, 256 and 1024. */
  @Test
  void theParts() {
    assertEquals(18_831_360, perRow("psm", "proto"));
    assertEquals(35_301_376, perRow("psm", "successor"));
  }

  /** Thousands of millions of multiplications and additions of a batch of 1024 rows. */
  @ParameterizedTest
  @CsvSource({"psm,110.9", "fb,73.16", "laplacian,73.53", "hilp,76.00"})
  void aWholeStep(String agent, double expected) {
    assertEquals(expected, 2e-9 * 1024 * perRow(agent, ControlAgent.WHOLE_STEP), 0.1);
  }
}
