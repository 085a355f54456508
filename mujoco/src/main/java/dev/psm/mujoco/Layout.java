package dev.psm.mujoco;

import com.sun.jna.Pointer;
import dev.psm.core.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Where one version of MuJoCo keeps the fields we read, in bytes from the start of their structure.
 *
 * <p>MuJoCo's structures change with every release, so a version is known only by a data file,
 * which {@code src/main/layout/layout.c} prints from that version's own headers. No other version's
 * file is ever taken instead: a wrong offset reads and writes at random.
 */
final class Layout {
  private final String version;
  private final Map<String, Integer> numbers;

  private Layout(String version, Map<String, Integer> numbers) {
    this.version = version;
    this.numbers = numbers;
  }

  /**
   * The versions that have a data file, such as 2.2.2, in the order in which they are preferred.
   */
  static List<String> knownVersions() {
    try (Reader in = resource("versions.txt")) {
      return new BufferedReader(in).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The layout of a library.
   *
   * @param version what it calls itself, {@code mj_versionString()}
   * @param number the same by {@code mj_version()}
   * @param library its file, for the refusal
   */
  static Layout of(String version, int number, String library) {
    if (knownVersions().contains(version)) {
      Layout layout = read(version);
      if (layout.number("version") == number) {
        return layout;
      }
    }
    throw UserError.failed(
        null,
        "%s is MuJoCo %s (%d), and psm knows the memory layout of %s only. %s To make psm know"
            + " %s, print its layout from its headers: see mujoco/src/main/layout/layout.c.",
        library,
        version,
        number,
        String.join(", ", knownVersions()),
        MujocoLibrary.HOW_TO_INSTALL,
        version);
  }

  private static Layout read(String version) {
    try (Reader in = resource(version + ".properties")) {
      return parse(version, in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a data file; what is no number in it is a fault of ours, told by version and key. */
  static Layout parse(String version, Reader in) throws IOException {
    Properties properties = new Properties();
    properties.load(in);
    Map<String, Integer> numbers = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      String value = properties.getProperty(key);
      if (!value.matches("\\d{1,9}")) {
        throw new IllegalStateException(
            "the layout of MuJoCo %s: expected a number for '%s', found '%s'; print it anew with"
                    .formatted(version, key, value)
                + " layout.c");
      }
      numbers.put(key, Integer.valueOf(value));
    }
    return new Layout(version, numbers);
  }

  private static Reader resource(String name) throws IOException {
    InputStream in = Layout.class.getResourceAsStream("layouts/" + name);
    if (in == null) {
      throw new IOException("the resource layouts/" + name + " is missing");
    }
    return new InputStreamReader(in, StandardCharsets.UTF_8);
  }

  int model(String field) {
    return number("model." + field);
  }

  int data(String field) {
    return number("data." + field);
  }

  int constant(String name) {
    return number("constant." + name);
  }

  /** One of the model's counts, whose width differs between versions. */
  long modelCount(Pointer model, String field) {
    return count(model, "model." + field);
  }

  /** One of the state's counts. */
  long dataCount(Pointer data, String field) {
    return count(data, "data." + field);
  }

  private long count(Pointer structure, String key) {
    int offset = number(key);
    return number(key + ".bytes") == Long.BYTES
        ? structure.getLong(offset)
        : structure.getInt(offset);
  }

  private int number(String key) {
    Integer number = numbers.get(key);
    if (number == null) {
      throw new IllegalArgumentException(
          "the layout of MuJoCo %s has no '%s'; add it to layout.c and print the data files anew"
              .formatted(version, key));
    }
    return number;
  }
}
