package dev.psm.core.reward.formula;

/**
 * Where a value is found while a formula runs.
 *
 * @param index of the quantity or of the temporary; unused for a constant
 * @param value of a constant
 */
record Operand(Kind kind, int index, double value) {
  enum Kind {
    QUANTITY,
    CONSTANT,
    TEMPORARY
  }

  static Operand constant(double value) {
    return new Operand(Kind.CONSTANT, -1, value);
  }

  boolean isConstant() {
    return kind == Kind.CONSTANT;
  }
}
