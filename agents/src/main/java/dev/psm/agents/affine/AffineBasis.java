package dev.psm.agents.affine;

import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/**
 * The policy-independent part of M = Φw + b. The tensors live in {@link Parameters}, so that one
 * description serves the online basis and its target average.
 *
 * <p>All values are densities m = M/ρ. A triple (s, a, s⁺) has the index {@code (s · A + a) · S +
 * s⁺}.
 */
interface AffineBasis {

  /** Freshly initialised Φ and b. */
  Parameters parameters();

  /** The same of parameters that lie elsewhere. */
  AffineBasis on(Device device);

  /**
   * Φ and b on every triple.
   *
   * @return Φ as triples × d and b as triples
   */
  Evaluated everywhere(Parameters parameters);

  /**
   * Φ and b on a mesh: row i is the pair (s_i, a_i), column j the state s⁺_j.
   *
   * @return Φ as rows × columns × d and b as rows × columns
   */
  Evaluated mesh(Parameters parameters, Tensor states, Tensor actions, Tensor goals);

  /** Φ and b at the same places. */
  record Evaluated(Tensor basis, Tensor bias) {

    /** m = Φw + b on every triple for every row of w: codes × triples. */
    Tensor measures(Tensor w) {
      return w.matmul(basis.t()).add(bias);
    }

    /** m on a mesh whose row i belongs to row i of w. */
    Tensor meshMeasures(Tensor w) {
      return basis.matmul(w.unsqueeze(2)).squeeze(2).add(bias);
    }
  }
}
