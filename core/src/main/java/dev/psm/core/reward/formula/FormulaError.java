package dev.psm.core.reward.formula;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;

/** A mistake in a formula's text, with its place, for an editor that marks it there. */
public final class FormulaError extends UserError {
  private static final long serialVersionUID = 1L;

  private final int index;
  private final String problem;

  FormulaError(int index, String problem, String message) {
    this(index, problem, message, null);
  }

  FormulaError(int index, String problem, String message, Remedy remedy) {
    super(Kind.INVALID, message, null, remedy);
    this.index = index;
    this.problem = problem;
  }

  /** The same mistake, told of another place. */
  FormulaError movedTo(int place) {
    return new FormulaError(place, problem, getMessage());
  }

  /**
   * Where it is, as an index into the text's UTF-16 characters; the text's length where something
   * is missing at the end.
   */
  public int index() {
    return index;
  }

  /** What is wrong, in a sentence: the message without the column and the quoted text. */
  public String problem() {
    return problem;
  }
}
