package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.io.OutputFolder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Where a command will write, checked before it begins: a wrong path must not cost the work. Null
 * paths, of options that were not given, pass.
 */
final class Destination {
  private Destination() {}

  /**
   * Refuses a path that no file can be written to.
   *
   * @param endings what the name may end in, such as {@code .gif}; any name when there are none
   */
  static void file(String option, Path path, String... endings) {
    if (path == null) {
      return;
    }
    String name = path.toString().toLowerCase(Locale.ROOT);
    if (endings.length > 0 && Arrays.stream(endings).noneMatch(name::endsWith)) {
      throw UserError.invalid(
          "%s: the name must end in %s, found %s", option, String.join(" or ", endings), path);
    }
    if (Files.isDirectory(path)) {
      throw UserError.invalid("%s: %s is a directory; give a file name", option, path);
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      // A device or a pipe is written through, so what it lies in does not matter.
      requireWritable(option, path, path);
      return;
    }
    Path parent = path.toAbsolutePath().normalize().getParent();
    requireCreatable(option, path, parent);
  }

  /**
   * Refuses a file that is there already, unless it may be replaced; a device is written through.
   */
  static void unused(String option, Path path, boolean replace) {
    if (path != null && Files.isRegularFile(path) && !replace) {
      throw UserError.invalid(
          "%s: %s is there already; replace it by --force, or choose another name", option, path);
    }
  }

  /** Refuses a path that cannot be a folder to write into. */
  static void folder(String option, Path path) {
    if (path == null) {
      return;
    }
    OutputFolder.requirePlace(path);
    requireCreatable(option, path, path.toAbsolutePath().normalize());
  }

  /** Folders that are missing will be made, so the nearest one that is there decides. */
  private static void requireCreatable(String option, Path path, Path folder) {
    Path nearest = folder;
    while (!Files.exists(nearest)) {
      nearest = nearest.getParent();
    }
    if (!Files.isDirectory(nearest)) {
      throw UserError.invalid(
          "%s: %s cannot be made, because %s is a file; choose another place",
          option, path, nearest);
    }
    requireWritable(option, path, nearest);
    requireTakesFiles(option, path, nearest);
  }

  /** A folder's permissions do not tell all: of /proc they allow it, and no file can be made. */
  private static void requireTakesFiles(String option, Path path, Path folder) {
    try {
      Files.delete(Files.createTempFile(folder, ".psm-", ".tmp"));
    } catch (IOException e) {
      throw UserError.invalid(
          "%s: %s cannot be made, because no file can be made in %s%s; choose another place",
          option, path, folder, reason(e));
    }
  }

  private static String reason(IOException e) {
    return e instanceof FileSystemException known && known.getReason() != null
        ? " (" + known.getReason() + ")"
        : "";
  }

  private static void requireWritable(String option, Path path, Path where) {
    if (!Files.isWritable(where)) {
      throw UserError.invalid(
          "%s: %s cannot be written, because %s is read-only for this user; choose another place",
          option, path, where);
    }
  }
}
