package dev.psm.core.mdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Near a discount of 1 an optimum is right within its stated error, or refused. */
class OptimumBoundsTest {
  private static final MathContext DIGITS = new MathContext(60);

  @ParameterizedTest
  @EnumSource(Programme.class)
  void anOptimumIsWithinItsErrorOrRefused(Programme programme) {
    Random random = new Random(3);
    for (int test = 0; test < 40; test++) {
      int states = 2 + random.nextInt(3);
      double[] reward = RandomMdps.reward(states * 2, test);
      for (int nines = 1; nines <= 15; nines++) {
        double discount = 1 - Math.pow(10, -nines);
        FiniteMdp mdp = RandomMdps.mdp(states, 2, discount, 3, test);
        ExactSolver.Solution solution;
        try {
          solution = ExactSolver.solve(mdp, reward, programme);
        } catch (UserError error) {
          assertTrue(nines > (programme == Programme.W ? 4 : 6), error.getMessage());
          continue;
        }
        assertTrue(nines < 9, "γ = " + discount + " is beyond double precision");
        assertEquals(
            optimum(mdp, reward), solution.optimum(), solution.optimumError(), "γ = " + discount);
        assertTrue(solution.optimumError() <= 2 * OptimumBounds.TOLERANCE);
      }
    }
  }

  @Test
  void sixNinesAreSolvedAtEverySize() {
    double discount = 0.999999;
    GridMap rooms = GridMap.named("four-rooms");
    FiniteMdp grid = rooms.toMdp(discount);
    // Every cell reaches the goal within far fewer steps than a millionth of the horizon.
    assertEquals(
        1, ExactSolver.solve(grid, Rewards.goal(grid, 20), Programme.AUTO).optimum(), 1e-4);
    for (int states : new int[] {30, 200, 600}) {
      FiniteMdp mdp = RandomMdps.mdp(states, 4, discount, 3, states);
      double[] reward = RandomMdps.reward(mdp.pairCount(), states);
      double error = ExactSolver.solve(mdp, reward, Programme.AUTO).optimumError();
      assertTrue(error <= 2e-6, states + " states: " + error);
    }
  }

  @Test
  void whatCannotBeCarriedIsRefusedWithADiscountThatCan() {
    GridMap map = GridMap.named("gridworld");
    double[] reward = Rewards.goal(map.toMdp(0.9), 20);
    UserError error =
        assertThrows(
            UserError.class,
            () -> ExactSolver.solve(map.toMdp(0.9999999999999), reward, Programme.AUTO));
    assertEquals(UserError.Kind.INVALID, error.kind());
    Matcher advice =
        Pattern.compile("discount 0\\.9999999999999 .*; choose a discount of at most (0\\.9+)")
            .matcher(error.getMessage());
    assertTrue(advice.find(), error.getMessage());
    double advised = Double.parseDouble(advice.group(1));
    assertTrue(advised >= 0.99999, error.getMessage());
    ExactSolver.solve(map.toMdp(advised), reward, Programme.AUTO);
  }

  @Test
  void rewardsThatHardlyDifferForTheirSizeAreRefused() {
    FiniteMdp mdp = GridMap.named("gridworld").toMdp(0.98);
    double[] reward = Arrays.stream(Rewards.goal(mdp, 20)).map(each -> 1e12 + each).toArray();
    String message =
        assertThrows(UserError.class, () -> ExactSolver.solve(mdp, reward, Programme.AUTO))
            .getMessage();
    assertTrue(message.endsWith("subtract a constant from all"), message);
    Matcher bounds = Pattern.compile("between (\\S+) and (\\S+);").matcher(message);
    assertTrue(bounds.find(), message);
    assertTrue(Double.parseDouble(bounds.group(1)) < Double.parseDouble(bounds.group(2)), message);
  }

  @Test
  void roundedProbabilitiesOfAFileDoNotLeakMass() {
    FiniteMdp.Builder builder = FiniteMdp.builder(3, 1, 0.99999);
    for (int state = 0; state < 3; state++) {
      double third = 0.333333333;
      builder.row(state, 0, new int[] {0, 1, 2}, new double[] {third, third, third});
    }
    double[] reward = {1, 1, 1};
    assertEquals(1, ExactSolver.solve(builder.build(), reward, Programme.AUTO).optimum(), 1e-9);
  }

  /** (1 − γ)μᵀV* by trying every deterministic policy in 60 digits. */
  private static double optimum(FiniteMdp mdp, double[] reward) {
    int[] actions = new int[mdp.stateCount()];
    BigDecimal best = null;
    for (int policy = 0; policy < 1 << mdp.stateCount(); policy++) {
      for (int state = 0; state < actions.length; state++) {
        actions[state] = policy >> state & 1;
      }
      BigDecimal value = normalisedReturn(mdp, reward, actions);
      best = best == null ? value : best.max(value);
    }
    return best.doubleValue();
  }

  private static BigDecimal normalisedReturn(FiniteMdp mdp, double[] reward, int[] actions) {
    int size = actions.length;
    BigDecimal discount = new BigDecimal(mdp.discount());
    BigDecimal[][] rows = new BigDecimal[size][size + 1];
    for (int state = 0; state < size; state++) {
      Arrays.fill(rows[state], BigDecimal.ZERO);
      int pair = state * mdp.actionCount() + actions[state];
      rows[state][state] = BigDecimal.ONE;
      for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
        int next = mdp.successor(entry);
        rows[state][next] =
            rows[state][next].subtract(
                discount.multiply(new BigDecimal(mdp.probability(entry))), DIGITS);
      }
      rows[state][size] = new BigDecimal(reward[pair]);
    }
    for (int k = 0; k < size; k++) {
      for (int i = 0; i < size; i++) {
        if (i != k) {
          BigDecimal factor = rows[i][k].divide(rows[k][k], DIGITS);
          for (int j = k; j <= size; j++) {
            rows[i][j] = rows[i][j].subtract(factor.multiply(rows[k][j]), DIGITS);
          }
        }
      }
    }
    BigDecimal sum = BigDecimal.ZERO;
    for (int state = 0; state < size; state++) {
      BigDecimal value = rows[state][size].divide(rows[state][state], DIGITS);
      sum = sum.add(new BigDecimal(mdp.initial()[state]).multiply(value), DIGITS);
    }
    return sum.multiply(BigDecimal.ONE.subtract(discount));
  }
}
