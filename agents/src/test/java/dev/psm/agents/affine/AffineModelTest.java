package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.settings.Settings;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AffineModelTest {
  private static final TransitionTable DATA = SmallWorlds.stochastic(0.9);
  private static final double[][] REWARDS = {{1, 0, 0, 0}, {0.5, -1, 2, 0}};

  private static AffinePsm trained(String representation) {
    AffinePsm trainer =
        new AffinePsm(
            Settings.override(
                AffinePsmSettings.tabular(),
                List.of(
                    "representation=" + representation,
                    "basisDimension=3",
                    "basisWidth=8",
                    "coordinateWidth=8",
                    "enrichedCodes=3",
                    "gradientSteps=12")),
            DATA,
            4);
    while (trainer.stepsDone() < trainer.settings().gradientSteps()) {
      trainer.step();
    }
    return trainer;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "networks"})
  void aFreshModelGivesTheSameAnswersAfterLoading(String representation) {
    AffineModel model = trained(representation).model();
    AffineModel fresh = new AffineModel(model.shape(), DATA);
    double[][][] expected = model.actionValues(REWARDS);
    assertFalse(
        Arrays.deepEquals(expected, fresh.actionValues(REWARDS)), "training must have changed it");
    fresh.load(model.tensors(), "model.safetensors");
    assertTrue(Arrays.deepEquals(expected, fresh.actionValues(REWARDS)));
    assertEquals(model.tensors(), fresh.tensors());
    for (int code = 0; code < 3; code++) {
      assertArrayEquals(model.enriched()[code], fresh.enriched()[code]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "networks"})
  void theShapesOfItsTensorsAreKnownBeforeThereAreAny(String representation) {
    AffineModel model = trained(representation).model();
    Map<String, long[]> shapes = AffineModel.tensorShapes(model.shape(), DATA);
    shapes.put("codebook.enriched", new long[] {3, DATA.stateCount()});
    assertEquals(model.tensors().keySet(), shapes.keySet());
    model
        .tensors()
        .forEach((name, tensor) -> assertArrayEquals(tensor.shape(), shapes.get(name), name));
  }

  private static String refusal(TensorData policies) {
    AffineModel model = trained("tables").model();
    Map<String, TensorData> tensors = new LinkedHashMap<>(model.tensors());
    tensors.put("codebook.enriched", policies);
    return assertThrows(UserError.class, () -> model.load(tensors, "model.safetensors"))
        .getMessage();
  }

  @Test
  void impossibleEnrichedPoliciesAreRefusedByName() {
    String file = "model.safetensors: tensor 'codebook.enriched' ";
    assertEquals(
        file + "has shape [2, 4], expected [3, 4]", refusal(TensorData.of(new long[8], 2, 4)));
    assertEquals(
        file + "has shape [12], expected [3, 4]", refusal(TensorData.of(new long[12], 12)));
    assertEquals(file + "has type F32, expected I64", refusal(TensorData.of(new float[12], 3, 4)));
    for (long action : new long[] {-1, 2, 1L << 32}) {
      long[] policies = new long[12];
      policies[7] = action;
      assertEquals(
          file + "holds " + action + ", expected an action from 0 to 1",
          refusal(TensorData.of(policies, 3, 4)));
    }
  }

  @Test
  void missingTensorsAreRefusedByName() {
    AffineModel model = trained("tables").model();
    for (String name : model.tensors().keySet()) {
      if (!name.equals("codebook.enriched")) {
        Map<String, TensorData> tensors = new LinkedHashMap<>(model.tensors());
        tensors.remove(name);
        String message =
            assertThrows(UserError.class, () -> model.load(tensors, "file")).getMessage();
        assertEquals("file: tensor '" + name + "' is missing", message);
      }
    }
  }
}
