package dev.psm.bench;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for large files that goes with all of them, also when the program is interrupted. */
public final class TemporaryFolder implements AutoCloseable {
  private static final int TRIES = 5;

  private final Path path;
  private final Thread hook = new Thread(this::deleteQuietly, "temporary folder");

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  public static TemporaryFolder in(Path parent) {
    try {
      TemporaryFolder folder = new TemporaryFolder(Files.createTempDirectory(parent, "psm-bench"));
      Runtime.getRuntime().addShutdownHook(folder.hook);
      return folder;
    } catch (IOException e) {
      throw AtomicFiles.explain("make a folder in", parent, e);
    }
  }

  public Path path() {
    return path;
  }

  /** How many more bytes fit. */
  long free() {
    return free(path);
  }

  static long free(Path folder) {
    try {
      return Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      throw UserError.failed(e, "how much space is left in %s is unknown", folder);
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending, and the hook does the same work.
    }
    try {
      delete();
    } catch (IOException e) {
      throw UserError.failed(e, "%s cannot be deleted: %s", path, e.getMessage());
    }
  }

  /** While the program ends, a thread may still write a file, hence more than one try. */
  private void deleteQuietly() {
    for (int i = 0; i < TRIES; i++) {
      try {
        delete();
        return;
      } catch (IOException e) {
        // Nobody is left to be told.
      }
    }
  }

  private void delete() throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(path)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return;
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }
}
