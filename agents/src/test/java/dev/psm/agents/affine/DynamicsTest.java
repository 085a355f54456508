package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.mdp.Policy;
import dev.psm.core.mdp.SuccessorMeasure;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Device;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DynamicsTest {
  private static final double DISCOUNT = 0.8;
  private static final int STATES = 4;
  private static final int ACTIONS = 2;
  private static final int PAIRS = STATES * ACTIONS;
  private static final int[][] POLICIES = {{0, 1, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}};

  private static TransitionTable world(String kind) {
    TransitionTable data =
        kind.equals("deterministic")
            ? SmallWorlds.deterministic(DISCOUNT)
            : SmallWorlds.stochastic(DISCOUNT);
    assertEquals(kind.equals("deterministic"), data.mdp().isDeterministic());
    return data;
  }

  private static double[] followedByLoops(TransitionTable data, float[] m) {
    double[][] p = data.transitionMatrix();
    double[] followed = new double[POLICIES.length * PAIRS * STATES];
    for (int code = 0; code < POLICIES.length; code++) {
      for (int pair = 0; pair < PAIRS; pair++) {
        for (int goal = 0; goal < STATES; goal++) {
          for (int next = 0; next < STATES; next++) {
            int nextPair = next * ACTIONS + POLICIES[code][next];
            followed[(code * PAIRS + pair) * STATES + goal] +=
                p[pair][next] * m[(code * PAIRS + nextPair) * STATES + goal];
          }
        }
      }
    }
    return followed;
  }

  @ParameterizedTest
  @ValueSource(strings = {"deterministic", "stochastic"})
  void followingAPolicyIsThePlainLoop(String kind) {
    TransitionTable data = world(kind);
    Tensor m = Tensors.gaussian(new Random(1), POLICIES.length, PAIRS * STATES);
    double[] expected = followedByLoops(data, Tensors.toFloats(m));
    float[] followed =
        Tensors.toFloats(new Dynamics(data, Device.CPU).followed(m, Dynamics.policies(POLICIES)));
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], followed[i], 1e-5, "entry " + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deterministic", "stochastic"})
  void theLossIsThePlainLoop(String kind) {
    TransitionTable data = world(kind);
    Tensor m = Tensors.gaussian(new Random(1), POLICIES.length, PAIRS * STATES);
    Tensor bootstrap = Tensors.gaussian(new Random(2), POLICIES.length, PAIRS, STATES);
    float[] measure = Tensors.toFloats(m);
    float[] target = Tensors.toFloats(bootstrap);
    double[] rho = data.nextStateDistribution();
    double[][] p = data.transitionMatrix();
    double squares = 0;
    double entered = 0;
    for (int row = 0; row < POLICIES.length * PAIRS; row++) {
      for (int goal = 0; goal < STATES; goal++) {
        double difference = measure[row * STATES + goal] - target[row * STATES + goal];
        squares += rho[goal] * difference * difference;
        entered += p[row % PAIRS][goal] * measure[row * STATES + goal];
      }
    }
    double rows = POLICIES.length * PAIRS;
    double expected = 0.5 * squares / rows - (1 - DISCOUNT) * entered / rows;
    assertEquals(
        expected, new Dynamics(data, Device.CPU).loss(m, bootstrap, DISCOUNT).item_double(), 1e-5);
  }

  /** m − ((1 − γ)P/ρ + γE m̄), which is the gradient of the loss less its weights. */
  private static float[] residual(TransitionTable data, double[] values) {
    Dynamics dynamics = new Dynamics(data, Device.CPU);
    Parameters online =
        new Parameters().add("m", Tensors.floats(values, POLICIES.length, PAIRS * STATES));
    Tensor m = online.get("m");
    Tensor bootstrap =
        dynamics.followed(m.detach(), Dynamics.policies(POLICIES)).mul(Tensors.scalar(DISCOUNT));
    float[] gradient =
        Tensors.toFloats(
            Handles.at(
                Tensors.gradients(dynamics.loss(m, bootstrap, DISCOUNT), online.vector()), 0));
    double[] rho = data.nextStateDistribution();
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] = (float) (gradient[i] * POLICIES.length * PAIRS / rho[i % STATES]);
    }
    return gradient;
  }

  @ParameterizedTest
  @ValueSource(strings = {"deterministic", "stochastic"})
  void theExactMeasureOfEveryPolicyIsTheFixedPoint(String kind) {
    TransitionTable data = world(kind);
    double[] exact = new double[POLICIES.length * PAIRS * STATES];
    double[] rho = data.nextStateDistribution();
    for (int code = 0; code < POLICIES.length; code++) {
      double[][] measure =
          SuccessorMeasure.ofNextState(data.mdp(), Policy.deterministic(POLICIES[code], ACTIONS));
      for (int i = 0; i < PAIRS * STATES; i++) {
        exact[code * PAIRS * STATES + i] = measure[i / STATES][i % STATES] / rho[i % STATES];
      }
    }
    for (float entry : residual(data, exact)) {
      assertEquals(0, entry, 1e-5);
    }
    // Moving one entry is felt there, and wherever the policy leads to it.
    exact[5] += 0.5;
    float[] moved = residual(data, exact);
    float largest = 0;
    for (float entry : moved) {
      largest = Math.max(largest, Math.abs(entry));
    }
    assertTrue(largest > 0.1, "largest residual " + largest);
  }
}
