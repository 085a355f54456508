package dev.psm.core.io.numpy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NpzWriterTest {
  @TempDir Path directory;

  @Test
  void whatIsWrittenIsReadBack() {
    for (NpzWriter writer : List.of(NpzWriter.stored(), NpzWriter.deflated())) {
      Path file = directory.resolve("episode.npz");
      writer
          .add("observation", new float[] {1, 2, 3, Float.NaN}, 2, 2)
          .add("physics", new double[] {Math.PI})
          .add("ψ", new long[] {Long.MIN_VALUE, 7}, 2, 1)
          .add("done", new boolean[] {true, false}, 2)
          .add("empty", new float[0], 0, 5)
          .write(file);
      try (Npz npz = Npz.open(file)) {
        assertEquals(
            List.of("observation", "physics", "ψ", "done", "empty"), List.copyOf(npz.names()));
        assertArrayEquals(new float[] {1, 2, 3, Float.NaN}, npz.floats("observation"));
        assertEquals("<f8()", npz.header("physics").toString());
        assertArrayEquals(new double[] {Math.PI}, npz.doubles("physics"));
        assertArrayEquals(new long[] {Long.MIN_VALUE, 7}, npz.longs("ψ"));
        assertArrayEquals(new boolean[] {true, false}, npz.booleans("done"));
        assertEquals(List.of(0L, 5L), npz.header("empty").shape());
      }
    }
  }

  @Test
  void otherReadersOfZipReadIt() throws IOException {
    byte[] bytes = NpzWriter.deflated().add("ψ", new float[] {1}, 1).toBytes();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      ZipEntry entry = zip.getNextEntry();
      assertEquals("ψ.npy", entry.getName());
      assertEquals(128 + 4, zip.readAllBytes().length);
    }
  }

  @Test
  void theSameArraysGiveTheSameBytes() {
    assertArrayEquals(HostileZip.deflated().bytes(), HostileZip.deflated().bytes());
  }

  @Test
  void theDataIsAlignedAsNumpyAlignsIt() {
    for (long size = 1; size < 1L << 58; size *= 10) {
      assertEquals(0, NpyHeader.of(NpyType.B1, size).prefix().length % 64);
    }
  }

  @Test
  void theCallersMistakesAreRefused() {
    NpzWriter writer = NpzWriter.stored().add("x", new float[1], 1);
    assertThrows(IllegalArgumentException.class, () -> writer.add("x", new float[1], 1));
    assertThrows(IllegalArgumentException.class, () -> writer.add("y", new float[2], 3));
    assertThrows(IllegalArgumentException.class, () -> writer.add("", new float[1], 1));
    assertThrows(IllegalArgumentException.class, () -> writer.add("../y", new float[1], 1));
  }

  @Test
  void numbersOutOfAFileGiveTheSameBytes() throws IOException {
    float[] values = {1.5f, -2, Float.MIN_VALUE, 3e38f};
    Path raw = directory.resolve("raw");
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    Files.write(raw, bytes.array());
    long[] starts = {0, 3};
    assertArrayEquals(
        NpzWriter.stored().add("reward", values, 4).add("start", starts, 2).toBytes(),
        NpzWriter.stored().addFloats("reward", raw, 4).add("start", starts, 2).toBytes());
    assertThrows(
        IllegalStateException.class, () -> NpzWriter.deflated().addFloats("reward", raw, 4));
  }
}
