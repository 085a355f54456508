package dev.psm.lab.importing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetCheck;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Imports into a folder of its own, and what must be true of each. */
final class Importing {
  private final Path root;
  private final Path out;

  Importing(Path temporary) {
    root = temporary.resolve("results");
    out = root.resolve("imported");
  }

  Path out() {
    return out;
  }

  DatasetImport.Result run(Path source, String format, String environment, String... names) {
    return DatasetImport.run(source, format, environment, List.of(names), out, Progress.SILENT);
  }

  World world() {
    try (Dataset dataset = Dataset.open(out)) {
      return dataset.description().world();
    }
  }

  /** The episodes of a source in a format that is told by its look. */
  List<Episode> episodes(Path source) {
    DatasetImport.Result result = run(source, null, "elsewhere");
    List<Episode> episodes = stored();
    assertEquals(episodes.size(), result.episodes());
    assertEquals(episodes.stream().mapToLong(Episode::transitions).sum(), result.transitions());
    return episodes;
  }

  List<Episode> stored() {
    assertEquals(List.of(), DatasetCheck.of(out).problems());
    try (Dataset dataset = Dataset.open(out)) {
      return IntStream.range(0, dataset.episodes()).mapToObj(dataset::episode).toList();
    }
  }

  /** A mistake in the source: told in words, and nothing is left behind. */
  void refusedFor(String environment, Path source, String format, String... words) {
    UserError error = assertThrows(UserError.class, () -> run(source, format, environment));
    assertEquals(UserError.Kind.INVALID, error.kind(), error.getMessage());
    for (String word : words) {
      assertTrue(
          error.getMessage().contains(word), "'" + word + "' is not in: " + error.getMessage());
    }
    assertFalse(error.getMessage().contains(".importing"), error.getMessage());
    assertNothingLeft();
  }

  void refused(Path source, String format, String... words) {
    refusedFor("elsewhere", source, format, words);
  }

  void assertNothingLeft() {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> left = Files.list(root)) {
      assertEquals(List.of(), left.toList());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
