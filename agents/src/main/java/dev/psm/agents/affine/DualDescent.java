package dev.psm.agents.affine;

import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.agents.affine.AffineModel.Projected;
import dev.psm.torch.Tensors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The paper's equation 10 without sampling: max over λ ≥ 0, min over w of −E[Q_w] − Σ λ m_w, with w
 * on the sphere and one multiplier per triple, for all prompts at once.
 *
 * <p>Everything is linear in w, so both gradients are written out. Each prompt's objective is
 * scaled to a unit gradient, which makes one step size serve sparse and dense rewards alike.
 */
final class DualDescent {
  /**
   * λ's rate over w's: few of the triples are violated at a time, and their multipliers must
   * outweigh the objective.
   */
  private static final double MULTIPLIER_GAIN = 100;

  private final int steps;
  private final double learningRate;
  private final Evaluated evaluated;

  /**
   * @param learningRate of w; that of λ follows from it
   */
  DualDescent(int steps, double learningRate, Evaluated evaluated) {
    this.steps = steps;
    this.learningRate = learningRate;
    this.evaluated = evaluated;
  }

  /**
   * @param start a first w per prompt, on the sphere
   * @return one w per prompt, on the sphere: prompts × length
   */
  Tensor solve(Projected projected, Tensor start) {
    long prompts = start.size(0);
    long triples = evaluated.bias().numel();
    Tensor objective = projected.basis().mean(1);
    objective = objective.div(Tensors.norms(objective));
    Tensor w = start.clone();
    Tensor lambda = torch.zeros(prompts, triples);
    // In units of a typical density, so that one rate serves any basis.
    Tensor scale = evaluated.measures(start).abs().mean().clamp_min(Tensors.scalar(1e-12));
    Tensor sum = torch.zeros_like(w);
    for (int step = 0; step < steps; step++) {
      try (PointerScope scope = new PointerScope()) {
        descendCoordinates(w, lambda, objective, triples);
        // Raise λ where m < 0, lower it where there is room.
        Tensor m = evaluated.measures(w).div(scale);
        lambda
            .sub_(m.mul(Tensors.scalar(learningRate * MULTIPLIER_GAIN)))
            .clamp_min_(Tensors.scalar(0));
        if (step >= steps / 2) {
          sum.add_(w);
        }
      }
    }
    // Descent and ascent circle the saddle; the mean of their path goes to it.
    return Tensors.onSphere(sum);
  }

  private void descendCoordinates(Tensor w, Tensor lambda, Tensor objective, long triples) {
    Tensor ascent =
        objective.add(lambda.matmul(evaluated.basis()).div(Tensors.scalar((double) triples)));
    double rate = learningRate * Math.sqrt((double) w.size(1));
    w.copy_(Tensors.onSphere(w.add(ascent.mul(Tensors.scalar(rate)))));
  }
}
