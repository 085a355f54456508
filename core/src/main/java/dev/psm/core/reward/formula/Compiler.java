package dev.psm.core.reward.formula;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.formula.Operand.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Turns operations, told in the order of their evaluation, into a {@link Program}: works out what
 * does not depend on the state, reuses temporaries, and stops when the formula costs too much.
 */
final class Compiler {
  private final String text;
  private final List<Quantity> quantities = new ArrayList<>();
  private final Map<Double, Integer> constants = new LinkedHashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private final BitSet busy = new BitSet();
  private int temporaries;
  private int cost;

  /** Where the name stands whose formula is being read in its place; −1 outside of any. */
  private int inlinedAt = -1;

  private record Step(Kernel kernel, Operand[] inputs, Operand target) {}

  Compiler(String text) {
    this.text = text;
  }

  /** Reads another text in place of a name: what is wrong with it is told of the name. */
  Operand inlined(int at, Supplier<Operand> reading) {
    inlinedAt = at;
    try {
      return reading.get();
    } catch (FormulaError e) {
      throw e.movedTo(at);
    } finally {
      inlinedAt = -1;
    }
  }

  private FormulaError mistake(int at, String message) {
    return Mistake.at(text, inlinedAt < 0 ? at : inlinedAt, message);
  }

  Operand quantity(Quantity quantity, int at) {
    spend(1, at);
    int index = quantities.indexOf(quantity);
    if (index < 0) {
      index = quantities.size();
      quantities.add(quantity);
    }
    return new Operand(Kind.QUANTITY, index, 0);
  }

  Operand constant(double value, int at) {
    spend(1, at);
    return Operand.constant(value);
  }

  /**
   * The result of an operation.
   *
   * @param at where the formula asks for it
   */
  Operand apply(Kernel kernel, int price, int at, Operand... inputs) {
    spend(price, at);
    boolean fixed = inputs.length > 0;
    for (Operand input : inputs) {
      fixed &= input.isConstant();
    }
    if (fixed) {
      return folded(kernel, at, inputs);
    }
    for (Operand input : inputs) {
      if (input.kind() == Kind.TEMPORARY) {
        busy.clear(input.index());
      }
    }
    int free = busy.nextClearBit(0);
    busy.set(free);
    temporaries = Math.max(temporaries, free + 1);
    Operand target = new Operand(Kind.TEMPORARY, free, 0);
    steps.add(new Step(kernel, inputs, target));
    return target;
  }

  private Operand folded(Kernel kernel, int at, Operand[] inputs) {
    double[][] in = new double[inputs.length][];
    boolean finite = true;
    for (int i = 0; i < in.length; i++) {
      in[i] = new double[] {inputs[i].value()};
      finite &= Double.isFinite(inputs[i].value());
    }
    double[] out = new double[1];
    kernel.run(in, out, 1);
    if (Double.isNaN(out[0])) {
      throw mistake(at, "this does not depend on the state and is not a number");
    }
    if (finite && Double.isInfinite(out[0])) {
      throw mistake(at, "this does not depend on the state and is infinite");
    }
    return Operand.constant(out[0]);
  }

  private void spend(int price, int at) {
    cost += price;
    if (cost > Formula.MAX_COST) {
      throw mistake(
          at,
          "too much to work out: here the formula passes a cost of %,d; a name, number or operator costs 1, most functions 5"
              .formatted(Formula.MAX_COST));
    }
  }

  Program program(Operand result) {
    int[][] inputs = new int[steps.size()][];
    int[] targets = new int[steps.size()];
    Kernel[] kernels = new Kernel[steps.size()];
    // Constants first: where temporaries begin depends on how many there are.
    steps.forEach(step -> List.of(step.inputs).forEach(this::keep));
    keep(result);
    for (int i = 0; i < kernels.length; i++) {
      Step step = steps.get(i);
      kernels[i] = step.kernel;
      targets[i] = register(step.target);
      inputs[i] = new int[step.inputs.length];
      for (int j = 0; j < step.inputs.length; j++) {
        inputs[i][j] = register(step.inputs[j]);
      }
    }
    double[] values = constants.keySet().stream().mapToDouble(Double::doubleValue).toArray();
    return new Program(
        quantities.size(), values, temporaries, kernels, inputs, targets, register(result));
  }

  private void keep(Operand operand) {
    if (operand.isConstant()) {
      // Double.equals tells 0 from -0, as a division does.
      constants.putIfAbsent(operand.value(), constants.size());
    }
  }

  private int register(Operand operand) {
    return switch (operand.kind()) {
      case QUANTITY -> operand.index();
      case CONSTANT -> quantities.size() + constants.get(operand.value());
      case TEMPORARY -> quantities.size() + constants.size() + operand.index();
    };
  }

  int cost() {
    return cost;
  }

  List<Quantity> quantities() {
    return List.copyOf(quantities);
  }
}
