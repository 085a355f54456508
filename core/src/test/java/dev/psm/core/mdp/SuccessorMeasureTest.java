package dev.psm.core.mdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuccessorMeasureTest {
  private final FiniteMdp mdp = RandomMdps.mdp(12, 3, 0.9, 3, 4);
  private final Policy policy = RandomMdps.policy(mdp, new Random(8));

  /** Q^π by repeated backups, with no linear algebra. */
  private static double[] evaluate(FiniteMdp mdp, Policy policy, double[] reward) {
    double[] q = new double[mdp.pairCount()];
    for (int sweep = 0; sweep < 5000; sweep++) {
      double[] v = new double[mdp.stateCount()];
      for (int pair = 0; pair < q.length; pair++) {
        int state = pair / mdp.actionCount();
        v[state] += policy.probability(state, pair % mdp.actionCount()) * q[pair];
      }
      for (int pair = 0; pair < q.length; pair++) {
        q[pair] = ValueIteration.backup(mdp, reward, pair, v);
      }
    }
    return q;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, 0.5, 0.9, 0.98, 0.99})
  void measureTimesRewardIsPolicyEvaluation(double discount) {
    FiniteMdp discounted = mdp.withDiscount(discount);
    double[] onPairs = RandomMdps.reward(mdp.pairCount(), 3);
    double[] onStates = RandomMdps.reward(mdp.stateCount(), 5);
    double[] q = evaluate(discounted, policy, onPairs);
    double[] entering = evaluate(discounted, policy, Rewards.entering(mdp, onStates));
    double[][] pairs = SuccessorMeasure.ofPairs(discounted, policy);
    double[][] next = SuccessorMeasure.ofNextState(discounted, policy);
    for (int pair = 0; pair < mdp.pairCount(); pair++) {
      assertEquals(1, Arrays.stream(pairs[pair]).sum(), 1e-12);
      assertEquals(1, Arrays.stream(next[pair]).sum(), 1e-12);
      assertEquals(q[pair], dot(pairs[pair], onPairs) / (1 - discount), 1e-10);
      assertEquals(entering[pair], dot(next[pair], onStates) / (1 - discount), 1e-10);
      assertArrayEquals(next[pair], SuccessorMeasure.ofNextState(discounted, policy, pair), 1e-12);
    }
  }

  @Test
  void measuresOfPairsSolveTheFlowFromTheirStateAndRespectTheFirstAction() {
    double[][] measure = SuccessorMeasure.ofPairs(mdp, policy);
    for (int pair = 0; pair < mdp.pairCount(); pair++) {
      FlowBasis set = SuccessorMeasure.affineSet(mdp, pair / mdp.actionCount());
      assertTrue(set.residual(measure[pair]) < 1e-12);
      double[] bound = SuccessorMeasure.firstActionBound(mdp, pair);
      for (int reached = 0; reached < bound.length; reached++) {
        assertTrue(measure[pair][reached] >= bound[reached]);
      }
    }
  }

  @Test
  void onlyTheCorrectedBoundRanksFirstActions() {
    double[] reward = RandomMdps.reward(mdp.pairCount(), 9);
    ValueIteration truth = ValueIteration.solve(mdp, reward);
    double scale = 1 - mdp.discount();
    double largestGap = 0;
    for (int pair = 0; pair < mdp.pairCount(); pair++) {
      int state = pair / mdp.actionCount();
      FlowBasis set = SuccessorMeasure.affineSet(mdp, state);
      double literal = VisitationProgram.inCoordinates(set, reward).optimum();
      double corrected =
          VisitationProgram.inCoordinates(set, reward, SuccessorMeasure.firstActionBound(mdp, pair))
              .optimum();
      assertEquals(truth.value(state), literal / scale, 1e-8);
      assertEquals(truth.value(state, pair % mdp.actionCount()), corrected / scale, 1e-8);
      largestGap = Math.max(largestGap, (literal - corrected) / scale);
    }
    assertTrue(largestGap > 0.1);
  }

  @Test
  void theNextStateFormIsTheFixedPointOfItsBellmanEquation() {
    double[][] next = SuccessorMeasure.ofNextState(mdp, policy);
    double[] fixedPoint = new double[mdp.stateCount()];
    double gamma = mdp.discount();
    for (int entry = mdp.rowStart(0); entry < mdp.rowEnd(0); entry++) {
      int reached = mdp.successor(entry);
      fixedPoint[reached] += (1 - gamma) * mdp.probability(entry);
      for (int action = 0; action < mdp.actionCount(); action++) {
        double weight = gamma * mdp.probability(entry) * policy.probability(reached, action);
        for (int state = 0; state < mdp.stateCount(); state++) {
          fixedPoint[state] += weight * next[reached * mdp.actionCount() + action][state];
        }
      }
    }
    assertArrayEquals(fixedPoint, next[0], 1e-13);
  }

  /** Theorem 6.1: Ψ^π = M^πΦ_s moves in the image of the measures' affine set. */
  @Test
  void successorFeaturesAreAffine() {
    Random random = new Random(21);
    int pair = 7;
    FlowBasis set = SuccessorMeasure.affineSet(mdp, pair / mdp.actionCount());
    double[][] features = new double[4][];
    double[][] imageOfBasis = new double[set.dimension()][features.length];
    double[] imageOfBias = new double[features.length];
    for (int k = 0; k < features.length; k++) {
      features[k] = Rewards.leaving(mdp, RandomMdps.reward(mdp.stateCount(), 30 + k));
      imageOfBias[k] = dot(features[k], set.bias());
      for (int j = 0; j < set.dimension(); j++) {
        imageOfBasis[j][k] = dot(features[k], set.column(j));
      }
    }
    for (int trial = 0; trial < 5; trial++) {
      double[] measure = SuccessorMeasure.ofPairs(mdp, RandomMdps.policy(mdp, random))[pair];
      double[] w = set.coordinates(measure);
      for (int k = 0; k < features.length; k++) {
        double affine = imageOfBias[k];
        for (int j = 0; j < w.length; j++) {
          affine += imageOfBasis[j][k] * w[j];
        }
        assertEquals(dot(features[k], measure), affine, 1e-12);
      }
    }
  }

  /**
   * Theorem 4.4: values spanned by a basis are values spanned by as many measures times a reward.
   * The printed construction, Φ_i(s,s') = Φ^vf_i(s)·1[s = s'], does not give that; without the
   * indicator it does, for rewards that do not sum to zero.
   */
  @Test
  void valueBasesEmbedIntoMeasureBases() {
    double[][] values = {RandomMdps.reward(12, 1), RandomMdps.reward(12, 2)};
    double[] beta = {0.7, -1.3};
    double[] reward = RandomMdps.reward(12, 6);
    double total = Arrays.stream(reward).sum();
    double printedError = 0;
    for (int state = 0; state < 12; state++) {
      double target = 0;
      double repaired = 0;
      double printed = 0;
      for (int i = 0; i < 2; i++) {
        target += beta[i] * values[i][state];
        for (int reached = 0; reached < 12; reached++) {
          repaired += beta[i] / total * values[i][state] * reward[reached];
        }
        printed += beta[i] / total * values[i][state] * reward[state];
      }
      assertEquals(target, repaired, 1e-12);
      printedError = Math.max(printedError, Math.abs(target - printed));
    }
    assertTrue(printedError > 0.1);
  }
}
