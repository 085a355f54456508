package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.core.env.GridMap;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AffineBasisTest {
  private static final int STATES = 4;
  private static final int ACTIONS = 3;
  private static final int DIMENSION = 2;
  private static final int[] ROW_STATES = {0, 3, 3, 2, 1};
  private static final int[] ROW_ACTIONS = {2, 0, 1, 2, 2};
  private static final int[] COLUMN_STATES = {1, 1, 3, 0, 2};

  private static AffineBasis basis(String kind) {
    return kind.equals("tables")
        ? new TableBasis(STATES, ACTIONS, DIMENSION)
        : new NetworkBasis(
            Tensors.gaussian(new Random(2), STATES, 3), ACTIONS, DIMENSION, 8, new Random(1));
  }

  private static Parameters randomised(AffineBasis basis) {
    Parameters parameters = basis.parameters();
    SmallWorlds.randomise(parameters, 4);
    return parameters;
  }

  private static Tensor index(int... values) {
    return Tensors.longs(values, values.length);
  }

  private static float[] mesh(AffineBasis basis, Parameters parameters, Tensor w) {
    return Tensors.toFloats(
        basis
            .mesh(parameters, index(ROW_STATES), index(ROW_ACTIONS), index(COLUMN_STATES))
            .meshMeasures(w));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "networks"})
  void theMeshIsEverywhereAtTheSameTriples(String kind) {
    AffineBasis basis = basis(kind);
    Parameters parameters = randomised(basis);
    Tensor w = Tensors.gaussian(new Random(3), 5, DIMENSION);
    float[] mesh = mesh(basis, parameters, w);
    float[] everywhere = Tensors.toFloats(basis.everywhere(parameters).measures(w));
    int triples = STATES * ACTIONS * STATES;
    assertEquals(5 * triples, everywhere.length);
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {
        int triple = (ROW_STATES[i] * ACTIONS + ROW_ACTIONS[i]) * STATES + COLUMN_STATES[j];
        assertEquals(everywhere[i * triples + triple], mesh[i * 5 + j], 1e-4, i + "," + j);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "networks"})
  void anotherCodeInOneRowChangesThatRowOnly(String kind) {
    AffineBasis basis = basis(kind);
    Parameters parameters = randomised(basis);
    Tensor w = Tensors.gaussian(new Random(3), 5, DIMENSION);
    float[] before = mesh(basis, parameters, w);
    w.select(0, 2).add_(Tensors.floats(new float[] {1, -2}, 2));
    float[] after = mesh(basis, parameters, w);
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {
        boolean changed = Math.abs(after[i * 5 + j] - before[i * 5 + j]) > 1e-5;
        assertEquals(i == 2, changed, i + "," + j);
      }
    }
  }

  @Test
  void aTableHoldsTripleAtItsIndexAndTheMeasureIsAffine() {
    TableBasis basis = new TableBasis(STATES, ACTIONS, DIMENSION);
    Parameters parameters = randomised(basis);
    float[] phi = Tensors.toFloats(parameters.get("basis"));
    float[] bias = Tensors.toFloats(parameters.get("bias"));
    float[] w = {0.5f, -2};
    float[] m = Tensors.toFloats(basis.everywhere(parameters).measures(Tensors.floats(w, 1, 2)));
    for (int triple = 0; triple < m.length; triple++) {
      double expected = phi[2 * triple] * w[0] + phi[2 * triple + 1] * w[1] + bias[triple];
      assertEquals(expected, m[triple], 1e-5);
    }
  }

  @Test
  void networksTellActionsAndArgumentsApart() {
    AffineBasis basis = basis("networks");
    Evaluated evaluated = basis.everywhere(randomised(basis));
    float[] b = Tensors.toFloats(evaluated.bias());
    for (int i = 0; i < b.length; i++) {
      for (int j = 0; j < i; j++) {
        assertTrue(Math.abs(b[i] - b[j]) > 1e-7, i + " and " + j + " are the same");
      }
    }
  }

  @Test
  void publishedSizesHaveThePublishedParameterCounts() {
    GridMap map = GridMap.named("gridworld");
    float[][] observations = new float[map.freeCellCount()][];
    for (int state = 0; state < observations.length; state++) {
      observations[state] = map.observation(state);
    }
    AffineModel model =
        new AffineModel(
            AffinePsmSettings.paper().shape(1), new TransitionTable(map.toMdp(0.98), observations));
    long basis = 0;
    long bias = 0;
    for (var entry : model.basisParameters().asMap().entrySet()) {
      if (entry.getKey().startsWith("basis.")) {
        basis += entry.getValue().numel();
      } else {
        bias += entry.getValue().numel();
      }
    }
    assertEquals(4_467_968, basis);
    assertEquals(3_161_093, bias);
    assertEquals(2_379_008, model.coordinateParameters().count());
  }
}
