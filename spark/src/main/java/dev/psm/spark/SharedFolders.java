package dev.psm.spark;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Marks in folders, by which a worker sees whether a folder of that name is the one meant: on a
 * machine without the shared storage the same name leads to a disk of its own.
 */
final class SharedFolders implements AutoCloseable {
  /** A network's file system may show what is new some seconds late. */
  static final long PATIENCE_MILLIS = 10_000;

  private static final long POLL_MILLIS = 200;

  private final String mark = ".psm-shared-" + UUID.randomUUID();
  private final Set<Path> marked = new LinkedHashSet<>();

  /** Marks these, making them where they are not there. */
  SharedFolders(Collection<Path> folders) {
    for (Path folder : folders) {
      Path file = folder.resolve(mark);
      if (!marked.contains(file)) {
        try {
          Files.createDirectories(folder);
          Files.createFile(file);
          marked.add(file);
        } catch (IOException e) {
          close();
          throw AtomicFiles.explain("write", file, e);
        }
      }
    }
  }

  String mark() {
    return mark;
  }

  /** Refuses folders that this machine does not share with the one that made the mark. */
  static void require(List<Path> folders, String mark, long patienceMillis) {
    long end = System.nanoTime() + patienceMillis * 1_000_000;
    for (Path folder : folders) {
      while (!Files.exists(folder.resolve(mark))) {
        if (System.nanoTime() > end) {
          throw elsewhere(folder);
        }
        try {
          Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw UserError.failed(e, "interrupted while waiting for %s", folder);
        }
      }
      if (!Files.isWritable(folder)) {
        throw UserError.failed(
            null,
            "the folder %s may not be written by %s",
            folder,
            System.getProperty("user.name"));
      }
    }
  }

  private static UserError elsewhere(Path folder) {
    return Files.isDirectory(folder)
        ? UserError.failed(
            null,
            "the folder %s is not the one of the machine that asked; all machines must share it"
                + " under this name",
            folder)
        : UserError.failed(
            null,
            "there is no folder %s that can be read; all machines must share it under this name",
            folder);
  }

  @Override
  public void close() {
    for (Path file : marked) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // A hidden empty file harms nobody.
      }
    }
  }
}
