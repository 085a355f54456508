package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.LazyMetrics;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * How far an unrolled model of latent steps is from the features of the states that were entered: E
 * mean_t ‖h_t − y_t‖² for h₀ = φ(s₀), h_{t+1} = g(h_t, a_t), a mean over the model's members.
 */
final class LatentPredictionLoss {
  /** g of all seeds and members. */
  interface Model {
    int members();

    /**
     * @param h seeds·members × rows × d
     * @param actions seeds × rows × action
     */
    Step step(Tensor h, Tensor actions);
  }

  /** g(h, a), and the backward pass through it. */
  interface Step {
    /** Seeds·members × rows × d. */
    Tensor output();

    /**
     * Adds to the gradients of the model's weights.
     *
     * @param gradient by the output
     * @return the gradient by h
     */
    Tensor backward(Tensor gradient);
  }

  private final List<Step> steps = new ArrayList<>();
  private final List<Tensor> targets = new ArrayList<>();
  private final int members;

  /**
   * @param phi φ(s₀): seeds × rows × d
   * @param actions a₀, a₁, …: each seeds × rows × action
   * @param targets y₁, y₂, … one below the other: seeds × actions·rows × d
   */
  LatentPredictionLoss(Model model, Tensor phi, List<Tensor> actions, Tensor targets) {
    this.members = model.members();
    long rows = phi.size(1);
    Tensor h =
        phi.unsqueeze(1)
            .expand(phi.size(0), members, rows, phi.size(2))
            .reshape(phi.size(0) * members, rows, phi.size(2));
    for (int t = 0; t < actions.size(); t++) {
      Step step = model.step(h, actions.get(t));
      steps.add(step);
      this.targets.add(targets.narrow(1, t * rows, rows));
      h = step.output();
    }
  }

  /** One number per seed. */
  Tensor value() {
    Tensor sum = error(0).square().sum(-1).mean(-2, -1);
    for (int t = 1; t < steps.size(); t++) {
      sum = sum.add(error(t).square().sum(-1).mean(-2, -1));
    }
    return sum.div(scalar(steps.size()));
  }

  /** By φ(s₀), seeds × rows × d; the model has gathered those of its weights. */
  Tensor gradient() {
    Tensor error = error(0);
    double factor = 2.0 / (steps.size() * error.size(1) * error.size(2));
    Tensor byState = null;
    for (int t = steps.size() - 1; t >= 0; t--) {
      Tensor byOutput = error(t).mul_(scalar(factor)).view_as(steps.get(t).output());
      byState = steps.get(t).backward(byState == null ? byOutput : byOutput.add_(byState));
    }
    return byState.view(error.size(0), members, error.size(2), error.size(3)).sum(1);
  }

  void log(LazyMetrics metrics) {
    List<Tensor> kept = new ArrayList<>(targets);
    steps.forEach(step -> kept.add(step.output()));
    metrics.add("prediction_loss", this::value, kept.toArray(Tensor[]::new));
  }

  /** h_{t+1} − y_{t+1}: seeds × members × rows × d. */
  private Tensor error(int t) {
    Tensor target = targets.get(t);
    return steps
        .get(t)
        .output()
        .view(target.size(0), members, target.size(1), target.size(2))
        .sub(target.unsqueeze(1));
  }
}
