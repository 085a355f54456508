package dev.psm.core.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.psm.core.UserError;
import dev.psm.core.io.DecimalNumber;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One value of a setting, between its Java type, its text and its JSON. */
final class Values {
  /** As in 1_000_000. */
  private static final Pattern DIGIT_SEPARATOR = Pattern.compile("(?<=[0-9])_+(?=[0-9])");

  private static final int SHOWN_CHARACTERS = 60;

  private Values() {}

  static void requireSupported(RecordComponent component) {
    Class<?> type = component.getType();
    if (type != int.class
        && type != long.class
        && type != double.class
        && type != boolean.class
        && type != String.class
        && !type.isEnum()) {
      throw new IllegalArgumentException("no setting can be of the type of " + component);
    }
  }

  static Object parse(Class<?> type, String key, String text) {
    Object value = null;
    if (type == String.class) {
      value = text;
    } else if (type == boolean.class) {
      value = text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
    } else if (type.isEnum()) {
      value = constant(type, text);
    } else {
      value =
          DecimalNumber.parse(DIGIT_SEPARATOR.matcher(text).replaceAll(""))
              .map(exact -> number(type, exact))
              .orElse(null);
    }
    if (value == null) {
      throw UserError.invalid(
          "setting \"%s\": expected %s, found \"%s\"", key, expected(type), shorten(text));
    }
    return value;
  }

  static Object fromJson(Class<?> type, JsonNode node, String file, String key) {
    Object value = null;
    if (type == String.class) {
      value = node.textValue();
    } else if (type == boolean.class) {
      value = node.isBoolean() ? node.booleanValue() : null;
    } else if (type.isEnum()) {
      value = node.isTextual() ? constant(type, node.textValue()) : null;
    } else if (node.isNumber() && Double.isFinite(node.doubleValue())) {
      value = number(type, node.decimalValue());
    }
    if (value == null) {
      throw UserError.invalid(
          "%s: setting \"%s\": expected %s, found %s",
          file, key, expected(type), shorten(node.toString()));
    }
    return value;
  }

  static JsonNode toJson(RecordComponent component, Object value) {
    requireSupported(component);
    JsonNodeFactory factory = JsonNodeFactory.instance;
    if (value instanceof Integer number) {
      return factory.numberNode(number);
    } else if (value instanceof Long number) {
      return factory.numberNode(number);
    } else if (value instanceof Double number) {
      if (!Double.isFinite(number)) {
        throw new IllegalArgumentException(
            component + " is " + number + ": JSON has no such number");
      }
      return factory.numberNode(number);
    } else if (value instanceof Boolean flag) {
      return factory.booleanNode(flag);
    }
    return factory.textNode(format(value));
  }

  /** The text {@link #parse} reads back, in the shortest usual notation. */
  static String format(Object value) {
    if (value instanceof Enum<?> constant) {
      return spell(constant);
    }
    if (!(value instanceof Double number) || !Double.isFinite(number)) {
      return value.toString();
    }
    double size = Math.abs(number);
    if (size == 0 || (size >= 1e-3 && size < 1e7)) {
      return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    }
    return number.toString().replace(".0E", "E").replace('E', 'e');
  }

  static String expected(Class<?> type) {
    if (type == int.class || type == long.class) {
      return "a whole number (%s)".formatted(type.getName());
    } else if (type == double.class) {
      return "a finite number (double)";
    } else if (type == boolean.class) {
      return "true or false";
    } else if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> spell((Enum<?>) constant))
          .collect(Collectors.joining(", ", "one of ", ""));
    }
    return type == String.class ? "text" : "an object";
  }

  static String shorten(String text) {
    return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
  }

  /** Null when the number does not fit the type. */
  private static Object number(Class<?> type, BigDecimal exact) {
    try {
      if (type == int.class) {
        return exact.intValueExact();
      } else if (type == long.class) {
        return exact.longValueExact();
      }
      double value = exact.doubleValue();
      return Double.isFinite(value) ? value : null;
    } catch (ArithmeticException fractionOrOverflow) {
      return null;
    }
  }

  private static Object constant(Class<?> type, String text) {
    for (Object constant : type.getEnumConstants()) {
      if (spell((Enum<?>) constant).equals(text)) {
        return constant;
      }
    }
    return null;
  }

  private static String spell(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
