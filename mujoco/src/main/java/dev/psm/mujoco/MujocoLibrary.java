package dev.psm.mujoco;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The MuJoCo library of this process: {@code MUJOCO_LIBRARY} when it is set, else what the system's
 * loader finds. Loaded once, on first use, and only if its version is a known one.
 */
public final class MujocoLibrary {
  /** The environment variable that names the library's file, or the folder it lies in. */
  public static final String VARIABLE = "MUJOCO_LIBRARY";

  static final String HOW_TO_INSTALL =
      "Install MuJoCo 2.2.2 (Debian, Ubuntu: apt-get install libmujoco2.2.2), or set "
          + VARIABLE
          + " to its libmujoco.so.";

  private static MujocoLibrary loaded;

  private final String file;
  private final String version;
  private final Layout layout;

  private MujocoLibrary(String file, String version, Layout layout) {
    this.file = file;
    this.version = version;
    this.layout = layout;
  }

  /**
   * The library, loaded if it was not yet; a {@link UserError} says what to install if it cannot.
   */
  public static synchronized MujocoLibrary load() {
    if (loaded == null) {
      try {
        loaded = open(System.getenv(VARIABLE));
      } catch (LinkageError e) {
        throw UserError.failed(
            e,
            "the bridge to native code (JNA) cannot be loaded: %s. It is unpacked into %s, which must"
                + " be writable and not full.",
            e.getMessage(),
            System.getProperty("java.io.tmpdir"));
      }
    }
    return loaded;
  }

  /** Where it was loaded from. */
  public String file() {
    return file;
  }

  /** Its version, such as 2.2.2. */
  public String version() {
    return version;
  }

  /**
   * Its version as the library numbers it, such as 222; it is asked anew, by the barest of calls.
   */
  public int versionNumber() {
    return Mujoco.mj_version();
  }

  Layout layout() {
    return layout;
  }

  /**
   * Loads and binds a library.
   *
   * @param named a file or folder, or null to ask the system
   */
  static MujocoLibrary open(String named) {
    NativeLibrary library = named == null || named.isBlank() ? fromSystem() : fromVariable(named);
    String file = file(library);
    Function versionString;
    try {
      versionString = library.getFunction("mj_versionString");
    } catch (UnsatisfiedLinkError e) {
      throw UserError.failed(
          e, "%s is not MuJoCo: it has no mj_versionString. %s", file, HOW_TO_INSTALL);
    }
    String version = versionString.invokeString(new Object[0], false);
    Layout layout = Layout.of(library.getFunction("mj_version").invokeInt(null), version, file);
    Native.register(Mujoco.class, library);
    Complaints.listen(library);
    return new MujocoLibrary(file, version, layout);
  }

  /** The loader is given a mere name and tells nobody which file it chose; Linux does. */
  private static String file(NativeLibrary library) {
    String given = library.getFile() == null ? library.getName() : library.getFile().toString();
    if (Path.of(given).isAbsolute()) {
      return given;
    }
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines
          .filter(line -> line.contains("/") && line.contains(given))
          .map(line -> line.substring(line.indexOf('/')))
          .findFirst()
          .orElse(given);
    } catch (IOException e) {
      return given;
    }
  }

  private static NativeLibrary fromVariable(String named) {
    Path path = Path.of(named);
    if (!Files.exists(path)) {
      throw UserError.failed(
          null, "%s names %s, which does not exist. %s", VARIABLE, named, HOW_TO_INSTALL);
    }
    Path file = Files.isDirectory(path) ? inFolder(path) : path;
    try {
      return NativeLibrary.getInstance(file.toAbsolutePath().toString());
    } catch (UnsatisfiedLinkError e) {
      throw UserError.failed(
          e,
          "%s names %s, which cannot be loaded: %s. %s",
          VARIABLE,
          file,
          // The first line only repeats the name; the loader's reason follows.
          e.getMessage().lines().skip(1).findFirst().orElse("no reason given"),
          HOW_TO_INSTALL);
    }
  }

  private static Path inFolder(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(
              file -> file.getFileName().toString().matches("(lib)?mujoco.*\\.(so|dylib|dll).*"))
          .sorted()
          .findFirst()
          .orElseThrow(
              () ->
                  UserError.failed(
                      null,
                      "%s names %s, which holds no libmujoco. %s",
                      VARIABLE,
                      folder,
                      HOW_TO_INSTALL));
    } catch (IOException e) {
      throw UserError.failed(e, "%s names %s, which cannot be listed: %s", VARIABLE, folder, e);
    }
  }

  private static NativeLibrary fromSystem() {
    List<String> names = new ArrayList<>();
    if (Platform.isLinux()) {
      // Debian's package has the versioned name only; the plain one comes with its headers.
      Layout.knownVersions().forEach(version -> names.add("libmujoco.so." + version));
    }
    names.add("mujoco");
    UnsatisfiedLinkError reason = null;
    for (String name : names) {
      try {
        return NativeLibrary.getInstance(name);
      } catch (UnsatisfiedLinkError e) {
        reason = e;
      }
    }
    throw UserError.failed(reason, "MuJoCo was not found. %s", HOW_TO_INSTALL);
  }
}
