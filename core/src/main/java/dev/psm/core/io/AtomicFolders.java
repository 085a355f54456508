package dev.psm.core.io;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes whole folders as {@link AtomicFiles} writes files: into a hidden neighbour that takes the
 * folder's name once it is complete. A folder cannot be exchanged for another in one step, so a
 * kill in the moment between two renames leaves the old one whole beside the place, under a hidden
 * name.
 */
public final class AtomicFolders {
  private static final long PROCESS = ProcessHandle.current().pid();

  private AtomicFolders() {}

  /**
   * Writes a folder where none is, or an empty one.
   *
   * @param content fills the folder it is given, with files that it makes durable itself
   * @throws UserError where somebody else has written there, be it meanwhile; that stays
   */
  public static void writeNew(Path folder, Consumer<Path> content) {
    write(folder, content, true);
  }

  /**
   * Writes a folder, in place of the one that may be there.
   *
   * @param content fills the folder it is given, with files that it makes durable itself
   */
  public static void write(Path folder, Consumer<Path> content) {
    write(folder, content, false);
  }

  private static void write(Path folder, Consumer<Path> content, boolean isNew) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw UserError.invalid("%s is a file, not a folder; choose another place", folder);
    }
    try {
      // What a link names is replaced, and not the link.
      Path target = Files.exists(folder) ? folder.toRealPath() : folder.toAbsolutePath();
      target = target.normalize();
      if (target.getFileName() == null) {
        throw UserError.invalid("%s cannot be replaced; choose another place", folder);
      }
      Files.createDirectories(target.getParent());
      sweep(target);
      String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
      String hidden = "." + target.getFileName() + "." + PROCESS + "." + random;
      Path temporary = target.resolveSibling(hidden + ".tmp");
      Path old = target.resolveSibling(hidden + ".old");
      try {
        Files.createDirectory(temporary);
        content.accept(temporary);
        AtomicFiles.forceRenames(temporary);
        if (isNew) {
          place(temporary, target, folder);
        } else {
          exchange(temporary, target, old);
        }
      } finally {
        deleteTree(temporary);
      }
      AtomicFiles.forceRenames(target.getParent());
      deleteTree(old);
      // A killed writer's own child, such as jlink, may have gone on writing after the first sweep.
      sweep(target);
    } catch (IOException | ReadOnlyFileSystemException e) {
      throw AtomicFiles.explain("write", folder, e);
    }
  }

  private static boolean isFree(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return !Files.exists(folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /** In one step that fails where the place is taken: nobody has been asked about what is there. */
  private static void place(Path temporary, Path target, Path folder) throws IOException {
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (isFree(target)) {
        throw e;
      }
      throw UserError.failed(
          e,
          "%s must be new or empty, and somebody else has written there meanwhile; that stays, and what"
              + " was made here is dropped: choose another place",
          folder);
    }
  }

  private static void exchange(Path temporary, Path target, Path old) throws IOException {
    boolean replaced = Files.exists(target);
    if (replaced) {
      Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
    }
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (replaced) {
        Files.move(old, target, StandardCopyOption.ATOMIC_MOVE);
      }
      throw e;
    }
  }

  /** Removes what killed processes had begun in the same place; what a living one does stays. */
  private static void sweep(Path target) throws IOException {
    Pattern begun =
        Pattern.compile(
            Pattern.quote("." + target.getFileName() + ".") + "(\\d{1,18})\\.[0-9a-f]+\\.tmp");
    List<Path> beside;
    try (Stream<Path> files = Files.list(target.getParent())) {
      beside = files.toList();
    }
    for (Path each : beside) {
      Matcher name = begun.matcher(each.getFileName().toString());
      if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
        deleteTree(each);
      }
    }
  }

  /** Deletes a folder with all that is in it, if it is there; links are not followed. */
  public static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(root)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : deepestFirst) {
      Files.delete(each);
    }
  }
}
