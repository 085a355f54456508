package dev.psm.core.io;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rule for every folder that is given to write into: it is absent, or empty, or holds what the
 * same kind of work made. Hidden files do not count, since locks and unfinished files are such.
 */
public final class OutputFolder {
  private OutputFolder() {}

  /**
   * Refuses any other folder.
   *
   * @param kind what the work makes, with its article, for the refusal
   * @param isOwn whether a folder holds such a thing
   * @return whether this one does
   */
  public static boolean holds(Path folder, String kind, Predicate<Path> isOwn) {
    requirePlace(folder);
    Optional<Path> found = visible(folder).stream().findFirst();
    if (found.isEmpty()) {
      return false;
    }
    if (isOwn.test(folder)) {
      return true;
    }
    throw UserError.argument(
        "out",
        "%s is not %s but holds other files, such as %s; choose another folder",
        folder,
        kind,
        found.get().getFileName());
  }

  /**
   * Refuses any folder that is not new or empty, hidden files included: for work whose finished
   * folder takes the place of the one that is there.
   *
   * @param work as the subject of a sentence, for the refusal
   * @param kind what the work makes, with its article
   * @param isOwn whether a folder holds such a thing
   */
  public static void requireEmpty(Path folder, String work, String kind, Predicate<Path> isOwn) {
    if (holds(folder, kind, isOwn)) {
      throw UserError.argument("out", "%s already holds %s; choose another folder", folder, kind);
    }
    List<Path> found = list(folder);
    if (!found.isEmpty()) {
      throw UserError.argument(
          "out",
          "%s holds %s; %s needs a folder that is new or empty",
          folder,
          found.get(0).getFileName(),
          work);
    }
  }

  /** Refuses a path that cannot become a folder. */
  public static void requirePlace(Path folder) {
    if (folder.toString().isBlank()) {
      throw UserError.argument("out", "a folder's name is missing");
    }
    Path existing = folder.toAbsolutePath();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing != null && !Files.isDirectory(existing)) {
      throw existing.equals(folder.toAbsolutePath())
          ? UserError.argument("out", "%s is a file, not a folder; choose another", folder)
          : UserError.argument(
              "out",
              "%s cannot be made, since %s is a file, not a folder; choose another",
              folder,
              existing);
    }
  }

  /** What lies in a folder, sorted, without hidden files; nothing where there is no folder. */
  public static List<Path> visible(Path folder) {
    return list(folder).stream()
        .filter(file -> !file.getFileName().toString().startsWith("."))
        .toList();
  }

  /** What lies in a folder, sorted; nothing where there is no folder. */
  public static List<Path> list(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw AtomicFiles.explain("list", folder, e);
    }
  }
}
