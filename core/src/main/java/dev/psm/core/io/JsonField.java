package dev.psm.core.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A value in a JSON file that knows its file and its path there, for errors that name both. */
public final class JsonField {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private final String file;
  private final String path;
  private final JsonNode node;

  private JsonField(String file, String path, JsonNode node) {
    this.file = file;
    this.path = path;
    this.node = node;
  }

  public static JsonField read(Path file) {
    return of(file, Json.read(file));
  }

  /** A document that was read from a file already. */
  public static JsonField of(Path file, JsonNode document) {
    return new JsonField(Wording.oneLine(file), "", document);
  }

  /**
   * A document that came in otherwise.
   *
   * @param source what it is called in errors
   */
  public static JsonField of(String source, JsonNode document) {
    return new JsonField(source, "", document);
  }

  /** For errors: the file and the path in it. */
  public String place() {
    return path.isEmpty() ? file : file + ", field " + path;
  }

  public UserError error(String message) {
    return UserError.invalid("%s: %s", place(), message);
  }

  /** Runs something that may refuse this field's value, and adds the place to its refusal. */
  public <T> T within(Supplier<T> work) {
    try {
      return work.get();
    } catch (UserError refused) {
      // What names the file already needs no second name.
      throw refused.getMessage().startsWith(file + ", field ") ? refused : error(said(refused));
    }
  }

  /** Without the name of the parameter where that is the field's own, which the place tells. */
  private String said(UserError refused) {
    String name = refused.argument().orElse("");
    boolean isOwn = !name.isEmpty() && ("." + path).endsWith("." + name);
    return isOwn ? refused.getMessage().substring((name + ": ").length()) : refused.getMessage();
  }

  /** Refuses a document whose field {@code format} has another number. */
  public void requireFormat(int known) {
    long found = get("format").whole(0, Integer.MAX_VALUE);
    if (found != known) {
      throw get("format")
          .error(
              "this version reads format %d, found %d; use the psm that wrote it"
                  .formatted(known, found));
    }
  }

  public void checkKeys(List<String> known) {
    if (!node.isObject()) {
      throw error("expected an object with the keys %s, found %s".formatted(known, shown()));
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw error(
            "unknown key '%s'; %s".formatted(Wording.oneLine(name), Nearest.hint(name, known)));
      }
    }
  }

  public boolean has(String key) {
    return node.has(key);
  }

  public JsonField get(String key) {
    if (!node.isObject()) {
      throw error("expected an object with the key '%s', found %s".formatted(key, shown()));
    }
    if (!node.has(key)) {
      throw error("key '%s' is missing".formatted(Wording.oneLine(key)));
    }
    String name = Wording.oneLine(key);
    return new JsonField(file, path.isEmpty() ? name : path + "." + name, node.get(key));
  }

  public List<JsonField> elements() {
    if (!node.isArray()) {
      throw error("expected a list, found " + shown());
    }
    List<JsonField> elements = new ArrayList<>(node.size());
    for (int i = 0; i < node.size(); i++) {
      elements.add(element(i));
    }
    return elements;
  }

  /** A name or the like. */
  public String text() {
    if (lineOrBlank().isBlank()) {
      throw error("expected a text of one line, found " + shown());
    }
    return node.textValue();
  }

  /** A remark. One of several lines is refused: it could pass for lines of psm's own. */
  public String lineOrBlank() {
    if (!textOrBlank().equals(Wording.oneLine(node.textValue()))) {
      throw error("expected a text of one line, found " + shown());
    }
    return node.textValue();
  }

  public String textOrBlank() {
    if (!node.isTextual()) {
      throw error("expected a text, found " + shown());
    }
    return node.textValue();
  }

  /** A hash as {@link Hashes} writes it. */
  public String sha256() {
    if (!SHA256.matcher(text()).matches()) {
      throw error("expected 64 digits of lower-case hex, found " + shown());
    }
    return text();
  }

  /**
   * The object itself, whose keys are someone else's business. One of several lines is refused: it
   * could pass for lines of psm's own, wherever it is printed.
   */
  public ObjectNode object() {
    if (!node.isObject()) {
      throw error("expected an object, found " + shown());
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!Wording.oneLine(name).equals(name)) {
        throw error("expected keys of one line, found '%s'".formatted(Wording.oneLine(name)));
      }
    }
    return node.deepCopy();
  }

  public boolean truth() {
    if (!node.isBoolean()) {
      throw error("expected true or false, found " + shown());
    }
    return node.booleanValue();
  }

  public long whole(long low, long high) {
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.longValue() < low
        || node.longValue() > high) {
      throw error("expected a whole number from %d to %d, found %s".formatted(low, high, shown()));
    }
    return node.longValue();
  }

  public int integer(int low, int high) {
    return (int) whole(low, high);
  }

  public double number() {
    if (!node.isNumber() || !Double.isFinite(node.doubleValue())) {
      throw error("expected a finite number, found " + shown());
    }
    return node.doubleValue();
  }

  public double[] numbers(int count) {
    List<JsonField> elements = elements();
    if (elements.size() != count) {
      throw error("expected %d numbers, found %d".formatted(count, elements.size()));
    }
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = elements.get(i).number();
    }
    return numbers;
  }

  /** A list of finite numbers of single precision. */
  public float[] floats() {
    if (!node.isArray()) {
      throw error("expected a list of numbers, found " + shown());
    }
    float[] numbers = new float[node.size()];
    putFloats(numbers, 0);
    return numbers;
  }

  /**
   * A list of rows of so many finite numbers of single precision each, one after the other.
   *
   * @param most rows
   */
  public float[] rows(int width, int most) {
    if (!node.isArray() || node.isEmpty() || node.size() > most) {
      throw error(
          "expected a list of 1 to %d rows of %d numbers, found %s"
              .formatted(most, width, node.isArray() ? node.size() + " rows" : shown()));
    }
    float[] numbers = new float[Math.multiplyExact(node.size(), width)];
    for (int i = 0; i < node.size(); i++) {
      if (!node.get(i).isArray() || node.get(i).size() != width) {
        JsonField row = element(i);
        throw row.error(
            "expected %d numbers, found %s"
                .formatted(width, row.node.isArray() ? row.node.size() : row.shown()));
      }
      element(i).putFloats(numbers, i * width);
    }
    return numbers;
  }

  /**
   * As many finite numbers of single precision as there is room for, in one list or in rows.
   *
   * @param width numbers in a row
   */
  public void flatFloats(float[] into, int width) {
    int rows = into.length / width;
    if (node.isArray() && node.size() == rows && rows > 0 && node.get(0).isArray()) {
      System.arraycopy(rows(width, rows), 0, into, 0, into.length);
    } else if (node.isArray() && node.size() == into.length) {
      putFloats(into, 0);
    } else {
      throw error(
          "expected %d numbers, found %s"
              .formatted(into.length, node.isArray() ? node.size() : shown()));
    }
  }

  private JsonField element(int index) {
    return new JsonField(file, path + "[" + index + "]", node.get(index));
  }

  private void putFloats(float[] into, int at) {
    for (int i = 0; i < node.size(); i++) {
      JsonNode number = node.get(i);
      float value = number.isNumber() ? (float) number.doubleValue() : Float.NaN;
      if (!Float.isFinite(value)) {
        JsonField wrong = element(i);
        throw wrong.error("expected a finite number of single precision, found " + wrong.shown());
      }
      into[at + i] = value;
    }
  }

  /** A text, a number, true or false, as it would be typed. */
  public String scalar() {
    if (node.isTextual()) {
      return text();
    }
    if (!node.isNumber() && !node.isBoolean()) {
      throw error("expected a text, a number, true or false, found " + shown());
    }
    return node.asText();
  }

  public boolean isList() {
    return node.isArray();
  }

  /** Whether the value is a whole number. */
  public boolean isInteger() {
    return node.isIntegralNumber();
  }

  /** The value as JSON, the beginning of it where it is long. */
  public String shown() {
    String text = node.toString();
    return text.length() > 40 ? text.substring(0, 40) + "…" : text.isEmpty() ? "nothing" : text;
  }
}
