package dev.psm.agents.discrete;

import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.TrainedNetwork;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * F(s, ·, z) or ψ(s, ·, z) of two members, a vector for every action: the policy of a task vector z
 * is greedy for the smaller of the two members' values.
 */
final class SuccessorNetwork extends TrainedNetwork {
  static final String NAME = "successor";
  static final int MEMBERS = 2;

  private final Layout layout;

  /**
   * @param state numbers in s
   * @param features d
   */
  record Layout(int state, int actions, int features, int width) {
    ParallelMlp shape() {
      int[] sizes = {state + features, width, width, actions * features};
      return new ParallelMlp(NAME, sizes, true, false, MEMBERS, 1);
    }

    /**
     * @return seeds × members × rows × actions × d
     */
    Tensor forward(Parameters weights, Tensor states, Tensor tasks) {
      return apart(shape().forward(weights, shape().inputs(weights, states, tasks)));
    }

    private Tensor apart(Tensor output) {
      return output.view(-1, MEMBERS, output.size(1), actions, features);
    }
  }

  SuccessorNetwork(Layout layout, Parameters weights, double targetRate) {
    super(NAME, weights, targetRate);
    this.layout = layout;
  }

  /** What a transition's own action and the entered state's greedy action have. */
  record Pass(ParallelMlp.Trace trace, Tensor actions, Tensor output) {}

  /**
   * ψ of the actions taken, with what its step needs.
   *
   * @param actions seeds × rows
   */
  Pass pass(Tensor states, Tensor actions, Tensor tasks) {
    ParallelMlp.Trace trace =
        layout.shape().trace(weights(), layout.shape().inputs(weights(), states, tasks));
    return new Pass(trace, actions, at(layout.apart(trace.output()), actions));
  }

  /** ψ̄ of the greedy actions: seeds × members × rows × d. */
  Tensor ofTargetGreedily(Tensor states, Tensor tasks) {
    Tensor all = layout.forward(target(), states, tasks);
    return at(all, greedy(all, tasks));
  }

  /** argmax_a min_p ψ_pᵀz: seeds × rows, of seeds × members × rows × actions × d. */
  static Tensor greedy(Tensor all, Tensor tasks) {
    return values(all, tasks).argmax(new LongOptional(2), false);
  }

  /** min_p ψ_pᵀz: seeds × rows × actions. */
  static Tensor values(Tensor all, Tensor tasks) {
    return all.matmul(tasks.unsqueeze(1).unsqueeze(-1)).squeeze(-1).amin(new long[] {1}, false);
  }

  private static Tensor at(Tensor all, Tensor actions) {
    return all.gather(3, index(all, actions)).squeeze(3);
  }

  private static Tensor index(Tensor all, Tensor actions) {
    return actions
        .unsqueeze(1)
        .unsqueeze(-1)
        .unsqueeze(-1)
        .expand(all.size(0), all.size(1), all.size(2), 1, all.size(4));
  }

  /**
   * @param gradient by ψ of the actions taken: seeds × members × rows × d
   */
  void descend(Pass pass, Tensor gradient, Tensor rate) {
    Tensor all = torch.zeros_like(pass.trace.output());
    Tensor apart = layout.apart(all);
    apart.scatter_(3, index(apart, pass.actions), gradient.unsqueeze(3));
    Gradients gradients = new Gradients();
    layout.shape().backward(weights(), pass.trace, all, gradients, 0);
    descend(gradients, rate);
  }
}
