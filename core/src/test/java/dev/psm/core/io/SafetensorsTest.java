package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SafetensorsTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("model.safetensors");
  }

  @Test
  void tensorsAndMetadataRoundTripInOrder() {
    Map<String, TensorData> tensors = sample();
    Safetensors.write(file, tensors, Map.of("agent", "psm"));
    Safetensors.Contents read = Safetensors.read(file);
    assertEquals(tensors, read.tensors());
    assertEquals(List.copyOf(tensors.keySet()), List.copyOf(read.tensors().keySet()));
    assertEquals(Map.of("agent", "psm"), read.metadata());
    assertArrayEquals(new float[] {1, -2, Float.NaN}, read.require("bias").floats());
    assertArrayEquals(new double[] {Math.PI}, read.require("ψ").doubles());
    assertArrayEquals(new long[] {Long.MIN_VALUE, 7}, read.require("steps").longs());
    assertThrows(UserError.class, () -> read.require("missing"));
  }

  @Test
  void aMappedFileHasTheTensorsOfOneThatIsRead() {
    String hash = Safetensors.write(file, sample(), Map.of("agent", "psm"));
    Safetensors.Contents mapped = Safetensors.map(file);
    assertEquals(Safetensors.read(file).tensors(), mapped.tensors());
    assertEquals(Map.of("agent", "psm"), mapped.metadata());
    assertEquals(Hashes.sha256(file), hash);
  }

  @Test
  void everyTensorIsAlignedToItsElement() throws IOException {
    Safetensors.write(file, sample(), Map.of());
    byte[] bytes = Files.readAllBytes(file);
    long headerLength = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertEquals(0, headerLength % 8);
    JsonNode header =
        Json.parse(new String(bytes, 8, (int) headerLength, StandardCharsets.UTF_8), "header");
    assertEquals(0, header.get("ψ").get("data_offsets").get(0).asLong() % 8);
    assertEquals(0, header.get("bias").get("data_offsets").get(0).asLong() % 4);
    assertTrue(header.get("__metadata__").has("psm.sha256"));
  }

  @Test
  void aFileOfAnotherWriterIsRead() throws IOException {
    lie("{\"x\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}  ", 4);
    assertArrayEquals(new float[] {0}, Safetensors.read(file).require("x").floats());
    lie("{}", 0);
    assertEquals(Map.of(), Safetensors.read(file).tensors());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | 0 | does not start with {",
        "{'x' | 0 | not valid JSON",
        "{} {} | 0 | not valid JSON",
        "{'x':{},'x':{}} | 0 | Duplicate field 'x'",
        "{'x':1} | 0 | tensor \"x\" must be an object, found 1",
        "{'x':{'shape':[],'data_offsets':[0,4]}} | 4 | has no \"dtype\"",
        "{'x':{'dtype':'F32','data_offsets':[0,4]}} | 4 | has no \"shape\"",
        "{'x':{'dtype':'F32','shape':[]}} | 4 | has no \"data_offsets\"",
        "{'x':{'dtype':'F32','shape':[],'data_offsets':[0,4],'y':1}} | 4 | unknown field \"y\"",
        "{'x':{'dtype':'F31','shape':[],'data_offsets':[0,4]}} | 4 | found \"F31\"",
        "{'x':{'dtype':'F32','shape':3,'data_offsets':[0,4]}} | 4 | shape must be a list, found 3",
        "{'x':{'dtype':'F32','shape':[-1],'data_offsets':[0,4]}} | 4 | from 0, found -1",
        "{'x':{'dtype':'F32','shape':[1.0],'data_offsets':[0,4]}} | 4 | from 0, found 1.0",
        "{'x':{'dtype':'F32','shape':[],'data_offsets':[0,99999999999999999999]}} | 4 | found 9999",
        "{'x':{'dtype':'F32','shape':[],'data_offsets':[0]}} | 4 | must be two numbers, found 1",
        "{'x':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}} | 4 | takes 8 bytes, its offsets span",
        "{'x':{'dtype':'F32','shape':[],'data_offsets':[4,0]}} | 4 | ends at 0 before it begins",
        "{'x':{'dtype':'F32','shape':[],'data_offsets':[4,8]}} | 8 | bytes 0 to 4 before tensor",
        "{'x':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}} | 4 | the file is truncated",
        "{'x':{'dtype':'F32','shape':[],'data_offsets':[0,4]}} | 5 | 1 bytes follow the last tensor",
        "{'x':{'dtype':'U8','shape':[4],'data_offsets':[0,4]},'y':{'dtype':'U8','shape':[4],'data_offsets':[2,6]}} | 6 | overlaps another at byte 2",
        "{'x':{'dtype':'F32','shape':[4294967296,4294967296],'data_offsets':[0,4]}} | 4 | overflows",
        "{'x':{'dtype':'F64','shape':[2305843009213693952],'data_offsets':[0,4]}} | 4 | overflows",
        "{'__metadata__':3} | 0 | __metadata__ must be an object, found 3",
        "{'__metadata__':{'a':3}} | 0 | metadata \"a\" must be text, found 3",
        "{'__metadata__':{'psm.sha256':'00'}} | 0 | does not match its checksum",
      })
  void aLyingHeaderIsRefused(String header, int dataBytes, String words) throws IOException {
    lie(header.replace('\'', '"'), dataBytes);
    refused(words);
  }

  @Test
  void aLyingLengthIsRefused() throws IOException {
    Files.write(file, new byte[7]);
    refused("fewer than the 8");
    Files.write(file, length(3, 2));
    refused("header of 3 bytes and has only 2");
    Files.write(file, length(100_000_001, 2));
    refused("more than the 100000000 allowed");
    Files.write(file, length(-1, 2));
    refused("header of 18446744073709551615 bytes");
    byte[] notText = length(3, 3);
    notText[8] = '{';
    notText[9] = (byte) 0xff;
    Files.write(file, notText);
    refused("not UTF-8");
  }

  @Test
  void aMissingFileIsNamed() {
    refused("there is no such file");
  }

  @Test
  void damagedFilesAreRefusedOrReadTheSame() throws IOException {
    Map<String, TensorData> tensors = sample();
    Map<String, String> metadata = Map.of("agent", "psm", "seed", "3");
    Safetensors.write(file, tensors, metadata);
    Safetensors.Contents intact = Safetensors.read(file);
    byte[] bytes = Files.readAllBytes(file);
    Random random = new Random(1);
    int refusals = 0;
    int cases = 6000;
    for (int i = 0; i < cases; i++) {
      byte[] damaged =
          i % 4 == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
      int flips = i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : 1 + random.nextInt(8);
      for (int flip = 0; flip < flips; flip++) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        assertEquals(intact, read(damaged), "case " + i);
      } catch (UserError refused) {
        assertFalse(refused.getMessage().isEmpty());
        refusals++;
      }
    }
    assertTrue(refusals > cases * 0.95, "only " + refusals + " refusals");
  }

  @Test
  void everySingleFlippedBitIsSeen() throws IOException {
    Safetensors.write(file, Map.of("x", TensorData.of(new float[] {1, 2}, 2)), Map.of("a", "b"));
    byte[] bytes = Files.readAllBytes(file);
    Safetensors.Contents intact = Safetensors.read(file);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertEquals(intact, read(damaged), "bit " + bit);
      } catch (UserError refused) {
        assertTrue(refused.getMessage().contains("not a sound"), refused.getMessage());
      }
    }
  }

  private static Map<String, TensorData> sample() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    tensors.put("mask", new TensorData(DType.BOOL, new long[] {3}, ByteBuffer.allocate(3)));
    tensors.put("bias", TensorData.of(new float[] {1, -2, Float.NaN}, 3));
    tensors.put("ψ", TensorData.of(new double[] {Math.PI}));
    tensors.put("empty", TensorData.of(new float[0], 0, 5));
    tensors.put("steps", TensorData.of(new long[] {Long.MIN_VALUE, 7}, 2, 1));
    return tensors;
  }

  private Safetensors.Contents read(byte[] bytes) throws IOException {
    return Safetensors.read(
        file, Channels.newChannel(new ByteArrayInputStream(bytes)), bytes.length);
  }

  private void lie(String header, int dataBytes) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = length(text.length, text.length + dataBytes);
    System.arraycopy(text, 0, bytes, 8, text.length);
    Files.write(file, bytes);
  }

  private static byte[] length(long announced, int following) {
    return ByteBuffer.allocate(8 + following)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(announced)
        .array();
  }

  /** A hostile name must neither steer the terminal nor pass for a line of psm's own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'NAME':1}",
        "{'NAME':{}}",
        "{'NAME':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}}",
        "{'NAME':{'dtype':'F32','shape':[],'data_offsets':[4,8]}}",
        "{'x':{'dtype':'NAME','shape':[],'data_offsets':[0,4]}}",
        "{'x':{'dtype':'F32','shape':'NAME','data_offsets':[0,4]}}",
        "{'x':{'dtype':'F32','shape':[],'data_offsets':[0,4],'NAME':1}}",
        "{'__metadata__':{'NAME':1}}",
        "{'NAME':{},'NAME':{}}",
      })
  void whatAHeaderSaysIsSpelledOut(String header) throws IOException {
    for (String name : List.of("\\u001b[2J", "\\u009b2J", "\\u202e", "\\u0007", "\\npsm: sound")) {
      lie(header.replace("NAME", name).replace('\'', '"'), 4);
      String message = assertThrows(UserError.class, () -> Safetensors.read(file)).getMessage();
      assertEquals(Wording.printable(message), message);
      assertEquals(1, message.lines().count(), message);
    }
  }

  private void refused(String words) {
    UserError error = assertThrows(UserError.class, () -> Safetensors.read(file));
    assertTrue(error.getMessage().contains(words), error.getMessage());
    assertTrue(error.getMessage().contains(file.toString()), error.getMessage());
  }
}
