package dev.psm.bench.fuzz;

import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Texts that may or may not be formulas: good ones, good ones spoilt, words in any order, any
 * characters at all, and things nested or repeated beyond reason.
 */
final class FormulaTexts {
  private static final List<String> SYMBOLS =
      List.of(
          "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "!", "?", ":", "(",
          ")", ",", "=", "&", "|", "**", ".", " ", "\n", "%", "e", "E");
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "2",
          "10",
          "0.5",
          ".1",
          "3.",
          "1e3",
          "1e-3",
          "1e308",
          "1e999",
          "1e-400",
          "1e",
          "1.2.3",
          "2x",
          "0x1F",
          "9999999999999999999999",
          "-1",
          "4.9e-324");
  private static final List<String> CALLS =
      List.of(
          "abs(",
          "exp(",
          "log(",
          "sqrt(",
          "sin(",
          "cos(",
          "tanh(",
          "min(",
          "max(",
          "clip(",
          "tolerance(",
          "distance(",
          "nothing(");
  private static final List<String> SIGMOIDS =
      List.of("linear", "gaussian", "quadratic", "cosine", "tanh_squared", "long_tail");
  private static final List<String> OPENERS =
      List.of(
          "(",
          "-",
          "!",
          "+",
          "sin(",
          "1^",
          "x^",
          "9^",
          "1?",
          "1?2:",
          "max(1,",
          "tolerance(",
          "((",
          "-(",
          "1+(",
          "1<",
          "1&&",
          "1+",
          "1*");

  private final List<String> good = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> words = new ArrayList<>();

  FormulaTexts(World world) {
    world.tasks().stream().map(Task::formula).forEach(good::add);
    good.addAll(world.examples());
    world.quantities().stream().map(Quantity::name).forEach(names::add);
    words.addAll(names);
    words.addAll(NUMBERS);
    words.addAll(CALLS);
    words.addAll(SIGMOIDS);
    words.addAll(List.of("pi", "inf", "velocty", "unknown"));
  }

  String next(RandomGenerator random) {
    int kind = random.nextInt(1000);
    if (kind < 2) {
      return excess(random);
    }
    if (kind < 400) {
      return spoilt(random);
    }
    if (kind < 650) {
      StringBuilder text = new StringBuilder();
      expression(random, 1 + random.nextInt(4), text);
      return random.nextInt(4) == 0 ? spoilt(text, random) : text.toString();
    }
    return kind < 850 ? tokens(random) : characters(random);
  }

  private String excess(RandomGenerator random) {
    String opener = pick(OPENERS, random);
    int length = random.nextInt(2 * Formula.MAX_LENGTH);
    StringBuilder text = new StringBuilder(opener.repeat(1 + length / opener.length()));
    if (random.nextBoolean()) {
      text.append("1").append(")".repeat(random.nextInt(200)));
    }
    return text.toString();
  }

  private String spoilt(RandomGenerator random) {
    return spoilt(new StringBuilder(pick(good, random)), random);
  }

  private String spoilt(StringBuilder text, RandomGenerator random) {
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(6));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, pick(SYMBOLS, random));
        case 2 -> text.insert(at, pick(words, random));
        case 3 -> text.insert(at, text.substring(at, end));
        default -> text.replace(at, end, Character.toString(character(random)));
      }
    }
    return text.toString();
  }

  private void expression(RandomGenerator random, int depth, StringBuilder text) {
    int kind = depth == 0 ? random.nextInt(2) : random.nextInt(8);
    switch (kind) {
      case 0 -> text.append(pick(random.nextInt(20) == 0 ? words : names, random));
      case 1 -> text.append(random.nextInt(100));
      case 2 -> {
        int call = random.nextInt(CALLS.size());
        int arguments =
            random.nextInt(10) == 0 ? random.nextInt(5) : call < 7 ? 1 : call < 9 ? 2 : 3;
        text.append(CALLS.get(call));
        for (int i = arguments; i > 0; i--) {
          expression(random, depth - 1, text);
          text.append(i > 1 ? ", " : ")");
        }
      }
      case 3 -> {
        text.append("tolerance(");
        expression(random, depth - 1, text);
        text.append(", 0, 1, 2, 0.5, ").append(pick(SIGMOIDS, random)).append(")");
      }
      case 4 -> {
        expression(random, depth - 1, text);
        text.append(" ? ");
        expression(random, depth - 1, text);
        text.append(" : ");
        expression(random, depth - 1, text);
      }
      case 5 -> {
        text.append("(");
        expression(random, depth - 1, text);
        text.append(")");
      }
      default -> {
        expression(random, depth - 1, text);
        text.append(pick(SYMBOLS.subList(0, 13), random));
        expression(random, depth - 1, text);
      }
    }
  }

  private String tokens(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(20); i >= 0; i--) {
      text.append(pick(random.nextBoolean() ? words : SYMBOLS, random));
      if (random.nextInt(3) == 0) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  private String characters(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      int c = character(random);
      // Half a pair of surrogates is text too, as far as Java is concerned.
      if (random.nextInt(50) == 0) {
        text.append((char) random.nextInt(0xD800, 0xE000));
      }
      text.appendCodePoint(c);
    }
    return text.toString();
  }

  private static int character(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(0x20);
      case 1 -> random.nextInt(0x110000);
      default -> ' ' + random.nextInt(95);
    };
  }

  private static String pick(List<String> list, RandomGenerator random) {
    return list.get(random.nextInt(list.size()));
  }
}
