package dev.psm.core.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.AtomicFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever moment a writer dies in, the folder holds every flushed episode once. */
final class DatasetCrashTest {
  @TempDir Path root;

  /** The moments of a flush, in order, by the file that it was busy with. */
  enum Moment {
    CHECKPOINT_HALF_WRITTEN,
    CHECKPOINT_IN_PLACE,
    CHUNK_HALF_WRITTEN,
    CHUNK_IN_PLACE,
    MANIFEST_HALF_WRITTEN,
    MANIFEST_IN_PLACE,
    OLD_CHECKPOINT_REMOVED;

    boolean reached(Moment other) {
      return compareTo(other) >= 0;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFlushHappensWholeOrNotAtAll(Moment died) throws IOException {
    Path folder = root.resolve("before");
    collect(folder, 2);
    Path after = root.resolve("after");
    copy(folder, after);
    collect(after, 2);
    Files.writeString(folder.resolve("notes.txt"), "mine");
    Files.writeString(folder.resolve("chunk-of-cake.safetensors"), "mine");

    imitate(died, folder, after);
    int flushes = died.reached(Moment.MANIFEST_IN_PLACE) ? 2 : 1;
    assertWhole(folder, 2 * flushes);
    Set<String> expected =
        new TreeSet<>(Set.of("notes.txt", "chunk-of-cake.safetensors", ".lock", Manifest.NAME));
    expected.add(Manifest.checkpointName(flushes - 1));
    for (int chunk = 0; chunk < flushes; chunk++) {
      expected.add(Manifest.chunkName(chunk));
    }
    assertEquals(expected, names(folder));

    collect(folder, 2);
    assertWhole(folder, 2 * flushes + 2);
  }

  @Test
  void aCrashInTheFirstFlushLeavesAnEmptyDataset() throws IOException {
    Path folder = root.resolve("data");
    DatasetWriter.create(folder, SampleEpisodes.description()).close();
    Files.writeString(folder.resolve("chunk-000000.safetensors"), "half");
    collect(folder, 1);
    assertWhole(folder, 1);
  }

  @Test
  void aKilledProcessIsResumedAtItsLastFlush() throws Exception {
    Path folder = root.resolve("data");
    long before = 0;
    for (int kill = 0; kill < 3; kill++) {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Endless.class.getName(),
                  folder.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
        for (int flush = 0; flush < 5 + 3 * kill; flush++) {
          assertNotNull(lines.readLine(), "the child ended on its own");
        }
      } finally {
        child.destroyForcibly().waitFor();
      }
      try (DatasetWriter writer = DatasetWriter.resume(folder)) {
        assertTrue(writer.episodes() >= before + 5);
        before = writer.episodes();
      }
      assertWhole(folder, (int) before);
    }
  }

  /** A collector that never stops by itself. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] arguments) throws IOException {
      while (true) {
        collect(Path.of(arguments[0]), 1);
        System.out.println("flushed");
      }
    }
  }

  /** Goes on from the checkpoint, whose state is the number of the next episode, and flushes. */
  private static void collect(Path folder, int episodes) throws IOException {
    try (DatasetWriter writer =
        Manifest.isIn(folder)
            ? DatasetWriter.resume(folder)
            : DatasetWriter.create(folder, SampleEpisodes.description())) {
      int[] next = {0};
      if (writer.checkpoint().isPresent()) {
        next[0] = Integer.parseInt(Files.readString(writer.checkpoint().get()));
      }
      writer.checkpointWith(file -> AtomicFiles.writeText(file, Integer.toString(next[0])));
      for (int i = 0; i < episodes; i++) {
        writer.append(SampleEpisodes.episode(next[0]++));
      }
      writer.flush();
    }
  }

  private static void assertWhole(Path folder, int episodes) throws IOException {
    try (DatasetWriter writer = DatasetWriter.resume(folder)) {
      assertEquals(Integer.toString(episodes), Files.readString(writer.checkpoint().orElseThrow()));
    }
    try (Dataset dataset = Dataset.open(folder)) {
      assertEquals(episodes, dataset.episodes());
      for (int number = 0; number < episodes; number++) {
        assertTrue(SampleEpisodes.same(SampleEpisodes.episode(number), dataset.episode(number)));
      }
    }
    assertEquals(0, DatasetCheck.of(folder).problems().size());
  }

  /** Leaves in {@code folder} what a writer does that dies on its way to {@code target}. */
  private static void imitate(Moment died, Path folder, Path target) throws IOException {
    step(died, Moment.CHECKPOINT_HALF_WRITTEN, folder, target, Manifest.checkpointName(1));
    step(died, Moment.CHUNK_HALF_WRITTEN, folder, target, Manifest.chunkName(1));
    step(died, Moment.MANIFEST_HALF_WRITTEN, folder, target, Manifest.NAME);
    if (died.reached(Moment.OLD_CHECKPOINT_REMOVED)) {
      Files.delete(folder.resolve(Manifest.checkpointName(0)));
    }
  }

  private static void step(Moment died, Moment half, Path folder, Path target, String name)
      throws IOException {
    byte[] bytes = Files.readAllBytes(target.resolve(name));
    if (died == half) {
      Files.write(folder.resolve("." + name + ".1f3a.tmp"), Arrays.copyOf(bytes, bytes.length / 2));
    } else if (died.reached(half)) {
      Files.write(folder.resolve(name), bytes);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (String name : names(from)) {
      Files.copy(from.resolve(name), to.resolve(name));
    }
  }

  private static Set<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
