package dev.psm.mujoco;

import dev.psm.core.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;

/**
 * Where one version of MuJoCo keeps the fields we read, in bytes from the start of their structure.
 *
 * <p>MuJoCo's structures change with every release, so a version is known only by a data file,
 * which {@code src/main/layout/layout.c} prints from that version's own headers.
 */
final class Layout {
  private final Properties offsets;

  private Layout(Properties offsets) {
    this.offsets = offsets;
  }

  /** The versions that have a data file, such as 2.2.2, newest first. */
  static List<String> knownVersions() {
    try (InputStream in = resource("versions.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The layout of the library that calls itself {@code number} ({@code mj_version()}).
   *
   * @param name the version in words, and {@code library} its file, for the refusal
   */
  static Layout of(int number, String name, String library) {
    for (String version : knownVersions()) {
      Layout layout = read(version);
      if (layout.offset("version") == number) {
        return layout;
      }
    }
    throw UserError.failed(
        null,
        "%s is MuJoCo %s, and psm knows the memory layout of %s only. %s",
        library,
        name,
        String.join(", ", knownVersions()),
        MujocoLibrary.HOW_TO_INSTALL);
  }

  private static Layout read(String version) {
    Properties offsets = new Properties();
    try (Reader in =
        new InputStreamReader(resource(version + ".properties"), StandardCharsets.UTF_8)) {
      offsets.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Layout(offsets);
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = Layout.class.getResourceAsStream("layouts/" + name);
    if (in == null) {
      throw new IOException("the resource layouts/" + name + " is missing");
    }
    return in;
  }

  int model(String field) {
    return offset("model." + field);
  }

  int data(String field) {
    return offset("data." + field);
  }

  int constant(String name) {
    return offset("constant." + name);
  }

  private int offset(String key) {
    String value = offsets.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException(
          "the layout has no '" + key + "'; add it to layout.c and print the data files anew");
    }
    return Integer.parseInt(value);
  }
}
