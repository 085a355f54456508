package dev.psm.lab.pass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arrays in documents that travel, as bytes: short, and the same numbers to the bit. */
public final class Packed {
  private Packed() {}

  public static void put(ObjectNode node, String key, double[] values) {
    byte[] bytes = room(values.length, Double.BYTES);
    view(bytes).asDoubleBuffer().put(values);
    node.put(key, bytes);
  }

  public static void put(ObjectNode node, String key, float[] values) {
    byte[] bytes = room(values.length, Float.BYTES);
    view(bytes).asFloatBuffer().put(values);
    node.put(key, bytes);
  }

  public static void put(ObjectNode node, String key, int[] values) {
    byte[] bytes = room(values.length, Integer.BYTES);
    view(bytes).asIntBuffer().put(values);
    node.put(key, bytes);
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

  public static int[] ints(JsonNode node, String key) {
    ByteBuffer bytes = bytes(node, key);
    int[] values = new int[bytes.remaining() / Integer.BYTES];
    bytes.asIntBuffer().get(values);
    return values;
  }

  private static byte[] room(int count, int size) {
    return new byte[Math.multiplyExact(count, size)];
  }

  private static ByteBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer bytes(JsonNode node, String key) {
    try {
      byte[] bytes = node.path(key).binaryValue();
      if (bytes != null) {
        return view(bytes);
      }
    } catch (IOException e) {
      throw UserError.failed(e, "the document of a task was damaged on its way, at '%s'", key);
    }
    throw UserError.failed(null, "the document of a task was damaged on its way, at '%s'", key);
  }
}
