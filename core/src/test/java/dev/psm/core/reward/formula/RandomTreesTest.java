package dev.psm.core.reward.formula;

import static dev.psm.core.reward.formula.Words.VELOCITY;
import static dev.psm.core.reward.formula.Words.X;
import static dev.psm.core.reward.formula.Words.Y;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Tolerance;
import dev.psm.core.reward.Tolerance.Sigmoid;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Random syntax trees, printed and read back, against an evaluator that simply recurses. */
class RandomTreesTest {
  private static final List<Quantity> QUANTITIES = List.of(X, Y, VELOCITY);
  private static final List<Sigmoid> SIGMOIDS = List.of(Sigmoid.values());
  private static final double[] EXTREMES = {
    0.0,
    -0.0,
    1,
    -1,
    1e308,
    -1e308,
    1e-308,
    4.9e-324,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN
  };

  /** What a piece of text is worth in a state, and how tightly it holds together. */
  private record Tree(String text, int level, Value value) {
    String at(int least) {
      return level >= least ? text : "(" + text + ")";
    }
  }

  private interface Value {
    double in(Readings state);
  }

  @Test
  void whatIsReadBackIsWorthTheSameToTheLastBit() {
    RandomGenerator random = Seeds.generator(1);
    QuantityTable table = states(random);
    int read = 0;
    for (int i = 0; i < 10_000; i++) {
      Tree tree = tree(random, 1 + random.nextInt(6));
      Formula formula;
      try {
        formula = Words.formula(tree.text);
      } catch (UserError e) {
        // A part without quantities that is not finite is refused, and rightly so.
        assertTrue(
            e.getMessage().contains("does not depend") || e.getMessage().contains("by zero"),
            e.getMessage());
        continue;
      }
      read++;
      double[] expected = new double[table.rows()];
      for (int row = 0; row < expected.length; row++) {
        int at = row;
        Readings state = quantity -> table.column(quantity)[at];
        expected[row] = tree.value.in(state);
        assertEquals(expected[row], formula.value(state), tree.text);
      }
      assertArrayEquals(expected, formula.values(table), tree.text);
    }
    assertTrue(read > 7_500, "only " + read + " were read");
  }

  @Test
  void theTermsOrFactorsOfATreeMakeItUp() {
    RandomGenerator random = Seeds.generator(2);
    int sums = 0;
    int products = 0;
    for (int i = 0; i < 5_000; i++) {
      Tree tree = tree(random, 1 + random.nextInt(4));
      Formula formula;
      try {
        formula = Words.formula(tree.text);
      } catch (UserError e) {
        continue;
      }
      List<Formula> parts = formula.parts(Words.VOCABULARY);
      if (parts.isEmpty()) {
        continue;
      }
      boolean sum = true;
      boolean product = true;
      for (int state = 0; state < 20; state++) {
        Readings readings =
            Words.state(
                random.nextDouble(-3, 3), random.nextDouble(-3, 3), random.nextDouble(-3, 3));
        double whole = formula.value(readings);
        double[] values = parts.stream().mapToDouble(part -> part.value(readings)).toArray();
        sum &= near(whole, Arrays.stream(values).sum(), values);
        product &= near(whole, Arrays.stream(values).reduce(1, (a, b) -> a * b), values);
      }
      assertTrue(sum || product, tree.text + " is not made up of " + parts);
      sums += sum && !product ? 1 : 0;
      products += product && !sum ? 1 : 0;
    }
    assertTrue(sums > 300 && products > 300, sums + " sums, " + products + " products");
  }

  /** Rounding is measured against the largest part; what overflows cannot be compared. */
  private static boolean near(double whole, double made, double[] parts) {
    double largest = Math.max(Math.abs(whole), 1);
    for (double part : parts) {
      largest = Math.max(largest, Math.abs(part));
    }
    return !(largest < 1e150) || Math.abs(whole - made) <= 1e-12 * largest;
  }

  private static QuantityTable states(RandomGenerator random) {
    QuantityTable table = new QuantityTable(QUANTITIES, 40);
    for (int row = 0; row < table.rows(); row++) {
      table.measure(
          row,
          quantity ->
              random.nextInt(4) == 0
                  ? EXTREMES[random.nextInt(EXTREMES.length)]
                  : random.nextGaussian() * 3);
    }
    return table;
  }

  private static Tree tree(RandomGenerator random, int depth) {
    if (depth == 0 || random.nextInt(8) == 0) {
      return leaf(random);
    }
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> arithmetic(random, depth);
      case 4 -> comparison(random, depth);
      case 5 -> logic(random, depth);
      case 6 -> sign(random, depth);
      case 7 -> choice(random, depth);
      case 8 -> power(random, depth);
      case 9 -> tolerance(random, depth);
      case 10 -> several(random, depth);
      default -> function(random, depth);
    };
  }

  private static Tree leaf(RandomGenerator random) {
    if (random.nextInt(3) == 0) {
      double number =
          random.nextBoolean() ? random.nextInt(10) : Math.abs(random.nextGaussian()) * 100;
      return new Tree(Double.toString(number), 9, state -> number);
    }
    Quantity quantity = QUANTITIES.get(random.nextInt(3));
    return new Tree(quantity.name(), 9, state -> state.get(quantity));
  }

  private static Tree arithmetic(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    Tree b = tree(random, depth - 1);
    return switch (random.nextInt(4)) {
      case 0 -> new Tree(a.at(5) + " + " + b.at(6), 5, s -> a.value.in(s) + b.value.in(s));
      case 1 -> new Tree(a.at(5) + "-" + b.at(6), 5, s -> a.value.in(s) - b.value.in(s));
      case 2 -> new Tree(a.at(6) + "*" + b.at(7), 6, s -> a.value.in(s) * b.value.in(s));
      default -> new Tree(a.at(6) + " /" + b.at(7), 6, s -> a.value.in(s) / b.value.in(s));
    };
  }

  private static Tree comparison(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    Tree b = tree(random, depth - 1);
    String sign = List.of("<", "<=", ">", ">=", "==", "!=").get(random.nextInt(6));
    return new Tree(
        a.at(5) + sign + b.at(5),
        4,
        state -> {
          double left = a.value.in(state);
          double right = b.value.in(state);
          if (Double.isNaN(left) || Double.isNaN(right)) {
            return Double.NaN;
          }
          boolean holds =
              switch (sign) {
                case "<" -> left < right;
                case "<=" -> left <= right;
                case ">" -> left > right;
                case ">=" -> left >= right;
                case "==" -> left == right;
                default -> left != right;
              };
          return holds ? 1 : 0;
        });
  }

  private static Tree logic(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    Tree b = tree(random, depth - 1);
    boolean and = random.nextBoolean();
    return new Tree(
        and ? a.at(3) + " && " + b.at(4) : a.at(2) + "||" + b.at(3),
        and ? 3 : 2,
        state -> {
          double left = a.value.in(state);
          if (Double.isNaN(left)) {
            return left;
          }
          if (and != (left != 0)) {
            return and ? 0 : 1;
          }
          double right = b.value.in(state);
          return Double.isNaN(right) ? right : right != 0 ? 1 : 0;
        });
  }

  private static Tree sign(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    return switch (random.nextInt(3)) {
      case 0 -> new Tree("-" + a.at(7), 7, state -> -a.value.in(state));
      case 1 -> new Tree("+" + a.at(7), 7, a.value);
      default ->
          new Tree(
              "!" + a.at(7),
              7,
              state -> {
                double value = a.value.in(state);
                return Double.isNaN(value) ? value : value == 0 ? 1 : 0;
              });
    };
  }

  private static Tree choice(RandomGenerator random, int depth) {
    Tree c = tree(random, depth - 1);
    Tree yes = tree(random, depth - 1);
    Tree no = tree(random, depth - 1);
    return new Tree(
        c.at(2) + " ? " + yes.at(1) + " : " + no.at(1),
        1,
        state -> {
          double condition = c.value.in(state);
          return Double.isNaN(condition)
              ? condition
              : condition != 0 ? yes.value.in(state) : no.value.in(state);
        });
  }

  private static Tree power(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    if (random.nextBoolean()) {
      return new Tree(
          a.at(9) + "^2",
          8,
          state -> {
            double value = a.value.in(state);
            return value * value;
          });
    }
    Tree b = tree(random, depth - 1);
    // A sign in the exponent needs no parentheses, as in 2^-x.
    return new Tree(
        a.at(9) + "^" + b.at(7),
        8,
        state -> {
          double exponent = b.value.in(state);
          double base = a.value.in(state);
          return exponent == 2 ? base * base : Double.isNaN(base) ? base : Math.pow(base, exponent);
        });
  }

  private static Tree tolerance(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    double low = random.nextInt(5) - 2;
    double high = random.nextInt(4) == 0 ? Double.POSITIVE_INFINITY : low + random.nextInt(3);
    double margin = random.nextInt(3) * 0.75;
    double value = 0.05 + 0.9 * random.nextDouble();
    Sigmoid sigmoid = SIGMOIDS.get(random.nextInt(SIGMOIDS.size()));
    return new Tree(
        "tolerance(%s, %s, %s, %s, %s, %s)"
            .formatted(
                a.text,
                low,
                Double.isInfinite(high) ? "inf" : high,
                margin,
                value,
                sigmoid.name().toLowerCase(Locale.ROOT)),
        9,
        state -> Tolerance.tolerance(a.value.in(state), low, high, margin, value, sigmoid));
  }

  private static Tree several(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    Tree b = tree(random, depth - 1);
    Tree c = tree(random, depth - 1);
    return switch (random.nextInt(3)) {
      case 0 ->
          new Tree(
              "min(" + a.text + "," + b.text + ", " + c.text + ")",
              9,
              s -> Math.min(Math.min(a.value.in(s), b.value.in(s)), c.value.in(s)));
      case 1 ->
          new Tree(
              "max(" + a.text + "," + b.text + ")", 9, s -> Math.max(a.value.in(s), b.value.in(s)));
      default ->
          new Tree(
              "clip(" + a.text + ", -1, 2.5)", 9, s -> Math.min(Math.max(a.value.in(s), -1), 2.5));
    };
  }

  private static Tree function(RandomGenerator random, int depth) {
    Tree a = tree(random, depth - 1);
    return switch (random.nextInt(8)) {
      case 0 -> new Tree("abs(" + a.text + ")", 9, s -> Math.abs(a.value.in(s)));
      case 1 -> new Tree("exp(" + a.text + ")", 9, s -> Math.exp(a.value.in(s)));
      case 2 -> new Tree("log(" + a.text + ")", 9, s -> Math.log(a.value.in(s)));
      case 3 -> new Tree("sqrt(" + a.text + ")", 9, s -> Math.sqrt(a.value.in(s)));
      case 4 -> new Tree("sin(" + a.text + ")", 9, s -> Math.sin(a.value.in(s)));
      case 5 -> new Tree("cos(" + a.text + ")", 9, s -> Math.cos(a.value.in(s)));
      case 6 -> new Tree("tanh(" + a.text + ")", 9, s -> Math.tanh(a.value.in(s)));
      default ->
          new Tree(
              "distance(" + a.text + ", 2)",
              9,
              s -> {
                double dx = s.get(X) - a.value.in(s);
                double dy = s.get(Y) - 2;
                return Math.sqrt(dx * dx + dy * dy);
              });
    };
  }
}
