package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Policy;
import dev.psm.core.mdp.SuccessorMeasure;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.List;
import java.util.Random;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeastSquaresStepTest {
  private static final int TRIPLES = 50;

  private static Parameters tables(int length) {
    Parameters tables =
        new Parameters()
            .add("basis", torch.zeros(TRIPLES, length))
            .add("bias", torch.zeros(TRIPLES));
    SmallWorlds.randomise(tables, 1);
    return tables;
  }

  private static Tensor measures(Parameters tables, Tensor w) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      return new Evaluated(tables.get("basis"), tables.get("bias")).measures(w);
    }
  }

  /** Coordinates as {@link Coordinates} makes them: hash codes leave the enriched entries empty. */
  private static Tensor hashed(int codes, int shared, int enriched, long seed) {
    return torch.cat(
        new TensorVector(
            Tensors.gaussian(new Random(seed), codes, shared), torch.zeros(codes, enriched)),
        1);
  }

  private static Tensor enriched(int shared, int enriched) {
    return torch
        .cat(new TensorVector(torch.zeros(enriched, shared), torch.eye(enriched)), 1)
        .mul(Tensors.scalar(Math.sqrt(shared + enriched)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void enrichedCodesMoveExactlyToTheirTargetsWhateverTheHashCodesDo(int count) {
    Parameters tables = tables(2 + count);
    Tensor fixed = enriched(2, count);
    LeastSquaresStep step = new LeastSquaresStep(tables, 2 + count);
    for (int i = 0; i < 3; i++) {
      Tensor residual = Tensors.gaussian(new Random(i), 4 + count, TRIPLES);
      Tensor target = measures(tables, fixed).sub(residual.narrow(0, 4, count));
      step.apply(
          hashed(4, 2, count, 10 + i), fixed, residual, Tensors.floats(new float[] {0.3f}, 1));
      float[] expected = Tensors.toFloats(target);
      float[] moved = Tensors.toFloats(measures(tables, fixed));
      for (int entry = 0; entry < expected.length; entry++) {
        assertEquals(expected[entry], moved[entry], 1e-4, "entry " + entry);
      }
    }
  }

  @Test
  void aTinyEntryMovesByTheSameShareAsALargeOne() {
    Parameters tables =
        new Parameters().add("basis", torch.zeros(3, 2)).add("bias", torch.zeros(3));
    float[] sizes = {1, 1e-4f, 1e-9f};
    float[] residual = new float[12];
    for (int code = 0; code < 4; code++) {
      for (int triple = 0; triple < 3; triple++) {
        residual[3 * code + triple] = -sizes[triple];
      }
    }
    Tensor w = hashed(4, 2, 0, 1);
    new LeastSquaresStep(tables, 2)
        .apply(w, null, Tensors.floats(residual, 4, 3), Tensors.floats(new float[] {1}, 1));
    float[] m = Tensors.toFloats(measures(tables, w));
    for (int code = 0; code < 4; code++) {
      double share = m[3 * code] / -residual[3 * code];
      assertTrue(share > 0.1 && share <= 1, "moves by " + share);
      for (int triple = 1; triple < 3; triple++) {
        assertEquals(share, m[3 * code + triple] / -residual[3 * code + triple], 1e-4);
      }
    }
  }

  private static AffinePsm trainer(TransitionTable data) {
    return new AffinePsm(
        Settings.override(
            AffinePsmSettings.tabular(),
            List.of("basisDimension=4", "codesPerStep=4", "coordinateWidth=32", "enrichedCodes=3")),
        data,
        5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theStepDescendsTheExactLoss(boolean enriched) {
    TransitionTable data = SmallWorlds.stochastic(0.8);
    AffinePsm trainer = trainer(data);
    AffineModel model = trainer.model();
    Parameters tables = model.basisParameters();
    SmallWorlds.randomise(tables, 2);
    if (enriched) {
      model.setEnriched(new int[][] {{0, 1, 0, 1}, {1, 1, 1, 1}, {0, 0, 1, 1}});
    }
    AffinePsm.Exact before = trainer.exact(AffinePsmTest.inputs(trainer));
    TensorVector gradient = Tensors.gradients(before.loss(), tables.vector());
    Parameters old = tables.targetCopy();
    new LeastSquaresStep(tables, model.coordinates().length())
        .apply(
            before.hashed().detach(),
            before.enriched(),
            new Dynamics(data, Device.CPU)
                .residual(before.measures().detach(), before.bootstrap(), 0.8),
            Tensors.floats(new float[] {0.3f}, 1));
    double product = 0;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      for (int i = 0; i < 2; i++) {
        Tensor change = Handles.at(tables.vector(), i).sub(Handles.at(old.vector(), i));
        product += change.mul(Handles.at(gradient, i)).sum().item_double();
      }
    }
    assertTrue(product < -1e-3, "slope " + product);
    assertTrue(
        trainer.exact(AffinePsmTest.inputs(trainer)).loss().item_double()
            < before.loss().item_double());
  }

  @Test
  void theExactAnswerStaysWhereItIs() {
    // Both actions do the same, so every policy has the same measure and the bias alone can hold
    // it.
    TransitionTable data =
        new TransitionTable(
            FiniteMdp.deterministic(new int[][] {{1, 1}, {2, 2}, {3, 3}, {0, 0}}, 0.98),
            new float[][] {{0}, {1}, {2}, {3}});
    AffinePsm trainer = trainer(data);
    AffineModel model = trainer.model();
    Tensor exact =
        Tensors.matrix(SuccessorMeasure.ofNextState(data.mdp(), Policy.uniform(4, 2)))
            .div(model.rho())
            .view(-1);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      model.basisParameters().get("bias").copy_(exact);
    }
    trainer.targetBasis.averageTowards(model.basisParameters(), 1);
    model.setEnriched(new int[3][4]);
    for (int step = 0; step < 20; step++) {
      trainer.step();
    }
    float[] expected = Tensors.toFloats(exact);
    float[] bias = Tensors.toFloats(model.basisParameters().get("bias"));
    for (int triple = 0; triple < expected.length; triple++) {
      assertEquals(expected[triple], bias[triple], 1e-5);
    }
    for (float phi : Tensors.toFloats(model.basisParameters().get("basis"))) {
      assertEquals(0, phi, 1e-5);
    }
  }
}
