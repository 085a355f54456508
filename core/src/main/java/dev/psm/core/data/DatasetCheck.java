package dev.psm.core.data;

import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a whole dataset for damage that opening it cannot see: every file against its hash, every
 * episode against the rules that the writer held it to. It goes on after a problem, so that one
 * reading tells all that is wrong.
 */
public final class DatasetCheck {
  private final Path folder;
  private final Manifest manifest;
  private final List<String> problems = new ArrayList<>();

  private DatasetCheck(Path folder, Manifest manifest) {
    this.folder = folder;
    this.manifest = manifest;
  }

  /** Hears how far a check has come. */
  @FunctionalInterface
  public interface Progress {
    void at(long bytesDone, long bytesTotal);
  }

  /**
   * The problems found, in words; empty for a sound dataset.
   *
   * @throws UserError when there is no manifest that can be read, and so nothing to check against
   */
  public static List<String> problems(Path folder, Progress progress) {
    DatasetCheck check = new DatasetCheck(folder, Manifest.read(folder));
    check.run(progress);
    return List.copyOf(check.problems);
  }

  /** The bytes of each file of episodes, in their order. */
  public static long[] fileBytes(Path folder) {
    return Manifest.read(folder).chunks().stream()
        .mapToLong(chunk -> chunk.stored().bytes())
        .toArray();
  }

  /**
   * The problems of some of the files of episodes, so that many can be looked at at once.
   *
   * @param first of them, and {@code end} the one after the last
   */
  public static List<String> problems(Path folder, int first, int end) {
    DatasetCheck check = new DatasetCheck(folder, Manifest.read(folder));
    check.manifest.chunks().subList(first, end).forEach(check::checkChunk);
    return List.copyOf(check.problems);
  }

  /** The problems of the rest: of what the collector needs to go on. */
  public static List<String> checkpointProblems(Path folder) {
    DatasetCheck check = new DatasetCheck(folder, Manifest.read(folder));
    check.manifest.checkpoint().ifPresent(check::checkFile);
    return List.copyOf(check.problems);
  }

  private void run(Progress progress) {
    long total = manifest.chunks().stream().mapToLong(chunk -> chunk.stored().bytes()).sum();
    long done = 0;
    progress.at(done, total);
    for (Manifest.ChunkEntry entry : manifest.chunks()) {
      checkChunk(entry);
      done += entry.stored().bytes();
      progress.at(done, total);
    }
    manifest.checkpoint().ifPresent(this::checkFile);
  }

  private void checkChunk(Manifest.ChunkEntry entry) {
    try {
      Chunk chunk = Chunk.open(folder, entry, manifest.description().columns());
      checkFile(entry.stored());
      checkEpisodes(chunk, entry.stored().file());
    } catch (UserError e) {
      problems.add(e.getMessage());
    } catch (InternalError e) {
      problems.add(
          "%s was cut short, or its disk failed, while it was read"
              .formatted(folder.resolve(entry.stored().file())));
    }
  }

  private void checkFile(Manifest.FileEntry entry) {
    try {
      entry.requireIntact(folder);
    } catch (UserError e) {
      problems.add(e.getMessage());
    }
  }

  /** Tells the first place in each column and the number of further episodes with the like. */
  private void checkEpisodes(Chunk chunk, String file) {
    Map<String, String> first = new LinkedHashMap<>();
    Map<String, Integer> count = new LinkedHashMap<>();
    int row = 0;
    for (int episode = 0; episode < chunk.lengths().length; episode++) {
      int rows = (int) chunk.lengths()[episode] + 1;
      Columns columns = manifest.description().columns();
      for (EpisodeRules.Breach breach :
          EpisodeRules.breaches(chunk.episode(row, rows, columns), columns)) {
        String words =
            "%s, column '%s', row %d (episode %d of the chunk, row %d of it) %s"
                .formatted(
                    folder.resolve(file),
                    breach.column(),
                    row + breach.row(),
                    episode,
                    breach.row(),
                    breach.words());
        first.putIfAbsent(breach.column(), words);
        count.merge(breach.column(), 1, Integer::sum);
      }
      row += rows;
    }
    first.forEach(
        (column, words) -> {
          int more = count.get(column) - 1;
          problems.add(more == 0 ? words : words + "; and %d episodes more".formatted(more));
        });
  }
}
