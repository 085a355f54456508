package dev.psm.core.io.numpy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NpyHeaderTest {
  private static final String SOUND = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";

  @ParameterizedTest
  @ValueSource(
      strings = {
        SOUND,
        "{'shape':(2,),'fortran_order':False,'descr':'<f4'}",
        "  { \"descr\" :\"<f4\" ,\n'fortran_order'\t: False,'shape' : ( 2 , ) , }  \n",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,2)}",
      })
  void orderAndSpacingAreFree(String dict) {
    assertArrayEquals(new float[2], Memory.npy(npy(1, dict, 8)).floats());
  }

  @Test
  void oneByteTypesMayCarryEitherMark() {
    assertEquals(NpyType.I1, Memory.npy(npy(1, SOUND.replace("<f4", "|i1"), 2)).header().type());
    assertEquals(NpyType.I1, Memory.npy(npy(1, SOUND.replace("<f4", "<i1"), 2)).header().type());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | at character 0 expected {, found \"[]\"",
        "{'descr': '<f4' | expected }, found its end",
        "{'descr': '<f4 | expected a dtype in quotes that ends",
        "{,} | expected a key, found \",}\"",
        "{descr: 1} | expected a key",
        "{'descr' '<f4'} | expected :",
        "{'descr': 4} | expected a dtype in quotes, found \"4}\"",
        "{'descr': '\\x3cf4'} | expected a dtype in quotes without escapes",
        "{'fortran_order': 0} | expected True or False, found \"0}\"",
        "{'fortran_order': Trueish} | expected }, found \"ish}\"",
        "{'shape': [2]} | expected (",
        "{'shape': (2)} | expected a comma, as in (3,)",
        "{'shape': (,)} | expected a whole number",
        "{'shape': (02,)} | expected a whole number, found \"02,)}\"",
        "{'shape': (2.0,)} | expected a comma",
        "{'shape': (0x2,)} | expected a comma",
        "{'shape': (1_0,)} | expected a comma",
        "{'shape': (2, 3} | expected )",
        "{'shape': (2,3) + ()} | expected }",
        "{'shape': (2L,)} | Python 2 wrote it",
        "{'shape': (-2,)} | a negative dimension, \"-2,)}\"",
        "{'shape': (99999999999999999999,)} | a dimension beyond 64 bits",
        "{'shape': (), 'shape': ()} | gives \"shape\" twice",
        "{'descr': '<f4', 'descr': '<f4'} | gives \"descr\" twice",
        "{'fortran_order': True, 'fortran_order': True} | gives \"fortran_order\" twice",
        "{'extra': 1} | an unknown key \"extra\"",
        "{} | has no \"descr\"",
        "{'descr': '<f4', 'shape': ()} | has no \"fortran_order\"",
        "{'descr': '<f4', 'fortran_order': False} | has no \"shape\"",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} # | expected nothing after the dict",
      })
  void aDictThatNumpyDoesNotWriteIsRefused(String dict, String words) {
    refused(npy(1, dict, 8), words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''     | unknown dtype \"\"; expected one of f2 f4",
        "<f3    | unknown dtype \"<f3\"",
        "<F4    | unknown dtype \"<F4\"",
        "f4     | dtype \"f4\" does not say its byte order; expected \"<f4\"",
        "=f4    | dtype \"=f4\" does not say its byte order",
        "'|f4'  | dtype \"|f4\" does not say its byte order",
        ">i1    | big-endian numbers",
        ">i8    | big-endian numbers, dtype \">i8\"",
        "<f12   | extended-precision",
        "O      | pickled Python objects",
        ">O8    | pickled Python objects",
        "'|a3'  | holds text",
        "'|T16' | holds text",
        "<c16   | complex numbers",
      })
  void aTypeThatIsNotForUsIsRefused(String descr, String words) {
    refused(npy(1, SOUND.replace("<f4", descr), 8), words);
  }

  @Test
  void aShapeBeyondAllMemoryIsRefused() {
    refused(shaped("(4294967296, 4294967296)", 8), "shape [4294967296, 4294967296] overflows");
    refused(shaped("(4611686018427387904,)", 8), "overflows 64 bits");
    refused(shaped("(0, 4294967296, 4294967296)", 0), "overflows 64 bits");
    refused(shaped("(" + "1, ".repeat(65) + ")", 4), "more than 64 dimensions");
    assertEquals(64, Memory.npy(shaped("(" + "1, ".repeat(64) + ")", 4)).header().shape().size());
  }

  @Test
  void aShapeThatItsBytesDoNotFillIsRefused() {
    refused(shaped("(2,)", 7), "promises <f4(2,), 8 bytes of data, and 7 bytes follow it");
    refused(shaped("(2,)", 9), "promises <f4(2,), 8 bytes of data, and 9 bytes follow it");
    refused(shaped("(1000000000000,)", 8), "4000000000000 bytes of data, and 8 bytes follow");
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] sound = npy(1, SOUND, 8);
    for (int length = 0; length < sound.length; length++) {
      byte[] shorter = Arrays.copyOf(sound, length);
      UserError error = assertThrows(UserError.class, () -> Memory.npy(shorter));
      String words =
          length < 10 + SOUND.length() ? "it is truncated: its " : "8 bytes of data, and";
      assertTrue(error.getMessage().contains(words), error.getMessage());
    }
  }

  @Test
  void aStrangeStartIsRefused() {
    byte[] wrong = npy(1, SOUND, 8);
    wrong[0] = 'N';
    refused(wrong, "expected the bytes 93 4e 55 4d 50 59, found 4e 4e 55 4d 50 59");
    for (byte[] version : new byte[][] {{0, 0}, {4, 0}, {1, 1}, {(byte) 255, 0}}) {
      byte[] other = npy(1, SOUND, 8);
      other[6] = version[0];
      other[7] = version[1];
      refused(other, "its format version is %d.%d".formatted(version[0] & 0xff, version[1]));
    }
  }

  @Test
  void aHeaderWithoutEndIsRefused() {
    byte[] huge = npy(2, SOUND, 8);
    ByteBuffer.wrap(huge).order(ByteOrder.LITTLE_ENDIAN).putInt(8, -1);
    refused(huge, "a header of 4294967295 bytes; expected at most 65536");
    refused(npy(2, SOUND + " ".repeat(65536), 8), "expected at most 65536");
    assertEquals(
        List.of(2L),
        Memory.npy(npy(2, SOUND + " ".repeat(65536 - SOUND.length()), 8)).header().shape());
  }

  @Test
  void whatTheFileSaysCannotSteerATerminal() {
    refused(npy(1, SOUND.replace("<f4", "\u001b[2J\u009b"), 8), "\"\\u{1b}[2J\\u{9b}\"");
    refused(npy(1, SOUND.replace("<f4", "<" + "q".repeat(9999)), 8), "q".repeat(59) + "…\"");
  }

  private static byte[] shaped(String shape, int data) {
    return npy(1, SOUND.replace("(2,)", shape), data);
  }

  static byte[] npy(int version, String dict, int data) {
    byte[] text = dict.getBytes(StandardCharsets.ISO_8859_1);
    int length = version == 1 ? 2 : 4;
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + length + text.length + data).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    if (version == 1) {
      bytes.putShort((short) text.length);
    } else {
      bytes.putInt(text.length);
    }
    return bytes.put(text).array();
  }

  private static void refused(byte[] npy, String words) {
    UserError alone = assertThrows(UserError.class, () -> Memory.npy(npy));
    assertTrue(alone.getMessage().contains(words), alone.getMessage());
    Npz npz = Memory.npz(NpzWriter.deflated().add("x", npy).toBytes());
    UserError inside = assertThrows(UserError.class, () -> npz.header("x"));
    assertTrue(inside.getMessage().contains(words), inside.getMessage());
    assertTrue(inside.getMessage().startsWith("memory.npz, array \"x\": "), inside.getMessage());
  }
}
