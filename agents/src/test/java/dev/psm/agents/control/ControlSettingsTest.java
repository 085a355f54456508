package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Agents;
import dev.psm.agents.Decay;
import dev.psm.agents.SmallWorlds;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlSettingsTest {
  /** The presets of all agents. */
  private static List<Map<String, ? extends Record>> presets(World world) {
    List<Map<String, ? extends Record>> all = new ArrayList<>();
    Agents.control().forEach(agent -> all.add(agent.presets(world)));
    return all;
  }

  private static List<Record> small() {
    List<Record> small = new ArrayList<>();
    presets(SmallWorlds.BODY).forEach(presets -> small.add(presets.get("small")));
    return small;
  }

  @Test
  void everyPresetIsValidSmallFirstAndSurvivesItsFile() {
    for (World world : List.of(SmallWorlds.BODY, SmallWorlds.body(0.99))) {
      for (Map<String, ? extends Record> presets : presets(world)) {
        assertEquals("small", presets.keySet().iterator().next());
        assertTrue(presets.containsKey("paper"));
        presets.forEach(
            (name, settings) -> {
              assertEquals(settings, readBack(settings), name);
              assertEquals(settings, Settings.override(settings, List.of()), name);
              String table = Settings.describe(settings);
              assertEquals(Settings.keys(settings.getClass()).size(), table.lines().count(), table);
              assertFalse(table.contains("common"), table);
            });
      }
    }
  }

  private static <R extends Record> Record readBack(R settings) {
    return Settings.fromJson(Settings.toJson(settings), settings.getClass(), "run.json");
  }

  @Test
  void sharedKeysAreSetWithoutAPrefixInEveryAgent() {
    List<String> changes = List.of("width=64", "learningRate=0.5", "batchSize=7");
    ControlSettings common = ControlSettings.small(SmallWorlds.BODY);
    FactoredPsmSettings psm =
        Settings.override(FactoredPsmSettings.presets(SmallWorlds.BODY).get("small"), changes);
    assertEquals(64, psm.common().width());
    assertEquals(0.5, psm.common().learningRate());
    assertEquals(7, psm.common().batchSize());
    assertEquals(common.featureWidth(), psm.common().featureWidth());
    for (Record settings : small()) {
      Record changed = Settings.override(settings, changes);
      assertTrue(Settings.describe(changed).contains("width                64"), "width");
      assertThrows(UserError.class, () -> Settings.override(settings, List.of("common.width=64")));
    }
  }

  private static void assertRefused(Record settings, String assignment) {
    UserError refused =
        assertThrows(UserError.class, () -> Settings.override(settings, List.of(assignment)));
    String key = assignment.substring(0, assignment.indexOf('='));
    assertTrue(refused.getMessage().contains(key), refused.getMessage());
    assertEquals(UserError.Kind.INVALID, refused.kind());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gradientSteps=0",
        "batchSize=1",
        "featureDimension=0",
        "width=0",
        "width=1",
        "width=7",
        "featureWidth=0",
        "discount=1",
        "discount=-0.1",
        "discount=0.99999999999",
        "stride=0",
        "batchSize=65537",
        "width=2000000000",
        "learningRate=0",
        "learningRate=1e300",
        "learningRate=1e-50",
        "featureLearningRate=1e39",
        "targetRate=1e-50",
        "noise=1e300",
        "noiseClip=1e39",
        "pessimism=1e39",
        "featureLearningRate=-1",
        "targetRate=0",
        "targetRate=1.01",
        "noise=-0.1",
        "noiseClip=-0.1",
        "goalShare=-0.01",
        "goalShare=1.01",
        "pessimism=-0.5"
      })
  void anImpossibleValueIsRefusedByNameInEveryAgent(String assignment) {
    small().forEach(settings -> assertRefused(settings, assignment));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gradientSteps=1",
        "batchSize=2",
        "featureDimension=1",
        "width=2",
        "featureWidth=1",
        "discount=0",
        "stride=1000000",
        "targetRate=1",
        "noise=0",
        "noiseClip=0",
        "goalShare=0",
        "goalShare=1",
        "pessimism=0"
      })
  void valuesAtTheEdgeAreAccepted(String assignment) {
    small().forEach(settings -> Settings.override(settings, List.of(assignment)));
  }

  @Test
  void anAgentsOwnImpossibleValuesAreRefusedByName() {
    FactoredPsmSettings psm = FactoredPsmSettings.presets(SmallWorlds.BODY).get("small");
    for (String assignment :
        List.of("protoSteps=-1", "orthonormality=-1", "schedule=three-phase", "basisDiscount=1")) {
      assertRefused(psm, assignment);
    }
    assertRefused(
        ForwardBackwardSettings.presets(SmallWorlds.BODY).get("small"), "orthonormality=-1");
    assertRefused(
        SuccessorFeatureSettings.presets(SmallWorlds.BODY).get("small"), "alongTask=maybe");
    HilpSettings hilp = HilpSettings.presets(SmallWorlds.BODY).get("small");
    for (String assignment :
        List.of(
            "featureDiscount=1",
            "featureDiscount=-0.1",
            "expectile=0",
            "expectile=1",
            "featureTargetRate=0",
            "featureTargetRate=1.1")) {
      assertRefused(hilp, assignment);
    }
  }

  @Test
  void notANumberIsNeverAccepted() {
    for (int field = 0; field < 10; field++) {
      double[] v = {0.9, 1e-3, 1e-3, 1e-3, 0.01, 0.2, 0.3, 0.5, 0.5, 0.5};
      v[field] = Double.NaN;
      assertThrows(
          UserError.class,
          () ->
              new ControlSettings(
                  1,
                  2,
                  1,
                  2,
                  1,
                  v[0],
                  1,
                  v[1],
                  v[2],
                  v[3],
                  Decay.NONE,
                  v[4],
                  v[5],
                  v[6],
                  v[7],
                  v[8],
                  v[9]));
    }
    ControlSettings common = ControlSettings.small(SmallWorlds.BODY);
    double nan = Double.NaN;
    assertThrows(UserError.class, () -> new HilpSettings(common, nan, 0.5, 0.1, true));
    assertThrows(UserError.class, () -> new HilpSettings(common, 0.9, nan, 0.1, true));
    assertThrows(UserError.class, () -> new HilpSettings(common, 0.9, 0.5, nan, true));
    assertThrows(UserError.class, () -> new ForwardBackwardSettings(common, nan));
    assertThrows(
        UserError.class,
        () -> new FactoredPsmSettings(common, FactoredPsmSettings.Schedule.INTERLEAVED, 1, nan, 0));
    assertThrows(
        UserError.class,
        () -> new FactoredPsmSettings(common, FactoredPsmSettings.Schedule.INTERLEAVED, 1, 1, nan));
  }

  @Test
  void thePaperPresetsHaveThePrintedFigures() {
    ControlSettings walker = FactoredPsmSettings.presets(SmallWorlds.BODY).get("paper").common();
    assertEquals(
        new ControlSettings(
            2_000_000,
            1024,
            128,
            1024,
            256,
            0.98,
            1,
            3e-4,
            3e-4,
            3e-4,
            Decay.NONE,
            0.01,
            0.2,
            0.3,
            0,
            0.5,
            0.5),
        walker);
    assertEquals(walker, ForwardBackwardSettings.presets(SmallWorlds.BODY).get("paper").common());
    assertEquals(
        0.99, FactoredPsmSettings.presets(SmallWorlds.body(0.99)).get("paper").common().discount());
    assertEquals(
        1e-4,
        FactoredPsmSettings.presets(SmallWorlds.BODY).get("released").common().learningRate());
    SuccessorFeatureSettings laplacian =
        SuccessorFeatureSettings.presets(SmallWorlds.BODY).get("released");
    assertEquals(5e-4, laplacian.common().featureLearningRate(), 1e-12);
    HilpSettings hilp = HilpSettings.presets(SmallWorlds.BODY).get("paper");
    assertEquals(0.96, hilp.featureDiscount());
    assertEquals(0.5, hilp.expectile());
    assertEquals(0.005, hilp.featureTargetRate());
    Map<String, HilpSettings> published = HilpSettings.presets(SmallWorlds.BODY);
    assertEquals(0.96, published.get("authors-walker").featureDiscount());
    assertEquals(0.98, published.get("authors-cheetah").featureDiscount());
    assertFalse(published.get("authors-cheetah").alongTask());
    assertTrue(published.get("authors-quadruped").alongTask());
  }

  @Test
  void transitionsAreSingleStepsButWhereTargetsAreFarAndFeaturesHaveTheDiscountOfPolicies() {
    for (Map<String, ? extends Record> presets : presets(SmallWorlds.BODY)) {
      presets.forEach(
          (name, preset) -> {
            ControlSettings common = ((ControlAgentSettings) preset).common();
            int stride = name.equals("small-far") ? 10 : 1;
            assertEquals(stride, common.stride(), name);
            assertEquals(Math.pow(common.discount(), stride), common.transitionDiscount());
          });
    }
    FactoredPsmSettings small = FactoredPsmSettings.presets(SmallWorlds.BODY).get("small");
    FactoredPsmSettings changed = Settings.override(small, List.of("discount=0.9", "stride=3"));
    assertEquals(0.9 * 0.9 * 0.9, changed.common().transitionDiscount(), 1e-12);
    assertEquals(changed.common().transitionDiscount(), changed.basisTransitionDiscount());
    FactoredPsmSettings apart = Settings.override(changed, List.of("basisDiscount=0.5"));
    assertEquals(0.125, apart.basisTransitionDiscount(), 1e-12);
  }

  @Test
  void theScheduleSaysWhatAStepLearns() {
    ControlSettings common = ControlSettings.small(SmallWorlds.BODY);
    FactoredPsmSettings phased =
        new FactoredPsmSettings(common, FactoredPsmSettings.Schedule.TWO_PHASE, 5, 1, 0);
    assertEquals(Phases.Phase.FEATURES, phased.phases().at(4));
    assertEquals(Phases.Phase.POLICIES, phased.phases().at(5));
    FactoredPsmSettings both =
        new FactoredPsmSettings(common, FactoredPsmSettings.Schedule.INTERLEAVED, 5, 1, 0);
    assertEquals(Phases.Phase.BOTH, both.phases().at(0));
    assertEquals(Phases.Phase.BOTH, both.phases().at(9));
  }
}
