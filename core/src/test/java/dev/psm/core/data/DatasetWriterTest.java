package dev.psm.core.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

final class DatasetWriterTest {
  @TempDir Path root;
  private Path folder;

  @BeforeEach
  void nameFolder() {
    folder = root.resolve("data");
  }

  @Test
  void aFullChunkIsWrittenWithoutBeingAsked() {
    try (DatasetWriter writer =
        DatasetWriter.create(folder, SampleEpisodes.description(), SampleEpisodes.CHUNK_BYTES)) {
      for (int number = 0; number < 100; number++) {
        writer.append(SampleEpisodes.episode(number));
      }
      assertEquals(100, writer.episodes());
    }
    try (Dataset dataset = Dataset.open(folder)) {
      assertTrue(dataset.episodes() > 80, "all but what fits one chunk is there");
      assertTrue(dataset.episodes() < 100, "closing drops what was not flushed");
    }
  }

  @Test
  void aDatasetGrowsOverSeveralWriters() {
    DatasetWriter.create(folder, SampleEpisodes.description()).close();
    for (int number = 0; number < 3; number++) {
      try (DatasetWriter writer = DatasetWriter.resume(folder)) {
        assertEquals(number, writer.episodes());
        assertEquals(SampleEpisodes.description(), writer.description());
        writer.append(SampleEpisodes.episode(number));
        writer.flush();
        writer.flush();
      }
    }
    try (Dataset dataset = Dataset.open(folder)) {
      assertEquals(3, dataset.episodes());
      assertTrue(SampleEpisodes.same(SampleEpisodes.episode(2), dataset.episode(2)));
    }
  }

  @Test
  void dataWithoutPhysicsAndExtrasIsADatasetToo() {
    DatasetDescription bare =
        new DatasetDescription(
            "reach", "unknown", "import", Json.object(), 0, new Columns(3, 2, 0));
    Episode full = SampleEpisodes.episode(2);
    Episode slim =
        new Episode(full.observations(), full.actions(), full.discounts(), new double[0], Map.of());
    try (DatasetWriter writer = DatasetWriter.create(folder, bare)) {
      writer.append(slim);
      writer.flush();
      refused("column 'physics' is not in", () -> writer.append(full));
    }
    try (Dataset dataset = Dataset.open(folder)) {
      assertArrayEquals(slim.observations(), dataset.episode(0).observations());
      refused("has no physics", () -> dataset.physics(0, 1, new double[2], 0));
    }
  }

  @Test
  void twoWritersAreRefused() {
    DatasetWriter first = DatasetWriter.create(folder, SampleEpisodes.description());
    refused("another run is writing", () -> DatasetWriter.resume(folder));
    refused("another run is writing", () -> DatasetWriter.resume(folder));
    first.close();
    DatasetWriter.resume(folder).close();
  }

  @Test
  void anExistingDatasetIsNeverStartedOver() throws IOException {
    SampleEpisodes.write(folder);
    DatasetDescription description = SampleEpisodes.description();
    refused("already holds a dataset", () -> DatasetWriter.create(folder, description));
    Files.delete(folder.resolve("dataset.json"));
    refused("lost its dataset.json", () -> DatasetWriter.create(folder, description));
    refused("holds no dataset", () -> DatasetWriter.resume(folder));
    Path nowhere = root.resolve("nowhere");
    refused("holds no dataset", () -> DatasetWriter.resume(nowhere));
    assertFalse(Files.exists(nowhere), "a refusal leaves nothing behind");
  }

  @Test
  void unfitNumbersAreRefusedByPlace() {
    try (DatasetWriter writer = DatasetWriter.create(folder, SampleEpisodes.description())) {
      writer.append(SampleEpisodes.episode(0));
      Episode bad = SampleEpisodes.episode(0);
      bad.observations()[3 * 4 + 1] = Float.NaN;
      refused("episode 1: column 'observation', row 4 holds NaN", () -> writer.append(bad));
      bad.observations()[3 * 4 + 1] = 0;
      bad.physics()[2 * 5] = Double.NEGATIVE_INFINITY;
      refused("column 'physics', row 5 holds -Infinity", () -> writer.append(bad));
      bad.physics()[2 * 5] = 0;
      bad.extras().get("reward")[1] = Float.NaN;
      refused("column 'reward', row 1 holds NaN", () -> writer.append(bad));
      bad.extras().get("reward")[1] = 0;
      bad.actions()[1] = 1;
      refused("column 'action', row 0 holds 1.0, expected 0.0", () -> writer.append(bad));
      bad.actions()[1] = 0;
      bad.discounts()[0] = 0;
      refused("column 'discount', row 0 holds 0.0, expected 1.0", () -> writer.append(bad));
      bad.discounts()[0] = 1;
      bad.discounts()[2] = 1.5f;
      refused("column 'discount', row 2 holds 1.5", () -> writer.append(bad));
      assertEquals(1, writer.episodes());
    }
  }

  @Test
  void episodesOfOtherSizesAreRefused() {
    Episode good = SampleEpisodes.episode(0);
    Episode narrow =
        new Episode(
            good.observations(), new float[3], good.discounts(), good.physics(), good.extras());
    Episode bare =
        new Episode(
            good.observations(), good.actions(), good.discounts(), good.physics(), Map.of());
    Episode rich =
        new Episode(
            good.observations(),
            good.actions(),
            good.discounts(),
            good.physics(),
            Map.of("reward", good.discounts(), "goal", good.discounts()));
    try (DatasetWriter writer = DatasetWriter.create(folder, SampleEpisodes.description())) {
      refused("at least 2", () -> writer.append(SampleEpisodes.episode(0, 0)));
      refused(
          "column 'action' has 3 numbers, expected 12: 6 rows of 2", () -> writer.append(narrow));
      refused("column 'reward' has 0 numbers, expected 6", () -> writer.append(bare));
      refused("column 'goal' is not in this dataset's description", () -> writer.append(rich));
      assertEquals(0, writer.episodes());
    }
  }

  @Test
  void columnsOfNothingAreRefused() {
    refused("'observation' has from 1", () -> new Columns(0, 1, 0));
    refused("'action' has from 1", () -> new Columns(1, 0, 0));
    refused("'physics' has from 0", () -> new Columns(1, 1, -1));
    refused("'reward' has from 1", () -> new Columns(1, 1, 0, Map.of("reward", 0)));
    refused("cannot be called 'action'", () -> new Columns(1, 1, 0, Map.of("action", 1)));
    refused("cannot be called '../x'", () -> new Columns(1, 1, 0, Map.of("../x", 1)));
    refused(
        "engine in the description of a dataset is empty",
        () -> new DatasetDescription("e", " ", "c", Json.object(), 0, new Columns(1, 1, 0)));
  }

  @Test
  void theCollectorsStateGoesWithTheEpisodes() throws IOException {
    try (DatasetWriter writer =
        DatasetWriter.create(folder, SampleEpisodes.description(), SampleEpisodes.CHUNK_BYTES)) {
      assertEquals(Optional.empty(), writer.checkpoint());
      writer.checkpointWith(file -> AtomicFiles.writeText(file, Long.toString(writer.episodes())));
      for (int number = 0; number < 50; number++) {
        writer.append(SampleEpisodes.episode(number));
      }
    }
    try (DatasetWriter writer = DatasetWriter.resume(folder)) {
      Path checkpoint = writer.checkpoint().orElseThrow();
      assertEquals(Long.toString(writer.episodes()), Files.readString(checkpoint));
      try (var files = Files.list(folder)) {
        assertEquals(1, files.filter(file -> file.toString().endsWith(".state")).count());
      }
      writer.append(SampleEpisodes.episode(0));
      assertThrows(IllegalStateException.class, writer::flush, "the checkpoint would be stale");
      Files.writeString(checkpoint, "edited");
      refused("it was damaged or edited", writer::checkpoint);
    }
  }

  @Test
  void episodesCollectedTogetherAreNeverTornApart() throws IOException {
    List<Episode> round = IntStream.range(0, 30).mapToObj(SampleEpisodes::episode).toList();
    List<Long> states = new ArrayList<>();
    try (DatasetWriter writer =
        DatasetWriter.create(folder, SampleEpisodes.description(), SampleEpisodes.CHUNK_BYTES)) {
      writer.checkpointWith(
          file -> {
            states.add(writer.episodes());
            AtomicFiles.writeText(file, "state");
          });
      writer.append(round);
      assertEquals(List.of(30L), states, "several chunks' worth, but one flush after the last");
      writer.append(List.of());
      assertEquals(List.of(30L), states);
    }
    try (Dataset dataset = Dataset.open(folder)) {
      assertEquals(30, dataset.episodes());
      for (int number = 0; number < 30; number++) {
        assertTrue(SampleEpisodes.same(round.get(number), dataset.episode(number)));
      }
    }
  }

  @Test
  void aFlushThatFailedCanBeTriedAgain() {
    try (DatasetWriter writer = DatasetWriter.create(folder, SampleEpisodes.description())) {
      boolean[] full = {true};
      writer.checkpointWith(
          file -> {
            if (full[0]) {
              throw UserError.invalid("the disk is full");
            }
            AtomicFiles.writeText(file, "state");
          });
      writer.append(SampleEpisodes.episode(0));
      refused("the disk is full", writer::flush);
      full[0] = false;
      writer.flush();
      assertEquals(1, writer.episodes());
    }
    try (Dataset dataset = Dataset.open(folder)) {
      assertEquals(1, dataset.episodes());
    }
  }

  /** The disk may be full once the collector's state is written, but no episode yet. */
  @Test
  void aFirstFlushThatFailedLeavesTheFolderFree() throws IOException {
    Path made = folder.resolve("made");
    try (DatasetWriter writer = DatasetWriter.create(made, SampleEpisodes.description())) {
      writer.checkpointWith(file -> AtomicFiles.writeText(file, "state"));
      writer.append(SampleEpisodes.episode(0));
      Path inTheWay = Files.createDirectory(made.resolve(Manifest.chunkName(0)));
      refused("it is a directory", writer::flush);
      assertTrue(Files.exists(made.resolve(Manifest.checkpointName(0))));
      Files.delete(inTheWay);
      writer.discardEmpty();
    }
    assertFalse(Files.exists(made));
  }

  private static void refused(String words, Executable work) {
    UserError refusal = assertThrows(UserError.class, work);
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
  }
}
