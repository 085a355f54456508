package dev.psm.bench.fuzz;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.Vocabulary;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The reward language: each text is a formula that can be evaluated, alike by state and by table,
 * or refused with a mark in place.
 */
final class FormulaTarget implements FuzzTarget {
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

  private final World domain;
  private final FormulaTexts texts;
  private final Vocabulary vocabulary;
  private final QuantityTable table;

  private FormulaTarget(World domain) {
    this.domain = domain;
    this.texts = new FormulaTexts(domain);
    this.vocabulary = domain.vocabulary();
    this.table = table(domain);
  }

  static List<FuzzTarget> all() {
    return Worlds.all().stream().<FuzzTarget>map(FormulaTarget::new).toList();
  }

  @Override
  public String name() {
    return "formula for " + domain.name();
  }

  /** Two bytes for each of Java's characters, so that half a pair of surrogates survives. */
  @Override
  public byte[] draw(RandomGenerator random) {
    String text = texts.next(random);
    ByteBuffer bytes = ByteBuffer.allocate(2 * text.length());
    bytes.asCharBuffer().put(text);
    return bytes.array();
  }

  @Override
  public String place() {
    return "";
  }

  @Override
  public void read(byte[] contents) {
    String text = ByteBuffer.wrap(contents).asCharBuffer().toString();
    Formula formula;
    try {
      formula = Formula.parse(text, vocabulary);
    } catch (UserError e) {
      checkRefusal(text, e);
      throw e;
    }
    double[] all = formula.values(table);
    double[] one = new double[all.length];
    for (int row = 0; row < one.length; row++) {
      int at = row;
      one[row] = formula.value(quantity -> table.column(quantity)[at]);
    }
    if (!Arrays.equals(all, one)) {
      throw new IllegalStateException("the formula differs by state and by table");
    }
  }

  private static void checkRefusal(String text, UserError error) {
    String message = error.getMessage();
    String[] lines = message.split(System.lineSeparator(), -1);
    boolean marked = lines.length == 3 && lines[2].endsWith("^");
    boolean inPlace = marked && lines[2].length() <= lines[1].length() + 1;
    boolean unmarked = lines.length == 1 && (text.isBlank() || text.length() > Formula.MAX_LENGTH);
    boolean printable = message.chars().allMatch(c -> (c >= ' ' && c <= '~') || c == '\n');
    if (error.kind() != UserError.Kind.INVALID
        || message.length() > MAX_MESSAGE
        || !printable
        || !(inPlace || unmarked)) {
      throw new IllegalStateException("refused without a mark in place: " + message);
    }
  }

  private static QuantityTable table(World world) {
    QuantityTable table = new QuantityTable(world.quantities(), 4);
    int next = 0;
    for (Quantity quantity : world.quantities()) {
      for (int row = 0; row < table.rows(); row++) {
        table.column(quantity)[row] = VALUES[next++ % VALUES.length];
      }
    }
    return table;
  }
}
