package dev.psm.agents.control;

import dev.psm.agents.control.Towers.Inputs;
import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import dev.psm.torch.TrainedNetwork;
import org.bytedeco.pytorch.Tensor;

/** The networks that learn, of all seeds side by side. Shapes: {@link NetworkShapes}. */
final class Networks {
  private Networks() {}

  /** φ(s) on the √d sphere. */
  static final class Features extends TrainedNetwork {
    private final ParallelMlp shape;

    Features(ParallelMlp shape, Parameters weights, Double targetRate) {
      super("features", weights, targetRate);
      this.shape = shape;
    }

    ParallelMlp shape() {
      return shape;
    }

    /** φ: seeds × rows × d. */
    Tensor of(Tensor observations) {
      return Tensors.onSphere(shape.forward(weights(), observations));
    }

    /** φ̄. */
    Tensor ofTarget(Tensor observations) {
      return Tensors.onSphere(shape.forward(target(), observations));
    }

    /** φ with what its step needs. */
    record Pass(ParallelMlp.Trace plain, Tensor output) {}

    Pass pass(Tensor observations) {
      ParallelMlp.Trace plain = shape.trace(weights(), observations);
      return new Pass(plain, Tensors.onSphere(plain.output()));
    }

    /**
     * @param gradient of the loss by φ: seeds × rows × d
     */
    void descend(Pass pass, Tensor gradient, Tensor rate) {
      Gradients gradients = new Gradients();
      Tensor before = Tensors.backFromSphere(pass.plain.output(), gradient);
      shape.backward(weights(), pass.plain, before, gradients, 0);
      descend(gradients, rate);
    }

    /**
     * Of features that only matter by their differences: the target follows before the step, and
     * what the last bias adds is nothing, of which Adam would make a step of what rounding leaves.
     *
     * @param gradient of the loss by the network's output
     */
    void descendByDifferences(ParallelMlp.Trace trace, Tensor gradient, Tensor rate) {
      Gradients gradients = new Gradients();
      shape.backward(weights(), trace, gradient, gradients, 0);
      gradients.cancel(shape.lastBias());
      descendAfterTarget(gradients, rate);
    }
  }

  /** ψ(s, a, c) of every member, with a target; c is a task vector or a code. */
  static final class Successor extends TrainedNetwork {
    private final Towers shape;

    Successor(String name, Towers shape, Parameters weights, double targetRate) {
      super(name, weights, targetRate);
      this.shape = shape;
    }

    Towers shape() {
      return shape;
    }

    /** ψ̄: seeds × members × rows × d. */
    Tensor ofTarget(Tensor observations, Tensor actions, Tensor condition) {
      return shape.forward(
          target(), new Inputs(observations, actions), new Inputs(observations, condition));
    }

    /** ψ with what its step, or its gradient by the action, needs. */
    Towers.Trace pass(Tensor observations, Tensor actions, Tensor condition) {
      return shape.trace(
          weights(), new Inputs(observations, actions), new Inputs(observations, condition));
    }

    /**
     * @param gradient of the loss by ψ: seeds × members × rows × d
     */
    void descend(Towers.Trace pass, Tensor gradient, Tensor rate) {
      descend(shape.backward(weights(), pass, gradient), rate);
    }

    /** The gradient by the actions: seeds × rows × actions. */
    Tensor byActions(Towers.Trace pass, Tensor gradient, int actionSize) {
      Tensor byInputs = shape.backwardToFirst(weights(), pass, gradient);
      return byInputs.narrow(2, byInputs.size(2) - actionSize, actionSize);
    }
  }

  /** π(s, z) before tanh; it has no target. */
  static final class Actor extends TrainedNetwork {
    private final Towers shape;

    Actor(Towers shape, Parameters weights) {
      super("actor", weights, null);
      this.shape = shape;
    }

    /** Seeds × rows × actions. */
    Tensor of(Tensor observations, Tensor tasks) {
      return shape
          .forward(weights(), new Inputs(observations, tasks), new Inputs(observations))
          .squeeze(1);
    }

    /** The same with what its step needs: seeds × 1 × rows × actions. */
    Towers.Trace pass(Tensor observations, Tensor tasks) {
      return shape.trace(weights(), new Inputs(observations, tasks), new Inputs(observations));
    }

    void descend(Towers.Trace pass, Tensor gradient, Tensor rate) {
      descend(shape.backward(weights(), pass, gradient), rate);
    }
  }
}
