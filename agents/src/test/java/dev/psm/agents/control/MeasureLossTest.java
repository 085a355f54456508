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
import org.junit.jupiter.params.provider.EnumSource;

class MeasureLossTest {
  private static final int SEEDS = 3;
  private static final int MEMBERS = 2;
  private static final int BATCH = 9;
  private static final int D = 4;

  private enum Precision {
    SINGLE(torch.ScalarType.Float, 1e-5),
    DOUBLE(torch.ScalarType.Double, 1e-10);

    private final torch.ScalarType type;
    private final double relative;

    Precision(torch.ScalarType type, double relative) {
      this.type = type;
      this.relative = relative;
    }

    Tensor draw(Random random, long... shape) {
      return Tensors.gaussian(random, shape).to(type);
    }

    Tensor learned(Random random, long... shape) {
      return draw(random, shape).set_requires_grad(true);
    }

    /** One discount per row, some of them 0, as where an episode ended for good. */
    Tensor discounts(Random random) {
      float[] values = new float[SEEDS * BATCH];
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextInt(4) == 0 ? 0 : random.nextFloat();
      }
      return Tensors.floats(values, SEEDS, 1, BATCH, 1).to(type);
    }
  }

  /** The B × B form: ½ mean over i ≠ j of (M − target)² less the mean of M's diagonal. */
  static Tensor plain(Tensor measure, Tensor target) {
    long batch = measure.size(-1);
    Tensor pairs = torch.ones(batch, batch).sub(torch.eye(batch)).to(measure.scalar_type());
    return measure
        .sub(target)
        .square()
        .mul(pairs)
        .sum(-2, -1)
        .div(scalar(2.0 * batch * (batch - 1)))
        .sub(measure.diagonal(0, -2, -1).mean(-1));
  }

  static Tensor measure(Tensor psi, Tensor phi) {
    return psi.matmul(phi.transpose(-2, -1));
  }

  /** Values and gradients; every loss counts with another weight, so that none can be mixed up. */
  private static void assertSame(
      Tensor expected, Tensor found, Precision precision, Tensor... learned) {
    Near.assertNear(expected, found, precision.relative, "value");
    Tensor weights =
        torch
            .arange(scalar(1), scalar(expected.numel() + 1.0))
            .to(precision.type)
            .view(expected.sizes().vec().get());
    TensorVector inputs = new TensorVector(learned);
    TensorVector expectedGradients = Tensors.gradients(expected.mul(weights).sum(), inputs);
    TensorVector foundGradients = Tensors.gradients(found.mul(weights).sum(), inputs);
    for (int i = 0; i < learned.length; i++) {
      Near.assertNear(
          Handles.at(expectedGradients, i),
          Handles.at(foundGradients, i),
          precision.relative,
          "gradient " + i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theClosedFormIsThePlainOneOverAllPairs(Precision precision) {
    Random random = new Random(1);
    Tensor psi = precision.learned(random, SEEDS, MEMBERS, BATCH, D);
    Tensor phi = precision.learned(random, SEEDS, 1, BATCH, D);
    Tensor targetPsi = precision.draw(random, SEEDS, 1, BATCH, D);
    Tensor targetPhi = precision.draw(random, SEEDS, 1, BATCH, D);
    Tensor discounts = precision.discounts(random);
    assertSame(
        plain(measure(psi, phi), measure(targetPsi, targetPhi).mul(discounts)),
        MeasureLoss.contrastive(psi, phi, targetPsi.mul(discounts), targetPhi),
        precision,
        psi,
        phi);
  }

  @ParameterizedTest
  @EnumSource
  void theClosedFormWithFixedFeaturesIsThePlainOne(Precision precision) {
    Random random = new Random(2);
    Tensor psi = precision.learned(random, SEEDS, MEMBERS, BATCH, D);
    Tensor phi = precision.draw(random, SEEDS, 1, BATCH, D);
    Tensor targetPsi = precision.draw(random, SEEDS, 1, BATCH, D);
    Tensor discounts = precision.discounts(random);
    assertSame(
        plain(measure(psi, phi), measure(targetPsi, phi).mul(discounts)),
        MeasureLoss.contrastive(psi, targetPsi.mul(discounts), phi),
        precision,
        psi);
  }

  @ParameterizedTest
  @EnumSource
  void orthonormalityIsThePlainOne(Precision precision) {
    Tensor phi = precision.learned(new Random(3), SEEDS, BATCH, D);
    Tensor gram = measure(phi, phi);
    assertSame(
        plain(gram, torch.zeros_like(gram)), MeasureLoss.orthonormality(phi), precision, phi);
  }

  /** Where the residual is a hundredth of the measure, the closed form subtracts large numbers. */
  @Test
  void gradientsStayGoodNearTheSolution() {
    Random random = new Random(6);
    int batch = 256;
    int d = 64;
    Tensor targetPhi = Tensors.onSphere(Tensors.gaussian(random, batch, d));
    Tensor bootstrap = Tensors.gaussian(random, batch, d).mul(scalar(5));
    Tensor psi = near(bootstrap, random, 0.05);
    Tensor phi = near(targetPhi, random, 0.001);
    Tensor exactPsi = psi.detach().to(torch.ScalarType.Double).set_requires_grad(true);
    Tensor exactPhi = phi.detach().to(torch.ScalarType.Double).set_requires_grad(true);
    Tensor target =
        measure(bootstrap.to(torch.ScalarType.Double), targetPhi.to(torch.ScalarType.Double));
    TensorVector expected =
        Tensors.gradients(
            plain(measure(exactPsi, exactPhi), target), new TensorVector(exactPsi, exactPhi));
    TensorVector found =
        Tensors.gradients(
            MeasureLoss.contrastive(psi, phi, bootstrap, targetPhi), new TensorVector(psi, phi));
    for (int i = 0; i < 2; i++) {
      Near.assertNear(Handles.at(expected, i), Handles.at(found, i), 2e-5, "gradient " + i);
    }
  }

  private static Tensor near(Tensor x, Random random, double by) {
    Tensor noise = Tensors.gaussian(random, x.sizes().vec().get()).mul(scalar(by));
    return x.add(noise).set_requires_grad(true);
  }

  /** With φ = e_j the measure is ψ itself, so any 3 × 3 matrix can be written down. */
  @Test
  void theHandComputedExampleOfThreeRows() {
    Tensor psi = Tensors.matrix(new double[][] {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}});
    Tensor bootstrap = Tensors.matrix(new double[][] {{9, 1, 1}, {2, 9, 3}, {5, 4, 9}});
    Tensor phi = torch.eye(3);
    // Off the diagonal 1, 2, 2, 3, 2, 4: squares 1 + 4 + 4 + 9 + 4 + 16 = 38. Diagonal 1, 5, 10.
    double expected = 0.5 * 38 / 6 - 16 / 3.0;
    assertEquals(expected, MeasureLoss.contrastive(psi, phi, bootstrap, phi).item_double(), 1e-5);
    assertEquals(expected, MeasureLoss.contrastive(psi, bootstrap, phi).item_double(), 1e-5);
    // Dot products 1·4, 1·7 … of rows: φφᵀ = ψψᵀ = {{14, 32, 53}, {32, 77, 128}, {53, 128, 213}}.
    double gram = 0.5 * 2 * (32 * 32 + 53 * 53 + 128 * 128) / 6.0 - (14 + 77 + 213) / 3.0;
    assertEquals(gram, MeasureLoss.orthonormality(psi).item_double(), 1e-3);
  }

  @Test
  void equalStatesAreStillIndependentSamples() {
    // One state in all rows: M is 3 everywhere and the bootstrap 1, over all B(B − 1) pairs.
    int batch = 5;
    Tensor psi = torch.ones(batch, 1).mul(scalar(3)).set_requires_grad(true);
    Tensor ones = torch.ones(batch, 1);
    double expected = 0.5 * 4 - 3;
    for (Tensor loss :
        new Tensor[] {
          MeasureLoss.contrastive(psi, ones, ones, ones), MeasureLoss.contrastive(psi, ones, ones)
        }) {
      assertEquals(expected, loss.item_double(), 1e-6);
      // Each row has B − 1 pairs of residual 2, and its part of the diagonal.
      double gradient = 2.0 * (batch - 1) / (batch * (batch - 1)) - 1.0 / batch;
      for (float found :
          Tensors.toFloats(Handles.at(Tensors.gradients(loss, new TensorVector(psi)), 0))) {
        assertEquals(gradient, found, 1e-6);
      }
    }
  }

  @Test
  void orthonormalFeaturesAreTheMinimum() {
    // √4 · e_i in equal shares has E[φφᵀ] = I; the batch is large, so that i ≠ j hardly matters.
    int batch = 400;
    double[][] rows = new double[batch][4];
    for (int i = 0; i < batch; i++) {
      rows[i][i % 4] = 2;
    }
    Tensor orthonormal = Tensors.matrix(rows);
    double least = MeasureLoss.orthonormality(orthonormal).item_double();
    assertEquals(-2, least, 0.03);
    for (double factor : new double[] {0.8, 0.9, 1.1, 1.2}) {
      assertTrue(MeasureLoss.orthonormality(orthonormal.mul(scalar(factor))).item_double() > least);
    }
    Random random = new Random(4);
    for (int trial = 0; trial < 5; trial++) {
      Tensor mixing = torch.eye(4).add(Tensors.gaussian(random, 4, 4).mul(scalar(0.2)));
      assertTrue(MeasureLoss.orthonormality(orthonormal.matmul(mixing)).item_double() > least);
    }
    Tensor collapsed = Tensors.onSphere(torch.ones(batch, 4));
    assertTrue(MeasureLoss.orthonormality(collapsed).item_double() > least + 1);
  }

  @ParameterizedTest
  @EnumSource
  void theWrittenGradientsAreThoseOfTheLosses(Precision precision) {
    Random random = new Random(21);
    Tensor psi = precision.learned(random, SEEDS, MEMBERS, BATCH, D);
    Tensor phi = precision.learned(random, SEEDS, BATCH, D);
    Tensor bootstrap = precision.draw(random, SEEDS, 1, BATCH, D).mul(precision.discounts(random));
    Tensor targetPhi = precision.draw(random, SEEDS, BATCH, D);
    double weight = 0.7;
    Tensor loss =
        plain(measure(psi, phi.unsqueeze(1)), measure(bootstrap, targetPhi.unsqueeze(1)))
            .sum()
            .add(MeasureLoss.orthonormality(phi).sum().mul(scalar(weight)));
    TensorVector expected = Tensors.gradients(loss, new TensorVector(psi, phi));
    MeasureLoss.Gradients found =
        new MeasureLoss(psi.detach(), phi.detach(), bootstrap, targetPhi, weight, new StepMath())
            .gradients();
    Near.assertNear(Handles.at(expected, 0), found.psi(), precision.relative, "by ψ");
    Near.assertNear(Handles.at(expected, 1), found.phi(), precision.relative, "by φ");
  }

  @ParameterizedTest
  @EnumSource
  void theWrittenGradientWithFixedFeaturesIsThatOfTheLoss(Precision precision) {
    Random random = new Random(22);
    Tensor psi = precision.learned(random, SEEDS, MEMBERS, BATCH, D);
    Tensor phi = precision.draw(random, SEEDS, BATCH, D);
    Tensor bootstrap = precision.draw(random, SEEDS, 1, BATCH, D).mul(precision.discounts(random));
    Tensor features = phi.unsqueeze(1);
    Tensor loss = plain(measure(psi, features), measure(bootstrap, features)).sum();
    Near.assertNear(
        Handles.at(Tensors.gradients(loss, new TensorVector(psi)), 0),
        new MeasureLoss.InFixedBasis(psi.detach(), bootstrap, phi, new StepMath()).gradient(),
        precision.relative,
        "by ψ");
  }
}
