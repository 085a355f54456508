package dev.psm.agents.affine;

import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import org.bytedeco.pytorch.Tensor;

/** The data's transitions as tensors: what an exact expectation needs. */
final class Dynamics {
  private final long states;
  private final long actions;
  private final Tensor rho;

  /** P(s⁺|s,a)/ρ(s⁺) on every triple; 0 where nothing enters s⁺, which has no density. */
  private final Tensor source;

  /** The state entered from each pair; null where entering is random. */
  private final Tensor next;

  /** P, pairs × states; null where {@link #next} says it all. */
  private final Tensor matrix;

  Dynamics(TransitionTable data, Device device) {
    states = data.stateCount();
    actions = data.actionCount();
    rho = device.place(Tensors.floats(data.nextStateDistribution(), states)).retainReference();
    source =
        device
            .place(Tensors.matrix(data.transitionMatrix()))
            .div(rho.clamp_min(Tensors.scalar(Float.MIN_NORMAL)))
            .view(-1)
            .retainReference();
    if (data.mdp().isDeterministic()) {
      int[] entered = new int[data.pairCount()];
      for (int pair = 0; pair < entered.length; pair++) {
        entered[pair] = data.mdp().successor(data.mdp().rowStart(pair));
      }
      next = device.place(Tensors.longs(entered, entered.length)).retainReference();
      matrix = null;
    } else {
      next = null;
      matrix = device.place(Tensors.matrix(data.transitionMatrix())).retainReference();
    }
  }

  /**
   * E[m(s′, π(s′), s⁺)] over s′ ~ P(·|s,a), for each code's policy.
   *
   * @param m codes × triples
   * @param policies one action per code and state, as {@link #policies} gives them
   * @return codes × pairs × states
   */
  Tensor followed(Tensor m, Tensor policies) {
    long codes = policies.size(0);
    Tensor index = policies.view(codes, states, 1, 1).expand(codes, states, 1, states);
    Tensor atPolicy = m.view(codes, states, actions, states).gather(2, index).squeeze(2);
    return next != null ? atPolicy.index_select(1, next) : matrix.matmul(atPolicy);
  }

  /** Policies as a tensor: codes × states. */
  static Tensor policies(int[][] policies) {
    int states = policies[0].length;
    long[] chosen = new long[policies.length * states];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = policies[i / states][i % states];
    }
    return Tensors.longs(chosen, policies.length, states);
  }

  /**
   * The loss averaged over codes and pairs, with s⁺ ~ ρ.
   *
   * @param m codes × triples
   * @param bootstrap γ times the target, codes × pairs × states, without gradient
   */
  Tensor loss(Tensor m, Tensor bootstrap, double discount) {
    Tensor measure = m.view(bootstrap.size(0), states * actions, states);
    Tensor squares = measure.sub(bootstrap).square().matmul(rho).mean();
    Tensor entered =
        next != null
            ? measure
                .gather(
                    2,
                    next.view(1, states * actions, 1)
                        .expand(bootstrap.size(0), states * actions, 1))
                .mean()
            : measure.mul(matrix).sum(2).mean();
    return squares.mul(Tensors.scalar(0.5)).sub(entered.mul(Tensors.scalar(1 - discount)));
  }

  /**
   * m − γm̄ − (1 − γ)P/ρ, the loss's gradient by m without the weight of each entry: how far every
   * entry is from its target.
   *
   * @return codes × triples
   */
  Tensor residual(Tensor m, Tensor bootstrap, double discount) {
    return m.sub(bootstrap.view(m.size(0), m.size(1)))
        .sub(source.mul(Tensors.scalar(1 - discount)));
  }
}
