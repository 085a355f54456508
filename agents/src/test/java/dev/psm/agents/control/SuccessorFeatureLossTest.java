package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.torch.Handles;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuccessorFeatureLossTest {
  private static final int SEEDS = 2;
  private static final int MEMBERS = 2;
  private static final int BATCH = 7;
  private static final int D = 3;

  private final Random random = new Random(5);
  private final Tensor phi = Tensors.gaussian(random, SEEDS, BATCH, D);
  private final Tensor tasks = Tensors.gaussian(random, SEEDS, BATCH, D);
  private final Tensor psi = Tensors.gaussian(random, SEEDS, MEMBERS, BATCH, D);

  private static int at(int seed, int row, int k) {
    return (seed * BATCH + row) * D + k;
  }

  private static int at(int seed, int member, int row, int k) {
    return ((seed * MEMBERS + member) * BATCH + row) * D + k;
  }

  private static double value(float[] psi, float[] tasks, int seed, int member, int row) {
    double value = 0;
    for (int k = 0; k < D; k++) {
      value += psi[at(seed, member, row, k)] * tasks[at(seed, row, k)];
    }
    return value;
  }

  @Test
  void theTargetTakesTheMemberOfSmallerValueRowByRow() {
    float[] discounts = new float[SEEDS * BATCH];
    for (int i = 0; i < discounts.length; i++) {
      discounts[i] = i % 5 == 0 ? 0 : 0.1f * i;
    }
    Tensor target =
        SuccessorFeatureLoss.target(phi, psi, tasks, Tensors.floats(discounts, SEEDS, 1, BATCH, 1));
    assertEquals(1, target.size(1), "one target for both members");
    float[] found = Tensors.toFloats(target);
    float[] features = Tensors.toFloats(phi);
    float[] next = Tensors.toFloats(psi);
    float[] z = Tensors.toFloats(tasks);
    int[] chosen = new int[MEMBERS];
    for (int seed = 0; seed < SEEDS; seed++) {
      for (int row = 0; row < BATCH; row++) {
        int member = value(next, z, seed, 0, row) <= value(next, z, seed, 1, row) ? 0 : 1;
        chosen[member]++;
        for (int k = 0; k < D; k++) {
          double expected =
              features[at(seed, row, k)]
                  + discounts[seed * BATCH + row] * next[at(seed, member, row, k)];
          assertEquals(expected, found[at(seed, row, k)], 1e-5);
        }
      }
    }
    assertTrue(chosen[0] > 2 && chosen[1] > 2, "the example must choose both members");
  }

  @Test
  void bothLossesAreTheirLoops() {
    Tensor target = Tensors.gaussian(random, SEEDS, 1, BATCH, D);
    float[] found = Tensors.toFloats(psi);
    float[] wanted = Tensors.toFloats(target);
    float[] z = Tensors.toFloats(tasks);
    float[] along = Tensors.toFloats(new SuccessorFeatureLoss(psi, target, tasks, true).value());
    float[] all = Tensors.toFloats(new SuccessorFeatureLoss(psi, target, tasks, false).value());
    assertEquals(SEEDS * MEMBERS, along.length);
    assertEquals(SEEDS * MEMBERS, all.length);
    for (int seed = 0; seed < SEEDS; seed++) {
      for (int member = 0; member < MEMBERS; member++) {
        double alongTask = 0;
        double everywhere = 0;
        for (int row = 0; row < BATCH; row++) {
          double error = 0;
          for (int k = 0; k < D; k++) {
            double difference = found[at(seed, member, row, k)] - wanted[at(seed, row, k)];
            error += difference * z[at(seed, row, k)];
            everywhere += difference * difference / (BATCH * D);
          }
          alongTask += error * error / BATCH;
        }
        assertEquals(alongTask, along[seed * MEMBERS + member], 1e-5 * alongTask);
        assertEquals(everywhere, all[seed * MEMBERS + member], 1e-5 * everywhere);
      }
    }
  }

  /** √d · φ E[φφᵀ]⁺ / ‖·‖ in double precision. */
  private static Tensor byPseudoInverse(Tensor phi) {
    Tensor exact = phi.to(torch.ScalarType.Double);
    Tensor covariance = exact.transpose(1, 2).matmul(exact).div(scalar((double) exact.size(1)));
    return Tensors.onSphere(exact.matmul(torch.linalg_pinv(covariance, 1e-5, true)))
        .to(torch.ScalarType.Float);
  }

  @Test
  void goalVectorsAreThoseOfThePseudoInverse() {
    // Very unequal directions, so that the inverse matters.
    Tensor stretch = Tensors.floats(new float[] {3, 1, 0.2f}, 1, 1, D);
    Tensor features = Tensors.gaussian(random, SEEDS, 50, D).mul(stretch);
    Tensor found = SuccessorFeatureLoss.goalVectors(features);
    Near.assertNear(byPseudoInverse(features), found, 1e-3, "goal vectors");
    Near.assertNear(
        torch.ones(SEEDS, 50, 1).mul(scalar(Math.sqrt(D))), Tensors.norms(found), 1e-5, "norms");
    double untouched = Tensors.onSphere(features).sub(found).abs().max().item_double();
    assertTrue(untouched > 0.5, "the example must tell the inverse from none");
  }

  @Test
  void goalVectorsOfFewerStatesThanFeaturesAreStillThoseOfThePseudoInverse() {
    // Two states in three dimensions: the covariance is singular, as in a small world.
    Tensor states = Tensors.gaussian(random, 2, D);
    long[] which = new long[SEEDS * 50];
    for (int i = 0; i < which.length; i++) {
      which[i] = i % 3 == 0 ? 0 : 1;
    }
    Tensor features = states.index_select(0, Tensors.longs(which, which.length)).view(SEEDS, 50, D);
    Near.assertNear(
        byPseudoInverse(features),
        SuccessorFeatureLoss.goalVectors(features),
        1e-4,
        "goal vectors");
  }

  @Test
  void featuresThatAreAllZeroGiveNoNaN() {
    float[] vectors = Tensors.toFloats(SuccessorFeatureLoss.goalVectors(torch.zeros(1, 4, D)));
    for (float value : vectors) {
      assertEquals(0, value);
    }
  }

  @Test
  void theLaplacianLossIsThePlainForm() {
    Tensor now = Tensors.gaussian(random, SEEDS, BATCH, D).set_requires_grad(true);
    Tensor next = Tensors.gaussian(random, SEEDS, BATCH, D).set_requires_grad(true);
    Tensor gram = now.matmul(now.transpose(1, 2));
    Tensor pairs = torch.ones(BATCH, BATCH).sub(torch.eye(BATCH));
    Tensor expected =
        now.sub(next)
            .square()
            .sum(-2, -1)
            .div(scalar((double) BATCH * D))
            .add(gram.square().mul(pairs).sum(-2, -1).div(scalar(BATCH * (BATCH - 1.0))))
            .sub(gram.diagonal(0, 1, 2).mean(-1).mul(scalar(2)));
    Tensor found = ControlLaplacian.featureLoss(now, next);
    Near.assertNear(expected, found, 1e-5, "loss");
    TensorVector inputs = new TensorVector(now, next);
    TensorVector gradients = Tensors.gradients(found.sum(), inputs);
    TensorVector plain = Tensors.gradients(expected.sum(), inputs);
    Near.assertNear(Handles.at(plain, 0), Handles.at(gradients, 0), 1e-5, "gradient of φ(s)");
    Near.assertNear(Handles.at(plain, 1), Handles.at(gradients, 1), 1e-5, "gradient of φ(s′)");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theGradientIsTheLosses(boolean alongTask) {
    Tensor target = Tensors.gaussian(random, SEEDS, 1, BATCH, D);
    Tensor expected =
        Tensors.gradient(
            psi, at -> new SuccessorFeatureLoss(at, target, tasks, alongTask).value().sum(1));
    Tensor found = new SuccessorFeatureLoss(psi, target, tasks, alongTask).gradient();
    assertTrue(torch.allclose(found, expected, 1e-5, 1e-7, false), found::toString);
  }
}
