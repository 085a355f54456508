package dev.psm.core.reward.formula;

import dev.psm.core.reward.Tolerance.Sigmoid;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The functions and constants every environment's language has. */
final class Functions {
  static final Map<String, Double> CONSTANTS = new LinkedHashMap<>();
  static final Map<String, Sigmoid> SIGMOIDS = new LinkedHashMap<>();

  /** What other languages call things that are here under another name, or not at all. */
  static final Map<String, String> FOREIGN =
      Map.ofEntries(
          Map.entry("and", "write &&"),
          Map.entry("or", "write ||"),
          Map.entry("not", "write !"),
          Map.entry("if", "write condition ? yes : no"),
          Map.entry("true", "write 1"),
          Map.entry("false", "write 0"),
          Map.entry("infinity", "write inf"),
          Map.entry("pow", "write x^y"),
          Map.entry("ln", "write log(x)"),
          Map.entry("e", "write exp(1)"),
          Map.entry("tan", "write sin(x) / cos(x)"),
          Map.entry("clamp", "write clip(x, low, high)"));

  static {
    CONSTANTS.put("pi", Math.PI);
    CONSTANTS.put("inf", Double.POSITIVE_INFINITY);
    for (Sigmoid sigmoid : Sigmoid.values()) {
      SIGMOIDS.put(sigmoid.name().toLowerCase(Locale.ROOT), sigmoid);
    }
  }

  /**
   * A function.
   *
   * @param kernel its operation, if it is a single one on exactly {@code least} values
   */
  record Function(int least, int most, int cost, String usage, String meaning, Kernel kernel) {}

  private static final Map<String, Function> ALL = new LinkedHashMap<>();

  static {
    one("abs", Kernels.ABS, 1, "size without sign");
    one("exp", Kernels.unary(Math::exp), 5, "e to the power x");
    one("log", Kernels.unary(Math::log), 5, "natural logarithm; -inf at 0, NaN below");
    one("sqrt", Kernels.SQRT, 2, "square root; NaN below 0");
    one("sin", Kernels.unary(Math::sin), 5, "sine of x in radians");
    one("cos", Kernels.unary(Math::cos), 5, "cosine of x in radians");
    one("tanh", Kernels.unary(Math::tanh), 5, "hyperbolic tangent: squeezes x into -1 to 1");
    ALL.put("min", some("min(x, y, ...)", "the least of two or more"));
    ALL.put("max", some("max(x, y, ...)", "the greatest of two or more"));
    ALL.put(
        "clip",
        new Function(3, 3, 2, "clip(x, low, high)", "x, but not below low nor above high", null));
    ALL.put(
        "tolerance",
        new Function(
            3,
            6,
            5,
            "tolerance(x, low, high, margin = 0, value = 0.1, sigmoid = gaussian)",
            "1 from low to high, falling to value at margin beyond; sigmoids: "
                + String.join(", ", SIGMOIDS.keySet()),
            null));
  }

  private Functions() {}

  private static void one(String name, Kernel kernel, int cost, String meaning) {
    ALL.put(name, new Function(1, 1, cost, name + "(x)", meaning, kernel));
  }

  private static Function some(String usage, String meaning) {
    return new Function(2, Integer.MAX_VALUE, 1, usage, meaning, null);
  }

  static Set<String> names() {
    return Collections.unmodifiableSet(ALL.keySet());
  }

  /** The function of that name, or null. */
  static Function named(String name) {
    return ALL.get(name);
  }

  /** Usage and meaning of each, in order. */
  static Map<String, String> described() {
    return ALL.values().stream()
        .collect(
            Collectors.toMap(Function::usage, Function::meaning, (a, b) -> a, LinkedHashMap::new));
  }

  /** The constants' names and meanings. */
  static Map<String, String> constants() {
    Map<String, String> described = new LinkedHashMap<>();
    described.put("pi", "3.14159...");
    described.put("inf", "infinity, for a tolerance without an end");
    return described;
  }
}
