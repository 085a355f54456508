package dev.psm.core.io.numpy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What NumPy wrote is read as NumPy meant it; see README.txt beside the files. */
final class NumpyFixturesTest {
  private static final double INF = Double.POSITIVE_INFINITY;

  @ParameterizedTest
  @ValueSource(strings = {"types.npz", "types_compressed.npz"})
  void everyTypeIsRead(String name) {
    try (Npz npz = Npz.open(fixture(name))) {
      assertEquals(
          List.of("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "b1"),
          List.copyOf(npz.names()));
      for (String type : npz.names()) {
        NpyHeader header = npz.header(type);
        assertTrue(header.type().name().equalsIgnoreCase(type), header.toString());
        assertEquals(List.of(type.startsWith("f") ? 6L : 3L), header.shape());
      }
      double tiny = 0x1p-24;
      assertArrayEquals(new double[] {0.5, -2, 65504, tiny, INF, Double.NaN}, npz.doubles("f2"));
      assertArrayEquals(
          new float[] {0.5f, -2, 3.4e38f, Float.MIN_VALUE, (float) INF, Float.NaN},
          npz.floats("f4"));
      assertArrayEquals(
          new double[] {0.1, -2, 1e300, Double.MIN_VALUE, INF, Double.NaN}, npz.doubles("f8"));
      assertArrayEquals(new long[] {-128, 0, 127}, npz.longs("i1"));
      assertArrayEquals(new long[] {-32768, 0, 32767}, npz.longs("i2"));
      assertArrayEquals(new long[] {Integer.MIN_VALUE, 0, Integer.MAX_VALUE}, npz.longs("i4"));
      assertArrayEquals(new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}, npz.longs("i8"));
      assertArrayEquals(new long[] {0, 128, 255}, npz.longs("u1"));
      assertArrayEquals(new long[] {0, 32768, 65535}, npz.longs("u2"));
      assertArrayEquals(new long[] {0, 1L << 31, (1L << 32) - 1}, npz.longs("u4"));
      assertArrayEquals(new boolean[] {true, false, true}, npz.booleans("b1"));
    }
  }

  @Test
  void everyShapeIsRead() {
    try (Npz npz = Npz.open(fixture("shapes.npz"))) {
      assertEquals(List.of(), npz.header("scalar").shape());
      assertArrayEquals(new float[] {2.5f}, npz.floats("scalar"));
      assertEquals(List.of(0L), npz.header("empty").shape());
      assertEquals(0, npz.floats("empty").length);
      assertEquals(List.of(0L, 3L), npz.header("no_rows").shape());
      assertEquals(0, npz.doubles("no_rows").length);
      assertEquals(List.of(5L, 0L), npz.header("no_columns").shape());
      assertEquals(0, npz.floats("no_columns").length);
      assertEquals(List.of(2L, 3L), npz.header("matrix").shape());
      assertArrayEquals(new float[] {0, 1, 2, 3, 4, 5}, npz.floats("matrix"));
      assertEquals("<i4(2, 3, 4)", npz.header("cube").toString());
      assertEquals(23, npz.longs("cube")[23]);
      assertArrayEquals(new double[] {1}, npz.doubles("ψ"));
      assertArrayEquals(new double[] {2}, npz.doubles("folder/inner"));
    }
  }

  @Test
  void anEpisodeIsRead() {
    try (Npz npz = Npz.open(fixture("episode.npz"))) {
      assertEquals(Set.of("observation", "action", "reward", "discount", "physics"), npz.names());
      assertEquals("<f4(11, 3)", npz.header("observation").toString());
      assertEquals(30f, npz.floats("observation")[32]);
      assertEquals(10 * 0.4, npz.doubles("physics")[43]);
      assertEquals((float) (10 * 0.4), npz.floats("physics")[43]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zip64.npz", "descriptors.npz", "descriptors32.npz"})
  void theRarerFormsOfZipAreRead(String name) {
    try (Npz npz = Npz.open(fixture(name))) {
      assertEquals(List.of("a", "b"), List.copyOf(npz.names()));
      assertArrayEquals(new float[] {0, 1, 2}, npz.floats("a"));
      assertEquals(2, npz.doubles("b")[2]);
    }
  }

  @Test
  void anArchiveOfNothingHasNoNames() {
    try (Npz npz = Npz.open(fixture("nothing.npz"))) {
      assertEquals(Set.of(), npz.names());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"version2.npy", "version3.npy"})
  void everyVersionIsRead(String name) {
    try (Npy npy = Npy.open(fixture(name))) {
      assertArrayEquals(new float[] {0, 1, 2}, npy.floats());
    }
  }

  @Test
  void aSingleArrayIsRead() {
    try (Npy npy = Npy.open(fixture("matrix.npy"))) {
      assertEquals("<f8(2, 3)", npy.header().toString());
      assertArrayEquals(new double[] {0, 1, 2, 3, 4, 5}, npy.doubles());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fortran.npy | stored column by column (fortran_order True, shape [2, 3])",
        "fortran.npy | np.ascontiguousarray(x)",
        "big_endian.npy | big-endian numbers, dtype \">f4\"",
        "objects.npy | pickled Python objects, dtype \"|O\"",
        "text.npy | holds text, dtype \"<U2\"",
        "bytes.npy | holds text, dtype \"|S2\"",
        "structured.npy | is a structured array, dtype \"[('x', '<f4'), ('y', '<i4')]",
        "structured_unicode.npy | is a structured array",
        "void.npy | raw records, dtype \"|V3\"",
        "dates.npy | dates or durations, dtype \"<M8[s]\"",
        "durations.npy | dates or durations, dtype \"<m8[s]\"",
        "complex.npy | complex numbers, dtype \"<c8\"",
        "unsigned64.npy | unsigned 64-bit numbers, dtype \"<u8\"",
        "extended.npy | extended-precision numbers, dtype \"<f16\"",
        "episode.npz | does not start as a .npy does",
      })
  void whatIsNotForUsIsRefusedByName(String name, String words) {
    Path file = fixture(name);
    UserError error = assertThrows(UserError.class, () -> Npy.open(file));
    assertTrue(error.getMessage().contains(words), error.getMessage());
    assertTrue(error.getMessage().contains(name), error.getMessage());
  }

  @Test
  void anArrayOfTextDoesNotBarTheNumbersBesideIt() {
    try (Npz npz = Npz.open(fixture("mixed.npz"))) {
      assertArrayEquals(new float[] {0, 1, 2}, npz.floats("numbers"));
      UserError error = assertThrows(UserError.class, () -> npz.header("text"));
      assertTrue(error.getMessage().contains("array \"text\": it holds text"), error.getMessage());
    }
  }

  static Path fixture(String name) {
    try {
      return Path.of(NumpyFixturesTest.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
