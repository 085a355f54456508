package dev.psm.core.reward.formula;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Tolerance;
import dev.psm.core.reward.Tolerance.Sigmoid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The arguments of a call and what becomes of them.
 *
 * @param places where each begins, the sigmoid included
 * @param sigmoid the sixth of a tolerance, or null
 */
record Arguments(
    String text, Token name, List<Operand> operands, List<Integer> places, Sigmoid sigmoid) {

  int count() {
    return places.size();
  }

  Operand operand(int index) {
    return operands.get(index);
  }

  /** Joins them from left to right. */
  Operand fold(Kernel kernel, Compiler compiler) {
    Operand folded = operand(0);
    for (int i = 1; i < count(); i++) {
      folded = compiler.apply(kernel, 1, name.at(), folded, operand(i));
    }
    return folded;
  }

  /** Should low be above high in some state, high it is, as in NumPy. */
  Operand clip(Compiler compiler) {
    Operand low = operand(1);
    Operand high = operand(2);
    if (low.isConstant() && high.isConstant() && low.value() > high.value()) {
      throw bounds(low.value(), high.value());
    }
    Operand raised = compiler.apply(Kernels.MAX, 1, name.at(), operand(0), low);
    return compiler.apply(Kernels.MIN, 1, name.at(), raised, high);
  }

  /** Its shape is fixed when the formula is read, so that a wrong one is told then. */
  Operand tolerance(Compiler compiler) {
    double low = constant(1, "lower bound");
    double high = constant(2, "upper bound");
    double margin = count() > 3 ? constant(3, "margin") : 0;
    double value = count() > 4 ? constant(4, "value at the margin") : Tolerance.DEFAULT_VALUE;
    Sigmoid shape = sigmoid == null ? Sigmoid.GAUSSIAN : sigmoid;
    if (low > high) {
      throw bounds(low, high);
    }
    if (!(margin >= 0 && margin < Double.POSITIVE_INFINITY)) {
      throw mistake(3, "a margin must be finite and not negative, found " + shown(margin));
    }
    if (!(value < 1 && (value > 0 || (value == 0 && shape.mayVanish())))) {
      throw mistake(
          4,
          "the value at the margin must be below 1 and %s 0 for %s, found %s"
              .formatted(
                  shape.mayVanish() ? "at least" : "above",
                  shape.name().toLowerCase(Locale.ROOT),
                  shown(value)));
    }
    Kernel kernel =
        (in, out, count) -> Tolerance.tolerance(in[0], out, count, low, high, margin, value, shape);
    return compiler.apply(kernel, 5, name.at(), operand(0));
  }

  /** An environment's own function. */
  Operand call(StateFunction function, Compiler compiler) {
    double[] constants = new double[function.constant() ? count() : 0];
    for (int i = 0; i < constants.length; i++) {
      constants[i] = constant(i, function.parameters().get(i));
    }
    Kernel kernel;
    try {
      kernel = function.binder().bind(constants);
    } catch (IllegalArgumentException e) {
      throw mistake(0, e.getMessage());
    }
    List<Operand> inputs = new ArrayList<>();
    for (Quantity quantity : function.reads()) {
      inputs.add(compiler.quantity(quantity, name.at()));
    }
    if (!function.constant()) {
      inputs.addAll(operands);
    }
    return compiler.apply(kernel, function.cost(), name.at(), inputs.toArray(Operand[]::new));
  }

  private double constant(int index, String what) {
    if (!operand(index).isConstant()) {
      throw mistake(
          index,
          "the %s of %s must not depend on the state%s"
              .formatted(
                  what,
                  name.text(),
                  name.text().equals("tolerance")
                      ? "; subtract or divide what varies in the first argument"
                      : ""));
    }
    return operand(index).value();
  }

  private FormulaError bounds(double low, double high) {
    return mistake(
        1, "the lower bound %s is above the upper one, %s".formatted(shown(low), shown(high)));
  }

  private static String shown(double value) {
    return Double.isInfinite(value) ? value > 0 ? "inf" : "-inf" : Double.toString(value);
  }

  private FormulaError mistake(int index, String message) {
    return Mistake.at(text, places.get(index), message);
  }
}
