package dev.psm.agents.affine;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The update of tables under the exact loss: its gradient, preconditioned so that all entries of a
 * code's measure move the same share of the way to their targets, whatever their size.
 *
 * <p>Size is the point. Far from where an agent starts, a measure is many orders of magnitude below
 * its peak, and which way to go is decided by ratios there. Adam moves every entry by about the
 * learning rate, so small entries drown; this step moves an entry by a share of its own residual.
 *
 * <p>With W̃ = [w, 1] and the residual R = m − γm̄ − (1 − γ)P/ρ, the gradient of the loss by [Φ, b]
 * is RᵀW̃/codes, times the weight of each row. Dropping the weight and multiplying by the inverse
 * of A = E[W̃ᵀW̃]/codes makes it a step towards the least-squares solution; both are positive
 * definite, so the minimum stays where it was.
 */
final class LeastSquaresStep implements AutoCloseable {
  private static final String MOMENT = "moment";

  /** How fast the average of W̃ᵀW̃ follows the coordinates, which move slowly. */
  private static final double AVERAGING = 0.05;

  /**
   * Added to A in the directions that hash codes share, in units of their mean eigenvalue. Hash
   * codes see only a sample of policies each step; without damping the tables would chase each
   * sample, and bootstrapping would amplify it.
   */
  private static final double DAMPING = 1;

  private final Parameters tables;
  private final int length;
  private Tensor hashedMoment;

  LeastSquaresStep(Parameters tables, int length) {
    this.tables = tables;
    this.length = length;
  }

  /**
   * @param hashed coordinates of the hash codes, first in the residual's rows
   * @param enriched coordinates of the enriched codes, or null; their policies are always all there
   *     and each has a basis function to itself, so they take the whole step
   * @param residual codes × triples
   * @param rate one number, the share of the way that hash codes go to their target, in (0, 1]
   */
  void apply(Tensor hashed, Tensor enriched, Tensor residual, Tensor rate) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor w = withOne(hashed);
      Tensor moment = w.t().matmul(w);
      if (hashedMoment == null) {
        hashedMoment = moment.clone().retainReference();
      } else {
        hashedMoment.lerp_(moment, Tensors.scalar(AVERAGING));
      }
      Tensor used = hashedMoment.diag().gt(Tensors.scalar(0)).to(torch.ScalarType.Float);
      Tensor damping = hashedMoment.diag().sum().div(used.sum()).mul(Tensors.scalar(DAMPING));
      Tensor total = hashedMoment.add(torch.diag(used.mul(damping)));
      Tensor rates = ones(w.size(0)).mul(rate);
      if (enriched != null) {
        Tensor fixed = withOne(enriched);
        total = total.add(fixed.t().matmul(fixed));
        w = torch.cat(new TensorVector(w, fixed), 0);
        rates = torch.cat(new TensorVector(rates, ones(fixed.size(0))), 0);
      } else {
        // Basis functions that no code uses yet: any number will do, their gradient is zero.
        total = total.add(torch.diag(used.neg().add(Tensors.scalar(1))));
      }
      // codes × (length + 1), so that the only large products are with the residual.
      Tensor direction = w.matmul(Tensors.inverse(total)).mul(rates);
      tables.get("basis").sub_(residual.t().matmul(direction.narrow(1, 0, length)));
      tables.get("bias").sub_(residual.t().matmul(direction.select(1, length)));
    }
  }

  /** For a checkpoint: what it remembers of earlier steps. */
  void export(String prefix, Map<String, TensorData> into) {
    if (hashedMoment != null) {
      into.put(prefix + MOMENT, Tensors.toData(hashedMoment));
    }
  }

  /** Takes back what {@link #export} gave. */
  void load(String prefix, Map<String, TensorData> from, String fileName) {
    TensorData moment = from.get(prefix + MOMENT);
    close();
    if (moment == null) {
      return;
    }
    Parameters.require(
        Map.of(prefix + MOMENT, new long[] {length + 1L, length + 1L}), from, fileName);
    try (PointerScope scope = new PointerScope()) {
      float[] values = moment.finiteFloats(prefix + MOMENT, fileName);
      hashedMoment =
          tables
              .device()
              .place(Tensors.floats(values, length + 1L, length + 1L))
              .clone()
              .retainReference();
    }
  }

  @Override
  public void close() {
    if (hashedMoment != null) {
      hashedMoment.close();
      hashedMoment = null;
    }
  }

  private Tensor withOne(Tensor w) {
    return torch.cat(new TensorVector(w, ones(w.size(0))), 1);
  }

  private Tensor ones(long rows) {
    return torch.ones(new long[] {rows, 1}, tables.device().floats());
  }
}
