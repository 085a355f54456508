package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.TruncatedNormal;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.StepInputs;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The formulas between networks, row by row, in libtorch's operators. A GPU has each of them in one
 * pass over memory: {@link CudaStepMath}.
 */
public class StepMath {
  public static StepMath on(Device device) {
    return device.isCuda() ? new CudaStepMath() : new StepMath();
  }

  /**
   * Task vectors on the √d sphere: uniformly random directions, of which a share gives way to the
   * features of other states of the batch.
   *
   * @param goals seeds × rows × d, of the entered states
   */
  public Tensor taskVectors(Tensor goals, StepInputs inputs) {
    Tensor order = inputs.get(Draw.PERMUTATION).unsqueeze(-1).expand_as(goals);
    return torch.where(
        inputs.get(Draw.MIXED).gt(scalar(0)),
        Tensors.onSphere(goals.gather(1, order)),
        Tensors.onSphere(inputs.get(Draw.TASK_NOISE)));
  }

  /** The actor's mean action, and the same with noise. */
  record Actions(Tensor mean, Tensor noisy) {}

  /**
   * @param output the actor's: seeds × rows × actions
   * @param noise standard normal, of the same shape
   */
  Actions noisyActions(Tensor output, Tensor noise, double deviation, double clip) {
    Tensor mean = output.tanh();
    return new Actions(mean, TruncatedNormal.constant(mean, noise, deviation, clip));
  }

  /**
   * γ times the data's own discount times the mean over members: what a measure is bootstrapped
   * from.
   *
   * @param next ψ̄: seeds × members × rows × d
   * @param discounts seeds × rows × 1
   * @return seeds × 1 × rows × d
   */
  public Tensor bootstrap(Tensor next, Tensor discounts, double discount) {
    return next.mean(1).unsqueeze(1).mul_(discounts.mul(scalar(discount)).unsqueeze(1));
  }

  /** What networks are given of codes, and the actions that these choose. */
  record CodedActions(Tensor bits, Tensor actions) {}

  /** Equation 8: π_z(s) = T[(z + row(s)) mod size]. */
  CodedActions codedActions(ActionCodebook codebook, Tensor codes, Tensor rows) {
    return new CodedActions(codebook.bits(codes), codebook.actions(codes, rows));
  }

  /**
   * The gradients of {@link MeasureLoss}, from its products on.
   *
   * @param c 1 / (B(B − 1))
   */
  MeasureLoss.Gradients measureGradients(
      MeasureLoss.Products products, MeasureLoss loss, double c) {
    Tensor psi = loss.psi();
    Tensor phi = loss.phi();
    Tensor bootstrap = loss.bootstrap().squeeze(1);
    double batch = phi.size(1);
    Tensor features = phi.unsqueeze(1);
    Tensor diagonal = dot(psi, features).sub_(dot(bootstrap, loss.targetPhi()).unsqueeze(1));
    Tensor own = diagonal.mul_(scalar(c)).add_(scalar(1 / batch)).unsqueeze(-1);
    Tensor byPsi =
        products
            .psi()
            .view_as(psi)
            .sub_(products.psiBootstrapped().unsqueeze(1))
            .mul_(scalar(c))
            .addcmul_(own, features, scalar(-1));
    Tensor ownLength = dot(phi, phi).unsqueeze(-1).mul_(scalar(c)).add_(scalar(1 / batch));
    Tensor byPhi =
        products
            .phi()
            .sub_(products.phiBootstrapped())
            .mul_(scalar(c))
            .sub_(own.mul(psi).sum(1))
            .addcmul_(ownLength, phi, scalar(-2 * loss.orthonormality()));
    return new MeasureLoss.Gradients(byPsi, byPhi);
  }

  /** The gradient of {@link MeasureLoss.InFixedBasis}, from (ψ − γψ̄)φᵀφ on. */
  Tensor fixedBasisGradient(Tensor product, Tensor residual, Tensor phi, double c) {
    double batch = phi.size(1);
    Tensor features = phi.unsqueeze(1);
    Tensor own = dot(residual, features).mul_(scalar(c)).add_(scalar(1 / batch)).unsqueeze(-1);
    return product.mul_(scalar(c)).addcmul_(own, features, scalar(-1));
  }

  /** The values and the gradient of {@link PolicyLearner.ActorLoss}. */
  PolicyLearner.ActorLoss.Descent actorDescent(Tensor psi, Tensor tasks, double pessimism) {
    Tensor z = tasks.unsqueeze(1);
    Tensor values = psi.mul(z).sum(-1);
    Tensor byValues = PolicyLearner.ActorLoss.gradient(values, pessimism);
    return new PolicyLearner.ActorLoss.Descent(values, byValues.unsqueeze(-1).mul(z));
  }

  /** Row by row: … × batch. */
  private static Tensor dot(Tensor a, Tensor b) {
    return a.mul(b).sum(-1);
  }
}
