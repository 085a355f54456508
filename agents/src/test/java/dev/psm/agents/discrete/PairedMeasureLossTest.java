package dev.psm.agents.discrete;

import static dev.psm.agents.control.Near.assertNear;
import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.LibtorchExtension;
import dev.psm.agents.Losses;
import dev.psm.torch.Handles;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LibtorchExtension.class)
class PairedMeasureLossTest {
  private static final int SEEDS = 2;
  private static final int MEMBERS = 2;
  private static final int BATCH = 7;
  private static final int D = 3;
  private static final double WEIGHT = 0.7;

  /** Every seed and member alone, as it is written down. */
  @Test
  void valuesAndGradientsAreThoseOfThePlainLoss() {
    Random random = new Random(5);
    Tensor psi = draw(random, SEEDS, MEMBERS, BATCH, D).set_requires_grad(true);
    Tensor phi = draw(random, SEEDS, BATCH, D).set_requires_grad(true);
    Tensor next = draw(random, SEEDS, MEMBERS, BATCH, D);
    Tensor targetPhi = draw(random, SEEDS, BATCH, D);
    Tensor discounts = discounts(random);
    Tensor loss = torch.zeros(1).squeeze();
    TensorVector values = new TensorVector();
    for (int seed = 0; seed < SEEDS; seed++) {
      Tensor columns = targetPhi.get(seed).t();
      Tensor target =
          torch
              .minimum(next.get(seed).get(0).matmul(columns), next.get(seed).get(1).matmul(columns))
              .mul(discounts.get(seed));
      for (int member = 0; member < MEMBERS; member++) {
        Tensor measure = psi.get(seed).get(member).matmul(phi.get(seed).t());
        Tensor value = Losses.contrastive(measure, target, 1);
        values.push_back(value);
        loss = loss.add(value);
      }
      loss = loss.add(Losses.orthonormality(phi.get(seed)).mul(scalar(0.5 * WEIGHT)));
    }
    TensorVector expected = Tensors.gradients(loss, new TensorVector(psi, phi));
    PairedMeasureLoss found =
        new PairedMeasureLoss(
            psi.detach(),
            phi.detach(),
            PairedMeasureLoss.target(next, targetPhi, discounts),
            WEIGHT);
    assertNear(torch.stack(values).view(SEEDS, MEMBERS), found.value(), 1e-10, "value");
    assertNear(Handles.at(expected, 0), found.gradients().psi(), 1e-10, "by ψ");
    assertNear(Handles.at(expected, 1), found.gradients().phi(), 1e-10, "by φ");
  }

  private static Tensor draw(Random random, long... shape) {
    return Tensors.gaussian(random, shape).to(torch.ScalarType.Double);
  }

  /** One per row, some of them 0, as where an episode ended for good. */
  private static Tensor discounts(Random random) {
    float[] values = new float[SEEDS * BATCH];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(4) == 0 ? 0 : random.nextFloat();
    }
    return Tensors.floats(values, SEEDS, BATCH, 1).to(torch.ScalarType.Double);
  }
}
