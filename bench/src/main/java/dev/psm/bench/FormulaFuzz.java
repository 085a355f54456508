package dev.psm.bench;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.Vocabulary;
import dev.psm.lab.Progress;
import dev.psm.mujoco.suite.DomainFacts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Throws text at the reward language and watches that each is either a formula that can be
 * evaluated, alike by state and by table, or refused in words with a mark in place.
 */
public final class FormulaFuzz {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int MAX_MESSAGE = 1000;
  private static final double[] VALUES = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    3,
    -1e9,
    1e300,
    1e-300,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN
  };

  private final List<DomainFacts> domains = DomainFacts.all().subList(0, 4);
  private final List<FormulaTexts> texts = domains.stream().map(FormulaTexts::new).toList();
  private final List<Vocabulary> vocabularies =
      domains.stream().map(DomainFacts::vocabulary).toList();
  private final List<QuantityTable> tables = domains.stream().map(FormulaFuzz::table).toList();

  /**
   * What came of it.
   *
   * @param worstMilliseconds the longest any took, by the wall's clock, so that whatever else the
   *     machine did counts too
   * @param worstOwnMilliseconds the longest any took of the processor's time
   * @param worst the text that took the longest of it
   * @param mostBytes allocated for one input, at most
   */
  public record Result(
      long inputs,
      long accepted,
      double seconds,
      double worstMilliseconds,
      double worstOwnMilliseconds,
      String worst,
      long mostBytes) {}

  /** A text that broke the language's promise. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(String text, String what, Throwable cause) {
      super(what + ": " + escaped(text), cause);
    }
  }

  /** Tries that many inputs; the same seed gives the same ones. */
  public static Result run(long inputs, long seed, Progress progress) {
    return new FormulaFuzz().tryAll(inputs, seed, progress);
  }

  private Result tryAll(long inputs, long seed, Progress progress) {
    long accepted = 0;
    long worst = 0;
    long worstOwn = 0;
    long mostBytes = 0;
    String worstText = "";
    RandomGenerator random = Seeds.generator(seed);
    long begin = System.nanoTime();
    try (Progress.Bar bar = progress.start("fuzz", inputs)) {
      for (long i = 0; i < inputs; i++) {
        int which = (int) (i % domains.size());
        String text = texts.get(which).next(random);
        long bytes = allocated();
        long own = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        if (attempt(text, which)) {
          accepted++;
        }
        worst = Math.max(worst, System.nanoTime() - start);
        long ownTime = THREADS.getCurrentThreadCpuTime() - own;
        mostBytes = Math.max(mostBytes, allocated() - bytes);
        if (ownTime > worstOwn) {
          worstOwn = ownTime;
          worstText = text;
        }
        if (i % 100_000 == 0) {
          bar.update(i, "worst %.1f ms".formatted(worst / 1e6));
        }
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Result(
        inputs, accepted, seconds, worst / 1e6, worstOwn / 1e6, escaped(worstText), mostBytes);
  }

  /** Whether it was a formula. */
  private boolean attempt(String text, int which) {
    Formula formula;
    try {
      formula = Formula.parse(text, vocabularies.get(which));
    } catch (UserError e) {
      checkRefusal(text, e);
      return false;
    } catch (RuntimeException | StackOverflowError e) {
      throw new Broken(text, "not refused in words", e);
    }
    try {
      QuantityTable table = tables.get(which);
      double[] all = formula.values(table);
      double[] one = new double[all.length];
      for (int row = 0; row < one.length; row++) {
        int at = row;
        one[row] = formula.value(quantity -> table.column(quantity)[at]);
      }
      if (!Arrays.equals(all, one)) {
        throw new Broken(text, "differs by state and by table", null);
      }
      return true;
    } catch (UserError | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new Broken(text, "cannot be evaluated", e);
    }
  }

  private static void checkRefusal(String text, UserError error) {
    String message = error.getMessage();
    String[] lines = message.split(System.lineSeparator(), -1);
    boolean marked = lines.length == 3 && lines[2].endsWith("^");
    boolean inPlace = marked && lines[2].length() <= lines[1].length() + 1;
    boolean unmarked = lines.length == 1 && (text.isBlank() || text.length() > Formula.MAX_LENGTH);
    boolean printable = message.chars().allMatch(c -> (c >= ' ' && c <= '~') || c == '\n');
    if (error.exitCode() != 2
        || message.length() > MAX_MESSAGE
        || !printable
        || !(inPlace || unmarked)) {
      throw new Broken(text, "refused badly", error);
    }
  }

  private static QuantityTable table(DomainFacts facts) {
    QuantityTable table = new QuantityTable(facts.quantities(), 4);
    int next = 0;
    for (Quantity quantity : facts.quantities()) {
      for (int row = 0; row < table.rows(); row++) {
        table.column(quantity)[row] = VALUES[next++ % VALUES.length];
      }
    }
    return table;
  }

  private static long allocated() {
    return THREADS instanceof com.sun.management.ThreadMXBean threads
        ? threads.getCurrentThreadAllocatedBytes()
        : 0;
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.chars()
        .limit(300)
        .forEach(
            c ->
                escaped.append(
                    c >= ' ' && c <= '~' ? Character.toString(c) : "\\u%04x".formatted(c)));
    return text.length() > 300 ? escaped + "... (" + text.length() + ")" : escaped.toString();
  }
}
