package dev.psm.lab.sweep;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.DecimalNumber;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A range that a setting's values are drawn from, as in {@code log-uniform:1e-4:1e-2}. A draw
 * depends on nothing but the seed, the setting's name and which draw it is, so that more draws only
 * add.
 *
 * @param parts what stands behind the kind
 */
record SettingRange(Kind kind, List<String> parts) {
  /** Digits of a drawn number: enough for any setting, and few enough for a folder's name. */
  private static final MathContext DIGITS = new MathContext(4);

  private static final String FORMS =
      "uniform:LOW:HIGH, log-uniform:LOW:HIGH, integers:FIRST:LAST or choice:A:B:…";

  enum Kind {
    UNIFORM("uniform"),
    LOG_UNIFORM("log-uniform"),
    INTEGERS("integers"),
    CHOICE("choice");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  SettingRange {
    parts = List.copyOf(parts);
  }

  /** Of a text that begins with the name of a kind; any other is no range. */
  static Optional<SettingRange> parse(String text) {
    int colon = text.indexOf(':');
    String word = colon < 0 ? "" : text.substring(0, colon);
    Optional<Kind> kind =
        Arrays.stream(Kind.values()).filter(each -> each.word.equals(word)).findFirst();
    return kind.map(found -> checked(found, text));
  }

  private static SettingRange checked(Kind kind, String text) {
    List<String> parts = new ArrayList<>(Arrays.asList(text.split(":", -1)));
    parts.remove(0);
    SettingRange range = new SettingRange(kind, parts);
    if (kind == Kind.CHOICE) {
      require(parts.size() > 1 && parts.stream().noneMatch(String::isBlank), text, "two choices");
      return range;
    }
    require(parts.size() == 2, text, "a lowest and a highest number");
    double low = number(parts.get(0), text);
    double high = number(parts.get(1), text);
    require(low < high, text, "a lowest number below the highest");
    require(kind != Kind.LOG_UNIFORM || low > 0, text, "a lowest number above 0");
    boolean whole = low == Math.rint(low) && high == Math.rint(high) && Math.abs(high) < 1L << 53;
    require(kind != Kind.INTEGERS || (whole && Math.abs(low) < 1L << 53), text, "whole numbers");
    return range;
  }

  private static void require(boolean holds, String text, String expected) {
    if (!holds) {
      throw UserError.invalid("'%s': expected %s, as in %s", text, expected, FORMS);
    }
  }

  private static double number(String part, String text) {
    return DecimalNumber.parse(part)
        .map(BigDecimal::doubleValue)
        .filter(Double::isFinite)
        .orElseThrow(
            () -> UserError.invalid("'%s': '%s' is not a number; expected %s", text, part, FORMS));
  }

  /** Whether its values spread over powers of ten. */
  boolean isLogarithmic() {
    return kind == Kind.LOG_UNIFORM;
  }

  String draw(long seed, String key, int index) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, index, key));
    if (kind == Kind.CHOICE) {
      return parts.get(random.nextInt(parts.size()));
    }
    double low = Double.parseDouble(parts.get(0));
    double high = Double.parseDouble(parts.get(1));
    return switch (kind) {
      case INTEGERS -> Long.toString(random.nextLong((long) low, (long) high + 1));
      case LOG_UNIFORM -> {
        // StrictMath: the same digits on every machine.
        double from = StrictMath.log(low);
        yield rounded(
            StrictMath.exp(from + random.nextDouble() * (StrictMath.log(high) - from)), low, high);
      }
      default -> rounded(low + random.nextDouble() * (high - low), low, high);
    };
  }

  private static String rounded(double value, double low, double high) {
    double few = new BigDecimal(value).round(DIGITS).doubleValue();
    return Double.toString(Math.min(high, Math.max(low, few)));
  }

  @Override
  public String toString() {
    return kind.word + ":" + String.join(":", parts);
  }
}
