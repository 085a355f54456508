package dev.psm.mujoco;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A library of a newer MuJoCo on this machine, for tests that compare engines. */
public final class OtherEngine {
  /** Names its file or folder. */
  public static final String VARIABLE = "PSM_TEST_MUJOCO";

  private OtherEngine() {}

  /** The one that the variable names, else that of python3's package, if psm knows its version. */
  public static Optional<Path> find() throws IOException {
    String named = System.getenv(VARIABLE);
    if (named != null) {
      return Optional.of(Path.of(named));
    }
    for (Path packages : PythonPackages.folders()) {
      Path folder = packages.resolve("mujoco");
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          return files.filter(OtherEngine::isKnown).findFirst();
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isKnown(Path file) {
    String name = file.getFileName().toString();
    return Layout.knownVersions().stream()
        .anyMatch(
            version ->
                version.startsWith("3.")
                    && (name.equals("libmujoco.so." + version)
                        || name.equals("libmujoco." + version + ".dylib")));
  }
}
