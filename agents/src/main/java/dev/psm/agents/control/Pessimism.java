package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import org.bytedeco.pytorch.Tensor;

/** What an actor makes of value estimates that disagree. */
final class Pessimism {
  private Pessimism() {}

  /** ψᵀz of every member, and the gradient of the actor's loss by ψ. */
  record Descent(Tensor values, Tensor byPsi) {}

  /**
   * @param psi seeds × members × rows × d
   * @param tasks seeds × rows × d
   */
  static Descent descent(Tensor psi, Tensor tasks, double pessimism) {
    if (psi.is_cuda()) {
      return CudaSteps.descent(psi, tasks, pessimism);
    }
    Tensor z = tasks.unsqueeze(1);
    Tensor values = psi.mul(z).sum(-1);
    return new Descent(values, descent(values, pessimism).unsqueeze(-1).mul(z));
  }

  /**
   * The gradient of −E[{@link #of}] by the values.
   *
   * @param values seeds × members × rows
   */
  static Tensor descent(Tensor values, double pessimism) {
    double members = values.size(1);
    double rows = values.size(2);
    return values
        .unsqueeze(2)
        .sub(values.unsqueeze(1))
        .sign_()
        .sum(2)
        .mul_(scalar(2 * pessimism / (rows * (members * members - members))))
        .sub_(scalar(1 / (rows * members)));
  }

  /**
   * mean − pessimism · Σ_{p,q}|x_p − x_q| / (P² − P) over members; for two, a pessimism of one half
   * is the smaller.
   *
   * @param values seeds × members × rows
   */
  static Tensor of(Tensor values, double pessimism) {
    double members = values.size(1);
    Tensor disagreement =
        values
            .unsqueeze(1)
            .sub(values.unsqueeze(2))
            .abs()
            .sum(1, 2)
            .div(scalar(members * members - members));
    return values.mean(1).sub(disagreement.mul(scalar(pessimism)));
  }
}
