package dev.psm.agents.affine;

import org.bytedeco.pytorch.Tensor;

/**
 * Solving where Φ and b are known on samples: for whoever has them without a table of all states.
 * The bias is the last basis function, and its coordinate is 1.
 */
public final class AffineSolving {
  private AffineSolving() {}

  /**
   * The candidate with the highest mean Q, per prompt.
   *
   * @param basis Q of every prompt as a function of w: prompts × pairs × (d + 1)
   * @param candidates codes × (d + 1)
   * @return prompts × d
   */
  public static Tensor best(Tensor basis, Tensor candidates) {
    long d = candidates.size(1) - 1;
    return apart(basis, d).bestCoordinates(candidates.narrow(1, 0, d));
  }

  /**
   * The paper's equation 10, for all prompts at once.
   *
   * @param triples Φ and b where m must not be negative: triples × (d + 1)
   * @param start a first w per prompt, on the sphere
   * @return prompts × d
   */
  public static Tensor dual(
      Tensor triples, Tensor basis, Tensor start, int steps, double learningRate) {
    long d = start.size(1);
    AffineBasis.Evaluated evaluated =
        new AffineBasis.Evaluated(
            triples.narrow(1, 0, d).contiguous(), triples.select(1, d).contiguous());
    return new DualDescent(steps, learningRate, evaluated).solve(apart(basis, d), start);
  }

  private static AffineModel.Projected apart(Tensor basis, long d) {
    return new AffineModel.Projected(basis.narrow(2, 0, d), basis.select(2, d));
  }
}
