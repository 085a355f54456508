package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AffinePsmSettingsTest {

  private static UserError refusal(AffinePsmSettings base, String... assignments) {
    return assertThrows(UserError.class, () -> Settings.override(base, List.of(assignments)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "discount=1",
        "discount=-0.1",
        "basisDimension=0",
        "codesPerStep=0",
        "gradientSteps=0",
        "solveCodes=0",
        "solveCodes=65537",
        "basisWidth=0",
        "coordinateWidth=0",
        "coordinateLayers=0",
        "dualSteps=0",
        "basisLearningRate=0",
        "coordinateLearningRate=-1",
        "dualLearningRate=0",
        "targetRate=0",
        "targetRate=1.01",
        "enrichedCodes=-1",
        "enrichmentStart=-0.1",
        "enrichmentStart=1",
        "enrichmentStart=0.0001",
        "basisLearningRate=1.01"
      })
  void anImpossibleValueIsRefusedByName(String assignment) {
    UserError refused = refusal(AffinePsmSettings.tabular(), assignment);
    String key = assignment.substring(0, assignment.indexOf('='));
    assertTrue(refused.getMessage().contains(key), refused.getMessage());
    assertEquals(UserError.Kind.INVALID, refused.kind());
  }

  @Test
  void combinationsThatCannotWorkAreRefusedWithTheFix() {
    assertTrue(
        refusal(AffinePsmSettings.paper(), "codesPerStep=1").getMessage().contains("codesPerStep"));
    assertTrue(
        refusal(AffinePsmSettings.tabular(), "expectation=mesh")
            .getMessage()
            .contains("set enrichedCodes=0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "discount=0",
        "targetRate=1",
        "enrichedCodes=0",
        "enrichmentStart=0.001",
        "basisLearningRate=1",
        "solveCodes=65536",
        "codesPerStep=1"
      })
  void valuesAtTheEdgeAreAccepted(String assignment) {
    Settings.override(AffinePsmSettings.tabular(), List.of(assignment));
  }

  @Test
  void theFirstPresetIsTheDefaultForSoManyStates() {
    for (int states : new int[] {50, 150, 151, 10_000}) {
      Map<String, AffinePsmSettings> presets = AffinePsmSettings.presets(states, 0.9);
      assertEquals(Set.of("tabular", "large", "paper"), presets.keySet());
      assertEquals(states <= 150 ? "tabular" : "large", presets.keySet().iterator().next());
      assertEquals(0, presets.get("large").enrichedCodes());
      presets.values().forEach(preset -> assertEquals(0.9, preset.discount()));
    }
  }
}
