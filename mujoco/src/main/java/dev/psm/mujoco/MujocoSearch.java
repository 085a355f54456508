package dev.psm.mujoco;

import com.sun.jna.Platform;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where the library comes from. The first of these that has one decides: {@code MUJOCO_LIBRARY},
 * the system's loader (2.2.2 before any other, because results are compared on it), the {@code
 * mujoco} package of Python.
 *
 * @param variable what MUJOCO_LIBRARY says, or null
 * @param loader loads a file, or what the system calls by a name; throws an UnsatisfiedLinkError
 * @param python the folders of Python's packages, asked for only where nothing else has it
 */
record MujocoSearch<T>(String variable, Function<String, T> loader, Supplier<List<Path>> python) {

  /**
   * What was found.
   *
   * @param source in words
   */
  record Found<T>(T library, String source) {}

  Found<T> find() {
    if (variable != null && !variable.isBlank()) {
      return new Found<>(named(), "named by " + MujocoLibrary.VARIABLE);
    }
    List<String> names = new ArrayList<>();
    if (Platform.isLinux()) {
      // Debian's package has the versioned name only; the plain one comes with its headers.
      Layout.knownVersions().forEach(version -> names.add("libmujoco.so." + version));
    }
    names.add("mujoco");
    UnsatisfiedLinkError reason = null;
    for (String name : names) {
      try {
        return new Found<>(loader.apply(name), "found by the system's loader");
      } catch (UnsatisfiedLinkError e) {
        reason = e;
      }
    }
    for (Path folder : python.get()) {
      Optional<Path> file = inFolder(folder.resolve("mujoco"));
      if (file.isPresent()) {
        return new Found<>(load(file.get(), "python3 has"), "of python3's package mujoco");
      }
    }
    throw UserError.failed(reason, "MuJoCo was not found. %s", MujocoLibrary.HOW_TO_INSTALL);
  }

  private T named() {
    Path path = Path.of(variable);
    if (!Files.exists(path)) {
      throw UserError.failed(
          null,
          "%s names %s, which does not exist. %s",
          MujocoLibrary.VARIABLE,
          variable,
          MujocoLibrary.HOW_TO_INSTALL);
    }
    Path file =
        Files.isDirectory(path)
            ? inFolder(path)
                .orElseThrow(
                    () ->
                        UserError.failed(
                            null,
                            "%s names %s, which holds no libmujoco. %s",
                            MujocoLibrary.VARIABLE,
                            path,
                            MujocoLibrary.HOW_TO_INSTALL))
            : path;
    return load(file, MujocoLibrary.VARIABLE + " names");
  }

  private T load(Path file, String told) {
    try {
      return loader.apply(file.toAbsolutePath().toString());
    } catch (UnsatisfiedLinkError e) {
      throw UserError.failed(
          e,
          "%s %s, which cannot be loaded: %s. %s",
          told,
          file,
          // The first line only repeats the name; the loader's reason follows.
          e.getMessage().lines().skip(1).findFirst().orElse("no reason given"),
          MujocoLibrary.HOW_TO_INSTALL);
    }
  }

  /** The library in a folder; none also where there is no such folder. */
  private static Optional<Path> inFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(
              file -> file.getFileName().toString().matches("(lib)?mujoco.*\\.(so|dylib|dll).*"))
          .min(Path::compareTo);
    } catch (IOException e) {
      throw UserError.failed(e, "%s, where MuJoCo is looked for, cannot be listed: %s", folder, e);
    }
  }
}
