package dev.psm.agents.affine;

import dev.psm.core.UserError;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * All that chance decides of a gradient step.
 *
 * @param bits of the hash codes, codes × bits
 * @param policies their actions, codes × states; null where the expectation is not exact
 * @param rows sampled transitions, one per code; null where the expectation is no mesh
 */
record AffineInputs(Tensor bits, Tensor policies, Rows rows) {

  /**
   * @param nextActions what the row's code does in the row's next state
   */
  record Rows(Tensor states, Tensor actions, Tensor nextStates, Tensor nextActions) {}

  /** How they lie in one array of whole numbers: in the order above. */
  record Layout(int codes, int states, boolean exact, boolean mesh) {
    private static final int ROW_NUMBERS = 4;

    Layout {
      long perCode = (long) Codebook.CODE_BITS + (exact ? states : 0) + (mesh ? ROW_NUMBERS : 0);
      if (codes * perCode * StepBlock.STEPS > Integer.MAX_VALUE) {
        throw UserError.invalid(
            "codesPerStep=%d is more than a step on %d states can take; choose fewer",
            codes, states);
      }
    }

    int policiesStart() {
      return codes * Codebook.CODE_BITS;
    }

    int rowsStart() {
      return policiesStart() + (exact ? codes * states : 0);
    }

    int numbers() {
      return rowsStart() + (mesh ? ROW_NUMBERS * codes : 0);
    }

    /** Views of a vector of {@link #numbers}; only the bits become floats. */
    AffineInputs split(Tensor numbers) {
      return new AffineInputs(
          numbers
              .narrow(0, 0, policiesStart())
              .view(codes, Codebook.CODE_BITS)
              .to(torch.ScalarType.Float),
          exact
              ? numbers.narrow(0, policiesStart(), (long) codes * states).view(codes, states)
              : null,
          mesh
              ? new Rows(row(numbers, 0), row(numbers, 1), row(numbers, 2), row(numbers, 3))
              : null);
    }

    private Tensor row(Tensor numbers, long index) {
      return numbers.narrow(0, rowsStart() + index * codes, codes);
    }
  }
}
