package dev.psm.agents.finite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Decay;
import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BaselineSettingsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "discount=1",
        "discount=-0.1",
        "featureDimension=0",
        "forwardWidth=0",
        "featureWidth=0",
        "gradientSteps=0",
        "batchSize=1",
        "learningRate=0",
        "learningRate=1e300",
        "orthonormality=1e39",
        "batchSize=2000000000",
        "featureLearningRate=-1",
        "targetRate=0",
        "targetRate=1.01",
        "goalShare=-0.01",
        "goalShare=1.01",
        "orthonormality=-1"
      })
  void anImpossibleValueIsRefusedByName(String assignment) {
    UserError refused =
        assertThrows(
            UserError.class,
            () ->
                Settings.override(
                    BaselineSettings.presets(0.98, 1e-3, 0.5, 1e-4).get("tabular"),
                    List.of(assignment)));
    String key = assignment.substring(0, assignment.indexOf('='));
    assertTrue(refused.getMessage().contains(key), refused.getMessage());
    assertEquals(UserError.Kind.INVALID, refused.kind());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "discount=0",
        "featureDimension=1",
        "batchSize=2",
        "targetRate=1",
        "goalShare=0",
        "goalShare=1",
        "orthonormality=0"
      })
  void valuesAtTheEdgeAreAccepted(String assignment) {
    Settings.override(
        BaselineSettings.presets(0.98, 1e-3, 0.5, 1e-4).get("tabular"), List.of(assignment));
  }

  @Test
  void notANumberIsNeverAccepted() {
    BaselineSettings base = BaselineSettings.presets(0.98, 1e-3, 0.5, 1e-4).get("tabular");
    for (int field = 0; field < 6; field++) {
      double[] values = {
        base.discount(),
        base.learningRate(),
        base.featureLearningRate(),
        base.targetRate(),
        base.goalShare(),
        base.orthonormality()
      };
      values[field] = Double.NaN;
      assertThrows(
          UserError.class,
          () ->
              new BaselineSettings(
                  values[0],
                  base.observation(),
                  base.featureDimension(),
                  base.forwardWidth(),
                  base.featureWidth(),
                  base.batchSize(),
                  values[1],
                  values[2],
                  base.decay(),
                  values[3],
                  values[4],
                  values[5],
                  base.gradientSteps()));
    }
  }

  @Test
  void decayStartsAtTheFullRateAndShrinks() {
    for (Decay decay : Decay.values()) {
      assertEquals(1, decay.at(0), 1e-12);
    }
    assertEquals(1, Decay.NONE.at(0.999), 1e-12);
    assertEquals(1, Decay.LINEAR.at(0.5), 1e-12);
    assertEquals(0.5, Decay.LINEAR.at(0.75), 1e-12);
    assertEquals(0.5, Decay.COSINE.at(0.5), 1e-12);
    assertEquals(0, Decay.COSINE.at(1), 1e-12);
  }
}
