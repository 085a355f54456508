package dev.psm.core.reward.formula;

import dev.psm.core.Nearest;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.core.reward.formula.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads a formula by operator precedence and hands it to the {@link Compiler} as it goes; no tree
 * is kept. Recursion is bounded by {@link Formula#MAX_DEPTH}, never by the stack.
 */
final class Parser {
  /** How tightly a sign or {@code !} holds what follows: looser than a power only. */
  private static final int PREFIX = 7;

  private static final int CHOICE = 1;
  private static final int COMPARISON = 4;
  private static final int SUM = 5;
  static final int PRODUCT = 6;
  private static final int POWER = 8;

  /** An operator between two values; those of a higher level hold more tightly. */
  private record Infix(int level, Kernel kernel, int cost) {}

  private static final Map<String, Infix> INFIXES =
      Map.ofEntries(
          Map.entry("?", new Infix(CHOICE, Kernels.CHOOSE, 1)),
          Map.entry("||", new Infix(2, Kernels.OR, 1)),
          Map.entry("&&", new Infix(3, Kernels.AND, 1)),
          Map.entry("<", new Infix(COMPARISON, Kernels.LESS, 1)),
          Map.entry("<=", new Infix(COMPARISON, Kernels.AT_MOST, 1)),
          Map.entry(">", new Infix(COMPARISON, Kernels.GREATER, 1)),
          Map.entry(">=", new Infix(COMPARISON, Kernels.AT_LEAST, 1)),
          Map.entry("==", new Infix(COMPARISON, Kernels.EQUAL, 1)),
          Map.entry("!=", new Infix(COMPARISON, Kernels.UNEQUAL, 1)),
          Map.entry("+", new Infix(SUM, Kernels.ADD, 1)),
          Map.entry("-", new Infix(SUM, Kernels.SUBTRACT, 1)),
          Map.entry("*", new Infix(PRODUCT, Kernels.MULTIPLY, 1)),
          Map.entry("/", new Infix(PRODUCT, Kernels.DIVIDE, 1)),
          Map.entry("^", new Infix(POWER, Kernels.POWER, 5)));

  private final String text;
  private final Vocabulary vocabulary;
  private final Compiler compiler;
  private final Scanner scanner;
  private Token token;
  private int depth;

  /** Where the last word that was read ends. */
  private int end;

  /** What was read last, if that is a sum or a product, also in parentheses; else null. */
  private Chain chain;

  Parser(String text, Vocabulary vocabulary, Compiler compiler) {
    this.text = text;
    this.vocabulary = vocabulary;
    this.compiler = compiler;
    this.scanner = new Scanner(text);
    this.token = scanner.next();
  }

  /** Reads the whole of the text. */
  Operand formula() {
    Operand value = expression(CHOICE);
    if (token.is(")")) {
      throw mistake(token.at(), "this ')' closes nothing");
    }
    if (token.kind() != Kind.END) {
      throw mistake(token.at(), "an operator is missing before %s".formatted(token.shown()));
    }
    return value;
  }

  /** The whole as a sum or product, once it is read; null where it is neither. */
  Chain chain() {
    return chain;
  }

  /** Reads values joined by operators of at least that level. */
  private Operand expression(int level) {
    if (++depth > Formula.MAX_DEPTH) {
      throw mistake(
          token.at(), "nested more than %d levels deep here".formatted(Formula.MAX_DEPTH));
    }
    int start = token.at();
    Operand left = prefixed();
    Chain joined = null;
    while (true) {
      Infix infix = token.kind() == Kind.SYMBOL ? INFIXES.get(token.text()) : null;
      if (infix == null || infix.level < level) {
        depth--;
        return left;
      }
      if (joined == null || joined.level() != infix.level) {
        joined = new Chain(text, infix.level, start, end);
      }
      Token operator = token;
      left = infix.level == CHOICE ? choice(left) : joined(left, infix);
      joined.add(operator, end);
      chain = infix.level == SUM || infix.level == PRODUCT ? joined : null;
    }
  }

  private Operand joined(Operand left, Infix infix) {
    Token operator = advance();
    // A power holds its right side as tightly as itself, so that 2^3^2 is 2^(3^2).
    Operand right = expression(infix.level == POWER ? POWER : infix.level + 1);
    if (infix.level == COMPARISON && next(COMPARISON)) {
      throw mistake(
          token.at(), "comparisons cannot be chained; write a < b && b < c, or use parentheses");
    }
    if (operator.is("/") && right.isConstant() && right.value() == 0) {
      throw mistake(operator.at(), "this divides by zero in every state");
    }
    if (infix.level == POWER && right.isConstant() && right.value() == 2) {
      return compiler.apply(Kernels.MULTIPLY, 1, operator.at(), left, left);
    }
    return compiler.apply(infix.kernel, infix.cost, operator.at(), left, right);
  }

  private boolean next(int level) {
    Infix infix = token.kind() == Kind.SYMBOL ? INFIXES.get(token.text()) : null;
    return infix != null && infix.level == level;
  }

  private Operand choice(Operand condition) {
    Token question = advance();
    Operand yes = expression(CHOICE);
    if (!token.is(":")) {
      throw mistake(
          token.at(),
          "the '?' in column %d needs a ':' here, as in a ? b : c, but found %s"
              .formatted(column(question), token.shown()));
    }
    advance();
    Operand no = expression(CHOICE);
    return compiler.apply(Kernels.CHOOSE, 1, question.at(), condition, yes, no);
  }

  private Operand prefixed() {
    if (token.is("-") || token.is("!")) {
      Token sign = advance();
      Operand value = expression(PREFIX);
      chain = null;
      return compiler.apply(sign.is("-") ? Kernels.NEGATE : Kernels.NOT, 1, sign.at(), value);
    }
    if (token.is("+")) {
      advance();
      return expression(PREFIX);
    }
    if (token.is("(")) {
      Token open = advance();
      Operand inside = expression(CHOICE);
      close(open);
      return inside;
    }
    Token first = advance();
    chain = null;
    return switch (first.kind()) {
      case NUMBER -> compiler.constant(first.value(), first.at());
      case NAME -> token.is("(") ? call(first) : named(first);
      default ->
          throw mistake(
              first.at(),
              "expected a number, a name or '(' here, found %s".formatted(first.shown()));
    };
  }

  private void close(Token open) {
    if (token.kind() == Kind.END) {
      throw mistake(open.at(), "this '(' is never closed");
    }
    if (!token.is(")")) {
      throw mistake(
          token.at(),
          "expected an operator, or ')' for the '(' in column %d, found %s"
              .formatted(column(open), token.shown()));
    }
    advance();
  }

  private Operand named(Token name) {
    Quantity quantity = vocabulary.quantity(name.text());
    if (quantity != null) {
      return compiler.quantity(quantity, name.at());
    }
    Double constant = Functions.CONSTANTS.get(name.text());
    if (constant != null) {
      return compiler.constant(constant, name.at());
    }
    Task task = vocabulary.task(name.text());
    if (task != null) {
      Parser inner = new Parser(task.formula(), vocabulary.withoutTasks(), compiler);
      Operand value = compiler.inlined(name.at(), inner::formula);
      chain = inner.chain;
      return value;
    }
    throw mistake(name.at(), Hints.forName(name.text(), vocabulary));
  }

  private Operand call(Token name) {
    StateFunction own = vocabulary.function(name.text());
    Functions.Function function = Functions.named(name.text());
    if (own == null && function == null) {
      throw mistake(name.at(), Hints.forFunction(name.text(), vocabulary));
    }
    Arguments arguments = arguments(name);
    if (own != null) {
      count(name, arguments, own.parameters().size(), own.parameters().size(), own.usage());
      return arguments.call(own, compiler);
    }
    count(name, arguments, function.least(), function.most(), function.usage());
    return switch (name.text()) {
      case "min" -> arguments.fold(Kernels.MIN, compiler);
      case "max" -> arguments.fold(Kernels.MAX, compiler);
      case "clip" -> arguments.clip(compiler);
      case "tolerance" -> arguments.tolerance(compiler);
      default ->
          compiler.apply(function.kernel(), function.cost(), name.at(), arguments.operand(0));
    };
  }

  private Arguments arguments(Token name) {
    Token open = advance();
    List<Operand> operands = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    Sigmoid sigmoid = null;
    if (!token.is(")")) {
      while (true) {
        places.add(token.at());
        if (name.text().equals("tolerance") && places.size() == 6) {
          sigmoid = sigmoid();
        } else {
          operands.add(expression(CHOICE));
        }
        if (!token.is(",")) {
          break;
        }
        advance();
      }
    }
    close(open);
    chain = null;
    return new Arguments(text, name, operands, places, sigmoid);
  }

  private Sigmoid sigmoid() {
    Token name = advance();
    Sigmoid sigmoid = Functions.SIGMOIDS.get(name.text());
    if (sigmoid == null) {
      throw mistake(
          name.at(),
          "%s is not a sigmoid; %s"
              .formatted(
                  name.shown(), Nearest.hint(Hints.cut(name.text()), Functions.SIGMOIDS.keySet())));
    }
    return sigmoid;
  }

  private void count(Token name, Arguments arguments, int least, int most, String usage) {
    int found = arguments.count();
    if (found < least || found > most) {
      throw mistake(
          name.at(),
          "%s takes %s, found %d: %s"
              .formatted(
                  name.text(),
                  least == most
                      ? least + (least == 1 ? " argument" : " arguments")
                      : most == Integer.MAX_VALUE
                          ? least + " or more arguments"
                          : "%d to %d arguments".formatted(least, most),
                  found,
                  usage));
    }
  }

  private Token advance() {
    Token read = token;
    // The end stays the end, so that a mistake there is told and not run past.
    if (read.kind() != Kind.END) {
      end = read.at() + read.text().length();
      token = scanner.next();
    }
    return read;
  }

  private int column(Token place) {
    return text.codePointCount(0, place.at()) + 1;
  }

  private FormulaError mistake(int at, String message) {
    return Mistake.at(text, at, message);
  }
}
