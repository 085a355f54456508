package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.agents.affine.AffineModel.Projected;
import dev.psm.agents.finite.BaselineTraining;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Tensors;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SolvingTest {
  private static AffineModel room;

  @BeforeAll
  static void pretrain() {
    AffinePsm trainer =
        new AffinePsm(
            Settings.override(
                AffinePsmSettings.tabular(),
                List.of(
                    "discount=0.9",
                    "basisDimension=8",
                    "enrichedCodes=16",
                    "codesPerStep=4",
                    "coordinateWidth=32",
                    "gradientSteps=500",
                    "solveCodes=64",
                    "dualSteps=300")),
            SmallWorlds.room(0.9),
            1);
    while (trainer.stepsDone() < trainer.settings().gradientSteps()) {
      trainer.step();
    }
    room = trainer.model();
  }

  @ParameterizedTest
  @EnumSource(SolveMethod.class)
  void everyMethodFindsTheWayInASmallRoom(SolveMethod method) {
    double error = SmallWorlds.roomError(room.actionValues(SmallWorlds.roomGoals(), method));
    assertTrue(error < 5, method + " is wrong in " + error + " % of cells");
  }

  @Test
  void anOffsetOrScaleOfTheRewardChangesNoPolicy() {
    BaselineTraining.assertOffsetAndScaleChangeNoPolicy(room);
  }

  @Test
  void enrichmentAddsAPolicyForEveryState() {
    Set<Integer> destinations = new HashSet<>();
    for (int[] policy : room.enriched()) {
      int state = 0;
      for (int step = 0; step < 20; step++) {
        state = SmallWorlds.ROOM.nextState(state, policy[state]);
      }
      destinations.add(state);
    }
    // Goals drawn with replacement would leave out six of sixteen.
    assertTrue(destinations.size() >= 14, "only " + destinations);
  }

  @Test
  void theConfiguredMethodIsTheDefault() {
    double[][] rewards = {new Random(1).doubles(16).toArray()};
    assertEquals(SolveMethod.GPI, room.shape().solve());
    double[][] expected = room.actionValues(rewards, SolveMethod.GPI)[0];
    double[][] found = room.actionValues(rewards)[0];
    for (int state = 0; state < 16; state++) {
      assertArrayEquals(expected[state], found[state]);
    }
  }

  /** Q of every candidate code by prompt-free loops: Σ r(s⁺) ρ(s⁺) m(s, a, s⁺). */
  private static double[][] candidateValues(AffineModel model, double[] reward) {
    double[] rho = model.data().nextStateDistribution();
    int states = rho.length;
    int pairs = model.data().pairCount();
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor w = model.candidateCoordinates();
      float[] m = Tensors.toFloats(model.evaluated().measures(w));
      double[][] q = new double[Math.toIntExact(w.size(0))][pairs];
      for (int code = 0; code < q.length; code++) {
        for (int pair = 0; pair < pairs; pair++) {
          for (int state = 0; state < states; state++) {
            q[code][pair] += reward[state] * rho[state] * m[(code * pairs + pair) * states + state];
          }
        }
      }
      return q;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "networks"})
  void generalRewardsAreWeighedByTheMeasure(String representation) {
    TransitionTable data = SmallWorlds.stochastic(0.9);
    AffineModel model =
        new AffineModel(
            Settings.override(
                    AffinePsmSettings.tabular(),
                    List.of(
                        "representation=" + representation,
                        "basisDimension=3",
                        "basisWidth=8",
                        "enrichedCodes=2",
                        "coordinateWidth=8",
                        "solveCodes=5"))
                .shape(2),
            data);
    SmallWorlds.randomise(model.basisParameters(), 3);
    model.setEnriched(new int[][] {{0, 1, 0, 1}, {1, 1, 1, 1}});
    double[][] rewards = {{1, -2, 0.5, 0}, {0, 0, 0, 3}, {-1, -1, -1, -1}};
    double[][][] gpi = model.actionValues(rewards, SolveMethod.GPI);
    double[][][] best = model.actionValues(rewards, SolveMethod.BEST);
    double[][] lessOffset = {{0.9, -2.1, 0.4, -0.1}, {0, 0, 0, 3}, {0, 0, 0, 0}};
    for (int prompt = 0; prompt < rewards.length; prompt++) {
      double[][] q = candidateValues(model, lessOffset[prompt]);
      assertEquals(7, q.length);
      int highest = 0;
      double[] means = new double[q.length];
      for (int code = 0; code < q.length; code++) {
        means[code] = java.util.Arrays.stream(q[code]).average().orElseThrow();
        highest = means[code] > means[highest] ? code : highest;
      }
      for (int pair = 0; pair < 8; pair++) {
        double most = Double.NEGATIVE_INFINITY;
        for (double[] code : q) {
          most = Math.max(most, code[pair]);
        }
        double size = 1e-4 * (1 + Math.abs(most));
        assertEquals(most, gpi[prompt][pair / 2][pair % 2], size);
        assertEquals(q[highest][pair], best[prompt][pair / 2][pair % 2], size);
      }
    }
  }

  /** One prompt with one pair, whose Q is the given row times w. */
  private static Projected objective(double... row) {
    return new Projected(
        Tensors.floats(row, 1, 1, row.length), Tensors.floats(new float[] {0}, 1, 1));
  }

  /** Four triples: one forbids w₀ > ½, the others always hold. */
  private static Evaluated oneLimit() {
    return new Evaluated(
        Tensors.matrix(new double[][] {{-1, 0}, {0, 0}, {0, 0}, {0, 0}}),
        Tensors.floats(new float[] {0.5f, 1, 1, 1}, 4));
  }

  private static AffineShape dualSteps(int steps, double rate) {
    return Settings.override(
            AffinePsmSettings.tabular(), List.of("dualSteps=" + steps, "dualLearningRate=" + rate))
        .shape(0);
  }

  private static double violation(Evaluated evaluated, Tensor w) {
    return evaluated.measures(w).clamp_max(Tensors.scalar(0)).abs().mean().item_double();
  }

  @Test
  void dualDescentObeysAConstraintThatTheObjectiveWouldBreak() {
    Evaluated evaluated = oneLimit();
    double root = Math.sqrt(2);
    Tensor greedy = Tensors.floats(new double[] {root, 0}, 1, 2);
    assertEquals((root - 0.5) / 4, violation(evaluated, greedy), 1e-5);
    Tensor start = Tensors.onSphere(Tensors.floats(new float[] {1, 0.2f}, 1, 2));
    Tensor early = descent(dualSteps(3, 0.005), evaluated).solve(objective(1, 0), start);
    Tensor solved = descent(dualSteps(4000, 0.005), evaluated).solve(objective(1, 0), start);
    assertTrue(violation(evaluated, early) > 0.15, "three steps cannot be enough");
    assertTrue(violation(evaluated, solved) < 0.03, "violated by " + violation(evaluated, solved));
    float[] w = Tensors.toFloats(solved);
    assertEquals(root, Math.hypot(w[0], w[1]), 1e-5);
    // Descent and ascent circle the saddle, so the last step is near it rather than on it.
    assertEquals(0.5, w[0], 0.25, "the constraint must bind, not repel");
    float[] startAfter = Tensors.toFloats(start);
    assertEquals(0.2, startAfter[1] / startAfter[0], 1e-5, "the start must not be overwritten");
  }

  @Test
  void dualDescentFollowsTheObjectiveWhereNothingIsViolated() {
    Evaluated free =
        new Evaluated(
            Tensors.matrix(new double[][] {{0.1, 0}, {0, 0.1}}),
            Tensors.floats(new float[] {1, 1}, 2));
    Tensor start = Tensors.onSphere(Tensors.floats(new float[] {1, 1}, 1, 2));
    // The objective's size must not matter: sparse rewards have tiny ones.
    for (double size : new double[] {1e-4, 1, 1e3}) {
      float[] w =
          Tensors.toFloats(
              descent(dualSteps(600, 0.02), free).solve(objective(-0.6 * size, 0.8 * size), start));
      assertEquals(-0.6 * Math.sqrt(2), w[0], 1e-3);
      assertEquals(0.8 * Math.sqrt(2), w[1], 1e-3);
    }
  }

  @Test
  void dualDescentSolvesPromptsIndependently() {
    Evaluated evaluated = oneLimit();
    Tensor start = Tensors.onSphere(Tensors.floats(new float[] {1, 0.2f, 1, 0.2f}, 2, 2));
    Projected both =
        new Projected(
            Tensors.floats(new float[] {1, 0, 0, 1}, 2, 1, 2), Tensors.floats(new float[2], 2, 1));
    DualDescent descent = descent(dualSteps(200, 0.01), evaluated);
    float[] together = Tensors.toFloats(descent.solve(both, start));
    float[] second = Tensors.toFloats(descent.solve(objective(0, 1), start.narrow(0, 1, 1)));
    assertEquals(second[0], together[2], 1e-4);
    assertEquals(second[1], together[3], 1e-4);
  }

  @Test
  void theLinearProgrammeStopsAtTheConstraint() {
    float[] w = Tensors.toFloats(BoxProgram.solve(oneLimit(), objective(1, 0.1)));
    assertEquals(0.5, w[0], 1e-5);
    assertEquals(Math.sqrt(2), w[1], 1e-5);
  }

  @Test
  void theLinearProgrammeIsFeasibleAndNoFeasibleVectorIsBetter() {
    int length = 6;
    int triples = 900;
    Random random = new Random(9);
    // More triples than are added in one round, and 0 is feasible, so that no slack is needed.
    Evaluated evaluated =
        new Evaluated(
            Tensors.gaussian(random, triples, length),
            Tensors.gaussian(random, triples).abs().add(Tensors.scalar(0.5)));
    double[] goal = random.doubles(length, -1, 1).toArray();
    Tensor solved = BoxProgram.solve(evaluated, objective(goal));
    double least = evaluated.measures(solved).min().item_double();
    assertTrue(least > -1e-4, "least measure " + least);
    double value = value(goal, Tensors.toFloats(solved));
    assertTrue(value > 0);
    for (int trial = 0; trial < 300; trial++) {
      double[] candidate = random.doubles(length, -1, 1).toArray();
      float[] slope =
          Tensors.toFloats(Tensors.floats(candidate, 1, length).matmul(evaluated.basis().t()));
      float[] bias = Tensors.toFloats(evaluated.bias());
      double reach = Math.sqrt(length);
      for (int i = 0; i < triples; i++) {
        reach = slope[i] < 0 ? Math.min(reach, -bias[i] / slope[i]) : reach;
      }
      float[] w = new float[length];
      for (int i = 0; i < length; i++) {
        w[i] = (float) (reach * candidate[i]);
      }
      assertTrue(value(goal, w) <= value + 1e-4, "a feasible vector is better");
    }
  }

  private static double value(double[] goal, float[] w) {
    double value = 0;
    for (int i = 0; i < w.length; i++) {
      value += goal[i] * w[i];
    }
    return value;
  }

  @Test
  void theLinearProgrammeGivesInByTheLeastAmountWhereNothingIsFeasible() {
    // w₀ ≥ 1.2 and w₀ ≤ −0.8 at once: the best worst case is w₀ = 0.2, one short of each.
    Evaluated contradictory =
        new Evaluated(
            Tensors.matrix(new double[][] {{1, 0}, {-1, 0}}),
            Tensors.floats(new float[] {-1.2f, -0.8f}, 2));
    float[] w = Tensors.toFloats(BoxProgram.solve(contradictory, objective(0.3, 1)));
    assertEquals(0.2, w[0], 1e-4);
    assertEquals(Math.sqrt(2), w[1], 1e-4);
  }

  @Test
  void theLinearProgrammeIsAtLeastAsGoodAsEveryCodeThatIsAsFeasible() {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Evaluated evaluated = room.evaluated();
      // Q's mean over pairs for one goal, by hand, so that the projection is checked as well.
      int goal = 5;
      double rho = room.data().nextStateDistribution()[goal];
      int pairs = room.data().pairCount();
      long length = evaluated.basis().size(1);
      Tensor rows =
          evaluated.basis().view(pairs, 16, length).select(1, goal).mul(Tensors.scalar(rho));
      Projected projected =
          new Projected(
              rows.unsqueeze(0),
              evaluated
                  .bias()
                  .view(pairs, 16)
                  .select(1, goal)
                  .mul(Tensors.scalar(rho))
                  .view(1, -1));
      Tensor solved = BoxProgram.solve(evaluated, projected);
      double least = evaluated.measures(solved).min().item_double();
      assertTrue(least > -1e-3, "least measure " + least);
      Tensor candidates = room.candidateCoordinates();
      float[] leastOf =
          Tensors.toFloats(evaluated.measures(candidates).amin(new long[] {1}, false));
      float[] valueOf = Tensors.toFloats(candidates.matmul(rows.mean(0)));
      double value = solved.view(-1).dot(rows.mean(0)).item_double();
      int compared = 0;
      for (int code = 0; code < leastOf.length; code++) {
        if (leastOf[code] >= Math.min(least, 0)) {
          assertTrue(valueOf[code] <= value + 1e-5, "code " + code);
          compared++;
        }
      }
      assertTrue(compared > 10, "compared with " + compared + " codes only");
    }
  }

  /** w₀ under the objective w₀ and m(s, a, 0) = room − w₀; all other triples are free. */
  private static float lagrangeNetwork(double room) {
    int states = 4;
    int actions = 2;
    double[][] basis = new double[states * actions * states][2];
    double[] bias = new double[basis.length];
    for (int triple = 0; triple < basis.length; triple++) {
      basis[triple][0] = triple % states == 0 ? -1 : 0;
      bias[triple] = triple % states == 0 ? room : 1;
    }
    Evaluated evaluated = new Evaluated(Tensors.matrix(basis), Tensors.floats(bias, bias.length));
    Tensor observations = Tensors.gaussian(new Random(1), states, 2);
    float[] w =
        Tensors.toFloats(
            new LagrangeNetwork(dualSteps(300, 0.02), evaluated, observations, actions)
                .solve(objective(1, 0), new Random(3)));
    assertEquals(Math.sqrt(2), Math.hypot(w[0], w[1]), 1e-5);
    return w[0];
  }

  @Test
  void theLagrangeNetworkBacksOffFromViolatedTriplesOnly() {
    assertTrue(lagrangeNetwork(0.3) < 0.6, "multipliers must rise where triples are violated");
    assertTrue(lagrangeNetwork(10) > 1.35, "multipliers must fall where there is room");
  }

  private static DualDescent descent(AffineShape shape, AffineBasis.Evaluated evaluated) {
    return new DualDescent(shape.dualSteps(), shape.dualLearningRate(), evaluated);
  }
}
