package dev.psm.agents.affine;

import dev.psm.core.data.TransitionTable;
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

  Dynamics(TransitionTable data) {
    states = data.stateCount();
    actions = data.actionCount();
    rho = Tensors.floats(data.nextStateDistribution(), states).retainReference();
    source =
        Tensors.matrix(data.transitionMatrix())
            .div(rho.clamp_min(Tensors.scalar(Float.MIN_NORMAL)))
            .view(-1)
            .retainReference();
    if (data.mdp().isDeterministic()) {
      int[] entered = new int[data.pairCount()];
      for (int pair = 0; pair < entered.length; pair++) {
        entered[pair] = data.mdp().successor(data.mdp().rowStart(pair));
      }
      next = Tensors.longs(entered, entered.length).retainReference();
      matrix = null;
    } else {
      next = null;
      matrix = Tensors.matrix(data.transitionMatrix()).retainReference();
    }
  }

  /**
   * E[m(s′, π(s′), s⁺)] over s′ ~ P(·|s,a), for each code's policy.
   *
   * @param m codes × triples
   * @param policies one action per code and state
   * @return codes × pairs × states
   */
  Tensor followed(Tensor m, int[][] policies) {
    long codes = policies.length;
    long[] chosen = new long[Math.toIntExact(codes * states)];
    for (int code = 0; code < codes; code++) {
      for (int state = 0; state < states; state++) {
        chosen[Math.toIntExact(code * states + state)] = policies[code][state];
      }
    }
    Tensor index = Tensors.longs(chosen, codes, states, 1, 1).expand(codes, states, 1, states);
    Tensor atPolicy = m.view(codes, states, actions, states).gather(2, index).squeeze(2);
    return next != null ? atPolicy.index_select(1, next) : matrix.matmul(atPolicy);
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
