package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.LazyMetrics;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Equation 7 on a mesh of rows (s, a, s′) and columns s⁺ that are drawn on their own, so that no
 * pair has to be left out, and with each row's own s′; and what every measure has, mass one:
 *
 * <pre>
 *   L = Σ_kind [ ½ E_ij(m(s_i, a_i, s⁺_j) − γ m̄(s′_i, π(s′_i), s⁺_j))² − (1 − γ) E_i m(s_i, a_i, s′_i)
 *                + c/2 E_i(E_j m(s_i, a_i, s⁺_j) − 1)² ]
 * </pre>
 *
 * over the kinds of s⁺, whole states and goals, of which each has as many columns. Its minimum is m
 * = (1 − γ) P(s⁺|s, a)/ρ(s⁺) + γ E m̄: a density with E_{s⁺~ρ} m = 1, where the last term is 0. The
 * first two hold the mass by 1 − γ only, which is weaker than a greedy policy's liking for whatever
 * is overestimated. The square of an expectation is the product of two independent means, of the
 * kind's even and odd columns: so it has no bias, and a sharp density costs nothing.
 *
 * @param columns m on the mesh: seeds × rows × columns, the kinds one after the other
 * @param own m(s, a, s′): seeds × rows × kinds
 * @param bootstrap γm̄: seeds × rows × columns
 * @param massWeight c
 */
record MeshLoss(Tensor columns, Tensor own, Tensor bootstrap, double discount, double massWeight) {

  /** Of the whole mesh: seeds. */
  Tensor value() {
    double kinds = own.size(2);
    Tensor excess = excess();
    return columns
        .sub(bootstrap)
        .square()
        .mean(1, 2)
        .mul(scalar(kinds / 2))
        .sub(own.mean(1, 2).mul(scalar(kinds * (1 - discount))))
        .add(
            excess
                .select(3, 0)
                .mul(excess.select(3, 1))
                .sum(2)
                .mean(1)
                .mul(scalar(massWeight / 2)));
  }

  /** E_j m − 1 by even and by odd columns: seeds × rows × kinds × 2. */
  private Tensor excess() {
    return apart(columns).mean(new long[] {3}, false, new ScalarTypeOptional()).sub(scalar(1));
  }

  /** Seeds × rows × kinds × columns/2 × 2. */
  private Tensor apart(Tensor x) {
    return x.reshape(x.size(0), x.size(1), own.size(2), -1, 2);
  }

  /** A part of the mesh, as a view. */
  MeshLoss rows(long from, long count) {
    return new MeshLoss(
        columns.narrow(1, from, count),
        own.narrow(1, from, count),
        bootstrap.narrow(1, from, count),
        discount,
        massWeight);
  }

  /**
   * The gradient by m of the columns and, behind them, of the rows' own.
   *
   * @param rows of the mesh that these are a part of
   */
  Tensor gradient(long rows) {
    double pairs = (double) rows * columns.size(2) / own.size(2);
    // Half of a kind's columns each; each half is moved by what the other finds.
    Tensor byMass = excess().flip(3).mul_(scalar(massWeight / pairs)).unsqueeze(3);
    Tensor residual = apart(columns.sub(bootstrap).mul_(scalar(1 / pairs))).add_(byMass);
    return torch.cat(
        new TensorVector(
            residual.view_as(columns), torch.full_like(own, scalar(-(1 - discount) / rows))),
        2);
  }

  /** The loss, the density where the rows lead to, and the mean over columns, which is to be 1. */
  void log(LazyMetrics metrics) {
    metrics.add("measure_loss", this::value, columns, own, bootstrap);
    metrics.add("own_density", () -> own.mean(1, 2), own);
    metrics.add("mass", () -> columns.mean(1, 2), columns);
    metrics.add(
        "negative_share",
        () -> columns.lt(scalar(0)).to(columns.scalar_type()).mean(1, 2),
        columns);
  }
}
