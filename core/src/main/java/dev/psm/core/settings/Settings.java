package dev.psm.core.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes, describes and stores records of options.
 *
 * <p>A record is its own schema, so an option exists in exactly one place; its compact constructor
 * is the one place that validates, and what it throws reaches the user unchanged whether the value
 * came from a command line or from a file.
 */
public final class Settings {
  private Settings() {}

  /**
   * The base with {@code key=value} assignments applied. Keys of nested records are dotted, as in
   * {@code coordinates.learningRate=3e-4}, unless {@link Inline}. Every assignment is checked
   * before any is applied.
   */
  public static <R extends Record> R override(R base, List<String> assignments) {
    List<String> known = keys(base.getClass());
    Map<String, String> texts = new LinkedHashMap<>();
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals < 0) {
        throw UserError.invalid(
            "setting \"%s\" has no value: expected key=value, as in %s=…",
            Wording.oneLine(assignment),
            known.contains(assignment) || known.isEmpty() ? assignment : known.get(0));
      }
      String key = assignment.substring(0, equals).strip();
      requireKnown(key, known);
      if (texts.put(key, assignment.substring(equals + 1).strip()) != null) {
        throw UserError.invalid("setting \"%s\" is given twice: keep one of them", key);
      }
    }
    return rebuild(base, "", texts);
  }

  /** Every key in the order of the record's components, nested records spelled out. */
  public static List<String> keys(Class<? extends Record> type) {
    List<String> keys = new ArrayList<>();
    collectKeys(type, "", keys);
    return List.copyOf(keys);
  }

  /** A table of key, value and sentence, one line each, columns aligned. */
  public static <R extends Record> String describe(R settings) {
    List<String[]> rows = new ArrayList<>();
    collectRows(settings, "", rows);
    int keyWidth = rows.stream().mapToInt(row -> row[0].length()).max().orElse(0);
    int valueWidth = rows.stream().mapToInt(row -> row[1].length()).max().orElse(0);
    StringBuilder table = new StringBuilder();
    for (String[] row : rows) {
      String line =
          row[0]
              + " ".repeat(keyWidth - row[0].length() + 2)
              + row[1]
              + " ".repeat(valueWidth - row[1].length() + 2)
              + row[2];
      table.append(line.stripTrailing()).append('\n');
    }
    return table.toString();
  }

  /** A setting's value as it is typed, in the shortest usual notation. */
  public static <R extends Record> String text(R settings, String key) {
    List<String[]> rows = new ArrayList<>();
    collectRows(settings, "", rows);
    return rows.stream()
        .filter(row -> row[0].equals(key))
        .map(row -> row[1])
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no setting is called " + key));
  }

  /**
   * The record of a type whose components are all among other settings, by the same names, or among
   * more values.
   */
  public static <R extends Record> R part(
      Class<R> type, Record settings, Map<String, Object> more) {
    Map<String, Object> known = new HashMap<>(more);
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      known.put(component.getName(), Records.get(component, settings));
    }
    Object[] values =
        Arrays.stream(type.getRecordComponents())
            .map(component -> value(known, component.getName()))
            .toArray();
    try {
      return Records.create(type, values);
    } catch (InvocationTargetException e) {
      throw Records.unchecked(e);
    }
  }

  private static Object value(Map<String, Object> known, String name) {
    Object value = known.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no value is known of " + name);
    }
    return value;
  }

  /** The settings as JSON, nested records as nested objects; {@link #fromJson} reads it back. */
  public static <R extends Record> ObjectNode toJson(R settings) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      Object value = Records.get(component, settings);
      node.set(
          component.getName(),
          value instanceof Record nested ? toJson(nested) : Values.toJson(component, value));
    }
    return node;
  }

  /**
   * Reads what {@link #toJson} wrote. Strict, because a misspelt or forgotten field that silently
   * took its default would make a run differ from what its file says.
   *
   * @param fileNameForErrors names the source in every error
   */
  public static <R extends Record> R fromJson(
      JsonNode json, Class<R> type, String fileNameForErrors) {
    return fromJson(json, type, fileNameForErrors, "");
  }

  private static <R extends Record> R fromJson(
      JsonNode json, Class<R> type, String file, String prefix) {
    if (json == null || !json.isObject()) {
      throw UserError.invalid(
          "%s: %s must be an object, found %s",
          file,
          prefix.isEmpty() ? "the settings" : quote(prefix.substring(0, prefix.length() - 1)),
          Values.shorten(String.valueOf(json)));
    }
    RecordComponent[] components = type.getRecordComponents();
    List<String> names = Arrays.stream(components).map(RecordComponent::getName).toList();
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!names.contains(name)) {
                throw UserError.invalid(
                    "%s: unknown setting \"%s\"; %s",
                    file, prefix + Wording.oneLine(name), Nearest.hint(name, names));
              }
            });
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      String key = prefix + component.getName();
      JsonNode node = json.get(component.getName());
      if (node == null) {
        throw UserError.invalid(
            "%s: setting \"%s\" is missing: add it, expected %s",
            file, key, Values.expected(component.getType()));
      }
      values[i] =
          component.getType().isRecord()
              ? fromJson(node, Records.nestedType(component), file, key + ".")
              : Values.fromJson(component.getType(), node, file, key);
    }
    try {
      return Records.create(type, values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UserError refused) {
        throw UserError.invalid("%s: %s", file, refused.getMessage());
      }
      throw Records.unchecked(e);
    }
  }

  private static <R extends Record> R rebuild(R base, String prefix, Map<String, String> texts) {
    RecordComponent[] components = base.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String key = prefix + components[i].getName();
      Object value = Records.get(components[i], base);
      if (value instanceof Record nested) {
        value = rebuild(nested, inside(components[i], prefix), texts);
      } else if (texts.containsKey(key)) {
        value = Values.parse(components[i].getType(), key, texts.get(key));
      }
      values[i] = value;
    }
    try {
      return Records.create(Records.typeOf(base), values);
    } catch (InvocationTargetException e) {
      throw Records.unchecked(e);
    }
  }

  private static void requireKnown(String key, List<String> known) {
    if (known.contains(key)) {
      return;
    }
    List<String> inside = known.stream().filter(name -> name.startsWith(key + ".")).toList();
    if (!inside.isEmpty()) {
      throw UserError.invalid(
          "setting \"%s\" is a group: set one of %s", key, String.join(", ", inside));
    }
    throw UserError.invalid(
        "unknown setting \"%s\"; %s", Wording.oneLine(key), Nearest.hint(key, known));
  }

  private static void collectKeys(Class<? extends Record> type, String prefix, List<String> keys) {
    for (RecordComponent component : type.getRecordComponents()) {
      String key = prefix + component.getName();
      if (component.getType().isRecord()) {
        collectKeys(Records.nestedType(component), inside(component, prefix), keys);
      } else {
        Values.requireSupported(component);
        keys.add(key);
      }
    }
  }

  private static void collectRows(Record settings, String prefix, List<String[]> rows) {
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      String key = prefix + component.getName();
      Object value = Records.get(component, settings);
      if (value instanceof Record nested) {
        collectRows(nested, inside(component, prefix), rows);
      } else {
        Setting setting = component.getAnnotation(Setting.class);
        rows.add(new String[] {key, Values.format(value), setting == null ? "" : setting.value()});
      }
    }
  }

  /** What the keys of a nested record begin with. */
  private static String inside(RecordComponent component, String prefix) {
    return component.isAnnotationPresent(Inline.class)
        ? prefix
        : prefix + component.getName() + ".";
  }

  private static String quote(String text) {
    return '"' + text + '"';
  }
}
