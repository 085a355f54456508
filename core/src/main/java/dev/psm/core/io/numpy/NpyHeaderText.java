package dev.psm.core.io.numpy;

import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import java.util.ArrayList;
import java.util.List;

/**
 * The dict in the header of a {@code .npy}. It is Python, and NumPy itself evaluates it as a
 * literal; this reads exactly the dict that NumPy writes (three keys, in any order and spacing) and
 * nothing else of the language: no escapes, signs, underscores, comments or nesting.
 */
final class NpyHeaderText {
  private final String text;
  private final Place place;
  private int at;

  NpyHeaderText(String text, Place place) {
    this.text = text;
    this.place = place;
  }

  NpyHeader parse() {
    String descr = null;
    Boolean fortran = null;
    List<Long> shape = null;
    expect('{');
    boolean open = !take('}');
    while (open) {
      String key = string("a key");
      expect(':');
      switch (key) {
        case "descr" -> {
          once(key, descr);
          descr = descr();
        }
        case "fortran_order" -> {
          once(key, fortran);
          fortran = bool();
        }
        case "shape" -> {
          once(key, shape);
          shape = shape();
        }
        default ->
            throw place.damaged(
                "its header has an unknown key %s; expected descr, fortran_order and shape",
                Place.quote(key));
      }
      if (take(',')) {
        open = !take('}');
      } else {
        expect('}');
        open = false;
      }
    }
    skipSpace();
    if (at < text.length()) {
      throw broken("nothing after the dict");
    }
    return header(
        present("descr", descr), present("fortran_order", fortran), present("shape", shape));
  }

  private NpyHeader header(String descr, boolean fortran, List<Long> shape) {
    NpyType type = NpyType.parse(descr, place);
    if (fortran && shape.size() > 1) {
      throw place.unsupported(
          "it is stored column by column (fortran_order True, shape %s); expected row by row: save"
              + " np.ascontiguousarray(x)",
          shape);
    }
    try {
      return new NpyHeader(type, shape);
    } catch (ArithmeticException e) {
      throw place.damaged("the size of its shape %s overflows 64 bits", shape);
    }
  }

  private void once(String key, Object before) {
    if (before != null) {
      throw place.damaged("its header gives \"%s\" twice", key);
    }
  }

  private <T> T present(String key, T value) {
    if (value == null) {
      throw place.damaged("its header has no \"%s\"", key);
    }
    return value;
  }

  private String descr() {
    skipSpace();
    if (at < text.length() && (text.charAt(at) == '[' || text.charAt(at) == '(')) {
      throw place.unsupported(
          "it is a structured array, dtype %s; save each field as an array of its own",
          Place.quote(text.substring(at)));
    }
    return string("a dtype in quotes");
  }

  private boolean bool() {
    skipSpace();
    if (text.startsWith("True", at)) {
      at += 4;
      return true;
    }
    if (text.startsWith("False", at)) {
      at += 5;
      return false;
    }
    throw broken("True or False");
  }

  private List<Long> shape() {
    expect('(');
    List<Long> sizes = new ArrayList<>();
    while (!take(')')) {
      sizes.add(size());
      if (sizes.size() > NpyHeader.MAX_DIMENSIONS) {
        throw place.damaged(
            "its shape has more than %d dimensions, the most that NumPy has",
            NpyHeader.MAX_DIMENSIONS);
      }
      if (!take(',')) {
        // Python reads (3) as a number; a tuple of one is (3,).
        if (sizes.size() == 1) {
          throw broken("a comma, as in (3,)");
        }
        expect(')');
        break;
      }
    }
    return sizes;
  }

  private long size() {
    skipSpace();
    int start = at;
    if (at < text.length() && text.charAt(at) == '-') {
      throw place.damaged(
          "its shape has a negative dimension, %s",
          Place.quote(text.substring(at, Math.min(at + 12, text.length()))));
    }
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    String digits = text.substring(start, at);
    if (digits.isEmpty() || (digits.length() > 1 && digits.charAt(0) == '0')) {
      at = start;
      throw broken("a whole number");
    }
    if (at < text.length() && text.charAt(at) == 'L') {
      throw place.unsupported(
          "its shape has a number that ends in L: Python 2 wrote it; save it with Python 3");
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw place.damaged("its shape has a dimension beyond 64 bits, %s", Place.quote(digits));
    }
  }

  private String string(String what) {
    skipSpace();
    char quote = at < text.length() ? text.charAt(at) : ' ';
    if (quote != '\'' && quote != '"') {
      throw broken("%s", what);
    }
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      throw broken("%s that ends", what);
    }
    String value = text.substring(at + 1, end);
    if (value.indexOf('\\') >= 0 || value.indexOf('\n') >= 0) {
      throw broken("%s without escapes", what);
    }
    at = end + 1;
    return value;
  }

  private boolean take(char c) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!take(c)) {
      throw broken("%s", c);
    }
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  @FormatMethod
  private UserError broken(String expected, Object... arguments) {
    return place.damaged(
        "its header is not the dict that NumPy writes: at character %d expected %s, found %s",
        at,
        expected.formatted(arguments),
        at < text.length() ? Place.quote(text.substring(at)) : "its end");
  }
}
