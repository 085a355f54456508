package dev.psm.core.reward.formula;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Reward;
import dev.psm.core.reward.Task;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A reward written as a formula. Inside it, numbers follow IEEE 754 and NaN passes through
 * everything; but a reward that is not finite is never paid: {@link #of} refuses, with the state
 * that it happened in. {@link #value} and {@link #values} give the bare result.
 *
 * <p>Immutable and free of locks: any number of threads may use it.
 */
public final class Formula implements Reward {
  /** Characters. */
  public static final int MAX_LENGTH = 10_000;

  /** Levels of parentheses, calls, signs, powers and choices inside each other. */
  public static final int MAX_DEPTH = 100;

  /** A name, number or operator costs 1, a power and most functions 5. */
  public static final int MAX_COST = 5_000;

  /** Parts that a formula is taken to. */
  public static final int MAX_PARTS = 8;

  /** Rows that are worth a thread of their own. */
  private static final int PORTION = 32 * Program.BLOCK;

  private final String text;
  private final List<Quantity> quantities;
  private final Program program;
  private final int cost;

  private Formula(String text, List<Quantity> quantities, Program program, int cost) {
    this.text = text;
    this.quantities = quantities;
    this.program = program;
    this.cost = cost;
  }

  /**
   * Reads a formula; whatever is wrong with it is told with a mark under the place.
   *
   * @throws FormulaError for every mistake in the text
   */
  public static Formula parse(String text, Vocabulary vocabulary) {
    if (text.length() > MAX_LENGTH) {
      String problem =
          "a reward formula may have at most %,d characters, found %,d"
              .formatted(MAX_LENGTH, text.length());
      throw new FormulaError(MAX_LENGTH, problem, problem);
    }
    if (text.isBlank()) {
      String problem = "the reward formula is empty";
      throw new FormulaError(text.length(), problem, problem, Remedy.LIST_REWARDS);
    }
    Compiler compiler = new Compiler(text);
    Operand result = new Parser(text, vocabulary, compiler).formula();
    return new Formula(text, compiler.quantities(), compiler.program(result), compiler.cost());
  }

  /** Usage and meaning of every function that all environments share. */
  public static Map<String, String> functions() {
    return Functions.described();
  }

  /** Name and meaning of every constant. */
  public static Map<String, String> constants() {
    return Functions.constants();
  }

  public String text() {
    return text;
  }

  /**
   * The terms of a sum, or else the factors of a product, to be looked at one by one: their sum or
   * product is the whole, but for rounding. Parentheses around the whole are looked through, and so
   * is the name of a task that is all there is. A subtracted term is negated, {@code -c}, and a
   * divisor inverted, {@code 1 / c}. Of more than {@link #MAX_PARTS}, the last holds all the rest.
   *
   * @param vocabulary that this formula was read with
   * @return empty where the formula is neither a sum nor a product
   */
  public List<Formula> parts(Vocabulary vocabulary) {
    Parser parser = new Parser(text, vocabulary, new Compiler(text));
    parser.formula();
    Chain chain = parser.chain();
    if (chain == null) {
      return List.of();
    }
    try {
      return chain.operands(MAX_PARTS).stream().map(part -> parse(part, vocabulary)).toList();
    } catch (FormulaError e) {
      // A constant divisor can be so small that 1 / c is infinite.
      return List.of();
    }
  }

  /** Those it uses, in the order in which it names them. */
  public List<Quantity> quantities() {
    return quantities;
  }

  /** What it comes to in one state, finite or not. */
  public double value(Readings readings) {
    double[][] columns = new double[quantities.size()][1];
    for (int i = 0; i < columns.length; i++) {
      columns[i][0] = readings.get(quantities.get(i));
    }
    double[] out = new double[1];
    program.run(columns, 0, 1, out);
    return out[0];
  }

  /** What it comes to in every state, finite or not, on all cores. */
  public double[] values(QuantityTable table) {
    double[] values = new double[table.rows()];
    int portions = (values.length + PORTION - 1) / PORTION;
    IntStream portion = IntStream.range(0, portions);
    (portions > 1 ? portion.parallel() : portion)
        .forEach(
            i -> values(table, i * PORTION, Math.min(values.length, (i + 1) * PORTION), values));
    return values;
  }

  /** What it comes to in the states {@code from} to {@code to}, exclusive, on this thread. */
  public void values(QuantityTable table, int from, int to, double[] out) {
    program.run(columns(table), from, to, out);
  }

  private double[][] columns(QuantityTable table) {
    double[][] columns = new double[quantities.size()][];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = table.column(quantities.get(i));
    }
    return columns;
  }

  /** What it costs to work out: see {@link #MAX_COST}. */
  public int cost() {
    return cost;
  }

  private static boolean isPayable(double reward) {
    return Math.abs(reward) <= LARGEST;
  }

  private static String remedy(double reward) {
    return Double.isFinite(reward)
        ? "that is beyond %s, so a sum of rewards would not be finite: scale the formula down"
            .formatted(LARGEST)
        : "guard the formula, as in x != 0 ? 1 / x : 0";
  }

  @Override
  public double of(Readings readings) {
    double reward = value(readings);
    if (!isPayable(reward)) {
      throw UserError.invalid(
          "the reward is %s in a state with %s; %s%n  %s",
          reward, state(readings), remedy(reward), Mistake.line(text));
    }
    return reward;
  }

  @Override
  public double[] of(QuantityTable table) {
    double[] rewards = values(table);
    int bad = 0;
    int first = -1;
    for (int row = rewards.length - 1; row >= 0; row--) {
      if (!isPayable(rewards[row])) {
        bad++;
        first = row;
      }
    }
    if (bad > 0) {
      int row = first;
      throw UserError.invalid(
          "the reward is not finite in %,d of %,d states; the first is %s with %s; %s%n  %s",
          bad,
          rewards.length,
          rewards[row],
          state(quantity -> table.column(quantity)[row]),
          remedy(rewards[row]),
          Mistake.line(text));
    }
    return rewards;
  }

  /** The quantities it uses, with their values in a state, for a person. */
  public String state(Readings readings) {
    if (quantities.isEmpty()) {
      return "no quantity in use";
    }
    List<String> shown =
        quantities.stream()
            .limit(6)
            .map(q -> String.format(Locale.ROOT, "%s = %.6g", q.name(), readings.get(q)))
            .toList();
    return String.join(", ", shown) + (quantities.size() > shown.size() ? ", ..." : "");
  }

  /** Itself under a name. */
  public Task task(String name, String meaning) {
    return new Task(name, meaning, text, this);
  }

  /** Itself as a condition under a name. */
  public Milestone milestone(String name) {
    return new Milestone(name, text, this::value);
  }

  @Override
  public String toString() {
    return text;
  }
}
