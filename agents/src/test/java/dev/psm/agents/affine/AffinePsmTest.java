package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.SolveMethod;
import dev.psm.core.env.GridMap;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Policy;
import dev.psm.core.mdp.SuccessorMeasure;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.List;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AffinePsmTest {
  private static final int[] CODES = {3, 1000, 60_000, 7};

  private static final Random TRANSITIONS = new Random(3);

  private static AffinePsmSettings settings(String... assignments) {
    AffinePsmSettings small =
        Settings.override(
            AffinePsmSettings.tabular(),
            List.of("basisDimension=4", "codesPerStep=4", "coordinateWidth=32", "basisWidth=16"));
    return Settings.override(small, List.of(assignments));
  }

  /** {@link #CODES} for either expectation, with transitions newly drawn. */
  static AffineInputs inputs(AffinePsm trainer) {
    AffineInputs.Layout layout = new AffineInputs.Layout(CODES.length, 4, true, true);
    long[] numbers = new long[layout.numbers()];
    trainer.source().write(layout, CODES, TRANSITIONS, numbers, 0);
    return layout.split(Tensors.longs(numbers, numbers.length));
  }

  private static void train(AffinePsm trainer) {
    while (trainer.stepsDone() < trainer.settings().gradientSteps()) {
      trainer.step();
    }
  }

  private static float[] measures(AffineModel model, Tensor w) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      return Tensors.toFloats(model.evaluated().measures(w));
    }
  }

  /** A trainer whose online and target tensors differ and are nowhere near zero. */
  private static AffinePsm randomised(TransitionTable data, String representation) {
    AffinePsm trainer =
        new AffinePsm(
            settings(
                "enrichedCodes=0",
                "expectation=mesh",
                "representation=" + representation,
                "discount=0.8",
                "targetRate=1",
                "basisLearningRate=1e-12",
                "coordinateLearningRate=1e-12"),
            data,
            5);
    SmallWorlds.randomise(trainer.model().basisParameters(), 1);
    SmallWorlds.randomise(trainer.model().coordinateParameters(), 2);
    // The target becomes these values; then the online ones move on.
    trainer.step();
    SmallWorlds.randomise(trainer.model().basisParameters(), 3);
    SmallWorlds.randomise(trainer.model().coordinateParameters(), 4);
    return trainer;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "networks"})
  void sampledMeshesAverageToTheExactLoss(String representation) {
    AffinePsm trainer = randomised(SmallWorlds.deterministic(0.8), representation);
    double exact = trainer.exact(inputs(trainer)).loss().item_double();
    int draws = 2000;
    double sum = 0;
    double squares = 0;
    for (int draw = 0; draw < draws; draw++) {
      try (PointerScope scope = new PointerScope();
          NoGradGuard noGradient = new NoGradGuard()) {
        double loss = trainer.meshLoss(inputs(trainer)).item_double();
        sum += loss;
        squares += loss * loss;
      }
    }
    double mean = sum / draws;
    double error = Math.sqrt((squares / draws - mean * mean) / draws);
    assertTrue(error < 0.05 * Math.abs(exact), "too noisy to tell: " + error + " of " + exact);
    assertEquals(exact, mean, 4 * error);
  }

  @Test
  void sampledGradientsAverageToTheExactOneWhereEnteringIsRandom() {
    AffinePsm trainer = randomised(SmallWorlds.stochastic(0.8), "tables");
    TensorVector bias = new TensorVector(trainer.model().basisParameters().get("bias"));
    float[] exact =
        Tensors.toFloats(
            Handles.at(Tensors.gradients(trainer.exact(inputs(trainer)).loss(), bias), 0));
    int draws = 2500;
    double[] sum = new double[exact.length];
    double[] squares = new double[exact.length];
    for (int draw = 0; draw < draws; draw++) {
      try (PointerScope scope = new PointerScope()) {
        float[] gradient =
            Tensors.toFloats(
                Handles.at(Tensors.gradients(trainer.meshLoss(inputs(trainer)), bias), 0));
        for (int i = 0; i < sum.length; i++) {
          sum[i] += gradient[i];
          squares[i] += gradient[i] * gradient[i];
        }
      }
    }
    double chi = 0;
    for (int i = 0; i < sum.length; i++) {
      double mean = sum[i] / draws;
      double variance = (squares[i] / draws - mean * mean) / draws;
      chi += (mean - exact[i]) * (mean - exact[i]) / variance;
    }
    // 32 standardised squares: mean 32, standard deviation 8.
    assertTrue(chi < 72, "χ² of " + chi + " for 32 entries");
  }

  @ParameterizedTest
  @CsvSource({"exact,tables,0.05", "mesh,tables,0.6"})
  void withoutAFutureTheMeasurePeaksAtTheNextState(
      String expectation, String representation, double tolerance) {
    // 0 → 1 → 2 → 3 → 3 by either action, so ρ is (0, ¼, ¼, ½).
    TransitionTable chain =
        new TransitionTable(
            FiniteMdp.deterministic(new int[][] {{1, 1}, {2, 2}, {3, 3}, {3, 3}}, 0),
            new float[][] {{0}, {1}, {2}, {3}});
    AffinePsm trainer =
        new AffinePsm(
            settings(
                "discount=0",
                "enrichedCodes=0",
                "expectation=" + expectation,
                "representation=" + representation,
                "basisLearningRate=0.03",
                "codesPerStep=16",
                "gradientSteps=600"),
            chain,
            1);
    train(trainer);
    double[] rho = {0, 0.25, 0.25, 0.5};
    float[] m = measures(trainer.model(), trainer.model().candidateCoordinates().narrow(0, 0, 1));
    for (int pair = 0; pair < 8; pair++) {
      int next = Math.min(pair / 2 + 1, 3);
      for (int goal = 1; goal < 4; goal++) {
        double expected = goal == next ? 1 / rho[goal] : 0;
        assertEquals(expected, m[pair * 4 + goal], tolerance, pair + " to " + goal);
      }
    }
    trainer.metrics().forEach((name, value) -> assertTrue(Double.isFinite(value), name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deterministic", "stochastic"})
  void enrichedPoliciesGetTheirExactMeasures(String kind) {
    double discount = 0.8;
    TransitionTable data =
        kind.equals("deterministic")
            ? SmallWorlds.deterministic(discount)
            : SmallWorlds.stochastic(discount);
    AffinePsm trainer =
        new AffinePsm(
            settings(
                "discount=" + discount,
                "enrichedCodes=4",
                "enrichmentStart=0.1",
                "gradientSteps=800"),
            data,
            3);
    train(trainer);
    AffineModel model = trainer.model();
    float[] m = measures(model, model.coordinates().ofEnriched());
    double[] rho = data.nextStateDistribution();
    int pairs = data.pairCount();
    assertEquals(4, model.enriched().length);
    for (int code = 0; code < 4; code++) {
      double[][] exact =
          SuccessorMeasure.ofNextState(data.mdp(), Policy.deterministic(model.enriched()[code], 2));
      double wrong = 0;
      double size = 0;
      for (int pair = 0; pair < pairs; pair++) {
        double mass = 0;
        for (int goal = 0; goal < 4; goal++) {
          double learned = m[(code * pairs + pair) * 4 + goal];
          double density = exact[pair][goal] / rho[goal];
          wrong += (learned - density) * (learned - density);
          size += density * density;
          mass += rho[goal] * learned;
        }
        assertEquals(1, mass, 0.02, "mass of pair " + pair);
      }
      double error = Math.sqrt(wrong / size);
      assertTrue(error < 0.02, "relative error " + error);
    }
    assertTrue(trainer.metrics().get("measure_error_enriched") < 0.02);
  }

  @ParameterizedTest
  @CsvSource({"exact,tables", "mesh,tables", "exact,networks", "mesh,networks"})
  void targetsMoveOnlyByAveraging(String expectation, String representation) {
    AffinePsm trainer =
        new AffinePsm(
            settings(
                "enrichedCodes=0",
                "targetRate=0.1",
                "expectation=" + expectation,
                "representation=" + representation),
            SmallWorlds.deterministic(0.98),
            1);
    AffineModel model = trainer.model();
    for (int step = 0; step < 3; step++) {
      Parameters basisBefore = trainer.targetBasis.targetCopy();
      Parameters coordinatesBefore = trainer.targetCoordinates.targetCopy();
      trainer.step();
      assertNull(
          SmallWorlds.notAveraged(basisBefore, model.basisParameters(), trainer.targetBasis, 0.1));
      assertNull(
          SmallWorlds.notAveraged(
              coordinatesBefore, model.coordinateParameters(), trainer.targetCoordinates, 0.1));
    }
    trainer.targetBasis.asMap().values().forEach(t -> assertFalse(t.requires_grad()));
    trainer.targetCoordinates.asMap().values().forEach(t -> assertFalse(t.requires_grad()));
  }

  @Test
  void theBootstrapIsTheTargetsAndCarriesNoGradient() {
    AffinePsm trainer = randomised(SmallWorlds.deterministic(0.8), "tables");
    AffineModel model = trainer.model();
    float[] gradient =
        Tensors.toFloats(
            Handles.at(
                Tensors.gradients(
                    trainer.exact(inputs(trainer)).loss(),
                    new TensorVector(model.basisParameters().get("bias"))),
                0));
    // ∂L/∂b at a triple is ρ(s⁺) (m − γ m̄(s′, π(s′), s⁺)) − (1 − γ)1[s⁺ = s′], averaged.
    TransitionTable data = SmallWorlds.deterministic(0.8);
    double[] rho = data.nextStateDistribution();
    float[] m = measures(model, model.coordinates().ofCodes(model.coordinateParameters(), CODES));
    float[] target =
        Tensors.toFloats(
            model
                .basis()
                .everywhere(trainer.targetBasis)
                .measures(model.coordinates().ofCodes(trainer.targetCoordinates, CODES)));
    for (int triple = 0; triple < 32; triple++) {
      int pair = triple / 4;
      int goal = triple % 4;
      int next = data.mdp().successor(data.mdp().rowStart(pair));
      double expected = 0;
      for (int code = 0; code < CODES.length; code++) {
        int nextPair = 2 * next + model.codebook().action(CODES[code], next);
        double difference = m[code * 32 + triple] - 0.8 * target[code * 32 + nextPair * 4 + goal];
        expected += (rho[goal] * difference - 0.2 * (goal == next ? 1 : 0)) / (8 * CODES.length);
      }
      assertEquals(expected, gradient[triple], 1e-5, "triple " + triple);
    }
  }

  @Test
  void theFarEndOfALongCorridorIsFoundFromRandomPoliciesAlone() {
    // Random policies hardly ever cross it: what decides at the far end is many orders of magnitude
    // below the peak.
    GridMap corridor = GridMap.parse("corridor", ".".repeat(30) + "\n");
    AffinePsm trainer =
        new AffinePsm(
            Settings.override(
                AffinePsmSettings.tabular(), List.of("enrichedCodes=0", "gradientSteps=600")),
            SmallWorlds.of(corridor, 0.98),
            1);
    train(trainer);
    double[][][] q = trainer.model().actionValues(SmallWorlds.goals(corridor), SolveMethod.GPI);
    assertEquals(0, SmallWorlds.error(corridor, q));
  }

  @ParameterizedTest
  @CsvSource({"exact,tables,2", "mesh,tables,0", "exact,networks,2", "mesh,networks,0"})
  void theSeedDecidesEveryBit(String expectation, String representation, int enriched) {
    AffinePsmSettings settings =
        settings(
            "enrichedCodes=" + enriched,
            "enrichmentStart=0.5",
            "gradientSteps=20",
            "expectation=" + expectation,
            "representation=" + representation);
    AffinePsm first = new AffinePsm(settings, SmallWorlds.stochastic(0.98), 11);
    AffinePsm second = new AffinePsm(settings, SmallWorlds.stochastic(0.98), 11);
    AffinePsm other = new AffinePsm(settings, SmallWorlds.stochastic(0.98), 12);
    train(first);
    train(second);
    train(other);
    assertEquals(first.model().tensors(), second.model().tensors());
    for (String name : first.model().tensors().keySet()) {
      if (!name.equals("codebook.enriched")) {
        assertNotEquals(first.model().tensors().get(name), other.model().tensors().get(name), name);
      }
    }
  }
}
