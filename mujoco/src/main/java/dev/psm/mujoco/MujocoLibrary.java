package dev.psm.mujoco;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The MuJoCo library of this process, as {@link MujocoSearch} finds it. Loaded once, on first use,
 * and only if its version is a known one.
 */
public final class MujocoLibrary {
  /** The environment variable that names the library's file, or the folder it lies in. */
  public static final String VARIABLE = "MUJOCO_LIBRARY";

  static final String HOW_TO_INSTALL =
      "Install MuJoCo 2.2.2 (Debian, Ubuntu: apt-get install libmujoco2.2.2) or %1$s (pip install mujoco==%1$s), or set %2$s to its libmujoco.so."
          .formatted(newest(), VARIABLE);

  private static MujocoLibrary loaded;

  private final String file;
  private final String source;
  private final String version;
  private final Layout layout;

  private MujocoLibrary(String file, String source, String version, Layout layout) {
    this.file = file;
    this.source = source;
    this.version = version;
    this.layout = layout;
  }

  private static String newest() {
    List<String> versions = Layout.knownVersions();
    return versions.get(versions.size() - 1);
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

  /** How it was found, in words. */
  public String source() {
    return source;
  }

  /** What computes the dynamics, as data and results name it: MuJoCo 2.2.2. */
  public String engine() {
    return "MuJoCo " + version;
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
    MujocoSearch.Found<NativeLibrary> found =
        new MujocoSearch<>(named, NativeLibrary::getInstance, PythonPackages::folders).find();
    NativeLibrary library = found.library();
    String file = file(library);
    Function versionString;
    try {
      versionString = library.getFunction("mj_versionString");
    } catch (UnsatisfiedLinkError e) {
      throw UserError.failed(
          e, "%s is not MuJoCo: it has no mj_versionString. %s", file, HOW_TO_INSTALL);
    }
    String version = versionString.invokeString(new Object[0], false);
    Layout layout = Layout.of(version, library.getFunction("mj_version").invokeInt(null), file);
    Native.register(Mujoco.class, library);
    MujocoErrors.listen(library);
    return new MujocoLibrary(file, found.source(), version, layout);
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
}
