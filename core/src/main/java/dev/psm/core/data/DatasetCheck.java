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

  private DatasetCheck(Path folder, Manifest manifest) {
    this.folder = folder;
    this.manifest = manifest;
  }

  /**
   * Reads the manifest.
   *
   * @throws UserError when there is none that can be read, and so nothing to check against
   */
  public static DatasetCheck of(Path folder) {
    return new DatasetCheck(folder, Manifest.read(folder));
  }

  /** As {@link Dataset#fingerprint}, of what the manifest says. */
  public String fingerprint() {
    return manifest.fingerprint();
  }

  /** The bytes of each file of episodes, in their order. */
  public long[] fileBytes() {
    return manifest.chunks().stream().mapToLong(chunk -> chunk.stored().bytes()).toArray();
  }

  /**
   * The problems of some of the files of episodes, in words, so that many can be looked at at once.
   *
   * @param first of them, and {@code end} the one after the last
   */
  public List<String> problems(int first, int end) {
    List<String> problems = new ArrayList<>();
    manifest.chunks().subList(first, end).forEach(entry -> checkChunk(entry, problems));
    return problems;
  }

  /** The problems of the rest: of what the collector needs to go on. */
  public List<String> checkpointProblems() {
    List<String> problems = new ArrayList<>();
    manifest.checkpoint().ifPresent(entry -> checkFile(entry, problems));
    return problems;
  }

  /** The problems of everything, one file after the other; empty for a sound dataset. */
  public List<String> problems() {
    List<String> problems = problems(0, manifest.chunks().size());
    problems.addAll(checkpointProblems());
    return problems;
  }

  private void checkChunk(Manifest.ChunkEntry entry, List<String> problems) {
    try {
      Chunk chunk = Chunk.open(folder, entry, manifest.description().columns());
      checkFile(entry.stored(), problems);
      checkEpisodes(chunk, entry.stored().file(), problems);
    } catch (UserError e) {
      problems.add(e.getMessage());
    } catch (InternalError e) {
      problems.add(
          "%s was cut short, or its disk failed, while it was read"
              .formatted(folder.resolve(entry.stored().file())));
    }
  }

  private void checkFile(Manifest.FileEntry entry, List<String> problems) {
    try {
      entry.requireIntact(folder);
    } catch (UserError e) {
      problems.add(e.getMessage());
    }
  }

  /** Tells the first place in each column and the number of further episodes with the like. */
  private void checkEpisodes(Chunk chunk, String file, List<String> problems) {
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
