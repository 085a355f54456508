package dev.psm.lab.pass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Arrays in documents that travel, as bytes: short, and the same numbers to the bit. Long ones are
 * cut into pieces, since readers of JSON take a very long text for an attack.
 */
public final class Packed {
  private static final int PIECE_BYTES = 4 << 20;

  private Packed() {}

  public static void put(ObjectNode node, String key, double[] values) {
    byte[] bytes = room(values.length, Double.BYTES);
    view(bytes).asDoubleBuffer().put(values);
    put(node, key, bytes);
  }

  public static void put(ObjectNode node, String key, float[] values) {
    byte[] bytes = room(values.length, Float.BYTES);
    view(bytes).asFloatBuffer().put(values);
    put(node, key, bytes);
  }

  public static void put(ObjectNode node, String key, long[] values) {
    byte[] bytes = room(values.length, Long.BYTES);
    view(bytes).asLongBuffer().put(values);
    put(node, key, bytes);
  }

  public static double[] doubles(JsonNode node, String key) {
    ByteBuffer bytes = bytes(node, key);
    double[] values = new double[bytes.remaining() / Double.BYTES];
    bytes.asDoubleBuffer().get(values);
    return values;
  }

  public static float[] floats(JsonNode node, String key) {
    ByteBuffer bytes = bytes(node, key);
    float[] values = new float[bytes.remaining() / Float.BYTES];
    bytes.asFloatBuffer().get(values);
    return values;
  }

  public static long[] longs(JsonNode node, String key) {
    ByteBuffer bytes = bytes(node, key);
    long[] values = new long[bytes.remaining() / Long.BYTES];
    bytes.asLongBuffer().get(values);
    return values;
  }

  private static byte[] room(int count, int size) {
    return new byte[Math.multiplyExact(count, size)];
  }

  private static ByteBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void put(ObjectNode node, String key, byte[] bytes) {
    ArrayNode pieces = node.putArray(key);
    for (int from = 0; from < bytes.length; from += PIECE_BYTES) {
      pieces.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + PIECE_BYTES)));
    }
  }

  private static ByteBuffer bytes(JsonNode node, String key) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (JsonNode piece : node.path(key)) {
        bytes.write(piece.binaryValue());
      }
    } catch (IOException e) {
      throw UserError.failed(e, "the document of a task was damaged on its way, at '%s'", key);
    }
    return view(bytes.toByteArray());
  }
}
