package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TensorBoardWriterTest {
  private static final Clock NOON =
      Clock.fixed(Instant.ofEpochMilli(1_700_000_000_500L), ZoneOffset.UTC);

  @TempDir Path directory;

  @Test
  void scalarsRoundTrip() throws IOException {
    Path file;
    try (TensorBoardWriter writer = TensorBoardWriter.create(directory.resolve("run"), NOON)) {
      file = writer.file();
      writer.scalar("loss/measure", 0, 0.25);
      writer.scalar("loss/ψ", 3_000_000_000L, Double.NaN);
    }
    double now = 1_700_000_000.5;
    assertEquals(
        List.of(
            new TensorBoardReader.Event(now, 0, "brain.Event:2", null, Float.NaN),
            new TensorBoardReader.Event(now, 0, null, "loss/measure", 0.25f),
            new TensorBoardReader.Event(now, 3_000_000_000L, null, "loss/ψ", Float.NaN)),
        TensorBoardReader.read(file));
  }

  @Test
  void theFirstRecordIsFramedAsEveryEventFileIs() throws IOException {
    try (TensorBoardWriter writer = TensorBoardWriter.create(directory, NOON)) {
      byte[] start = Arrays.copyOf(Files.readAllBytes(writer.file()), 13);
      // Length 24 and its masked checksum, as in files that TensorFlow itself writes.
      assertArrayEquals(HexFormat.of().parseHex("1800000000000000a37f4b2209"), start);
    }
  }

  @Test
  void writersOfTheSameSecondDoNotCollide() {
    try (TensorBoardWriter first = TensorBoardWriter.create(directory, NOON);
        TensorBoardWriter second = TensorBoardWriter.create(directory, NOON)) {
      assertNotEquals(first.file(), second.file());
    }
  }
}
