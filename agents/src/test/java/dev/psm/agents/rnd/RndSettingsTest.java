package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RndSettingsTest {
  private static final RndSettings BASE = RndSettings.presets().get("small");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "width=0",
        "representation=0",
        "batchSize=1",
        "stepsPerUpdate=0",
        "nStep=0",
        "discount=1",
        "discount=-0.1",
        "learningRate=0",
        "learningRate=1e300",
        "noiseClip=1e300",
        "width=2000000000",
        "targetRate=0",
        "targetRate=1.1",
        "noise=-0.1",
        "noiseClip=-0.1",
        "seedSteps=-1",
        "replayCapacity=2"
      })
  void anImpossibleValueIsRefusedByName(String assignment) {
    UserError refused =
        assertThrows(UserError.class, () -> Settings.override(BASE, List.of(assignment)));
    String key = assignment.substring(0, assignment.indexOf('='));
    assertTrue(refused.getMessage().contains(key), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "batchSize=2",
        "nStep=1",
        "discount=0",
        "targetRate=1",
        "noise=0",
        "noiseClip=0",
        "seedSteps=0",
        "replayCapacity=3"
      })
  void valuesAtTheEdgeAreAccepted(String assignment) {
    Settings.override(BASE, List.of(assignment));
  }

  @Test
  void notANumberIsNeverAccepted() {
    for (int field = 0; field < 5; field++) {
      double[] v = {0.99, 1e-4, 0.01, 0.2, 0.3};
      v[field] = Double.NaN;
      assertThrows(
          UserError.class,
          () -> new RndSettings(8, 8, 8, 1, 3, v[0], v[1], v[2], v[3], v[4], 0, 10));
    }
  }

  @Test
  void urlbHasThePublishedFigures() {
    assertEquals(
        new RndSettings(1024, 512, 1024, 2, 3, 0.99, 1e-4, 0.01, 0.2, 0.3, 4000, 1_000_000),
        RndSettings.presets().get("urlb"));
  }
}
