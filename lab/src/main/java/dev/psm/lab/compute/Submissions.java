package dev.psm.lab.compute;

import dev.psm.core.io.OutputFolder;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * What was handed to a queue for a folder's sake, one hidden sub-folder after the other: an earlier
 * one may still be computed when there is a later one.
 */
final class Submissions {
  private static final String NAME = ".slurm";

  private final Path folder;

  Submissions(Path out) {
    folder = out.toAbsolutePath().normalize().resolve(NAME);
  }

  private List<Integer> numbers() {
    return OutputFolder.list(folder).stream()
        .filter(WorkList::isIn)
        .map(each -> each.getFileName().toString())
        .filter(name -> name.matches("[1-9]\\d{0,6}"))
        .map(Integer::valueOf)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** A folder for the next one. */
  Path next() {
    return folder.resolve(Integer.toString(numbers().stream().findFirst().orElse(0) + 1));
  }

  /** The newest first: what became of a task is what became of it there. */
  List<WorkList> newestFirst() {
    return numbers().stream()
        .map(number -> WorkList.read(folder.resolve(Integer.toString(number))))
        .toList();
  }
}
