package dev.psm.lab.compute;

import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.OutputFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What was handed to a queue for a folder's sake, one hidden sub-folder after the other: an earlier
 * one may still be computed when there is a later one.
 */
final class Submissions {
  /** In a submission's folder, written by what submits: a job's number in every line. */
  static final String JOBS = "jobs.txt";

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

  /** A folder for the next one, made and so nobody else's. */
  Path next() {
    try {
      Files.createDirectories(folder);
      for (int number = numbers().stream().findFirst().orElse(0) + 1; ; number++) {
        Path next = folder.resolve(Integer.toString(number));
        if (make(next)) {
          return next;
        }
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("write", folder, e);
    }
  }

  private static boolean make(Path next) throws IOException {
    try {
      Files.createDirectory(next);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** The numbers of the jobs that perform them, as far as any were submitted. */
  Set<String> jobs() {
    Set<String> jobs = new HashSet<>();
    for (int number : numbers()) {
      Path file = folder.resolve(Integer.toString(number)).resolve(JOBS);
      if (Files.isRegularFile(file)) {
        try {
          jobs.addAll(Files.readAllLines(file));
        } catch (IOException e) {
          throw AtomicFiles.explain("read", file, e);
        }
      }
    }
    return jobs;
  }

  /** The newest first: what became of a task is what became of it there. */
  List<WorkList> newestFirst() {
    return numbers().stream()
        .map(number -> WorkList.read(folder.resolve(Integer.toString(number))))
        .toList();
  }
}
