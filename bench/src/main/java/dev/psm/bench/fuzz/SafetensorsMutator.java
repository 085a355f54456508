package dev.psm.bench.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Safetensors files with another header around the same data, other data behind the same header,
 * and damaged bytes. Most lose their checksums, which would find all damage before any other check.
 */
final class SafetensorsMutator implements Function<RandomGenerator, byte[]> {
  private static final List<String> CHECKSUMS = List.of("psm.sha256", "psm.headerSha256");

  private final byte[] sound;
  private final byte[] unverified;
  private final byte[] data;
  private final ByteMutator bytes;
  private final JsonMutator header;

  SafetensorsMutator(byte[] sound) {
    this.sound = sound;
    int length = (int) ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN).getLong() + Long.BYTES;
    this.data = Arrays.copyOfRange(sound, length, sound.length);
    String text = new String(sound, Long.BYTES, length - Long.BYTES, StandardCharsets.UTF_8);
    JsonNode plain = Json.parse(text, "a sound header");
    ((ObjectNode) plain.get("__metadata__")).remove(CHECKSUMS);
    byte[] plainHeader = Json.line(plain).getBytes(StandardCharsets.UTF_8);
    this.unverified = joined(plainHeader, plainHeader.length, data);
    this.bytes = new ByteMutator(sound, unverified);
    this.header = new JsonMutator(plain);
  }

  @Override
  public byte[] apply(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 -> bytes.damage(sound, random);
      case 1, 2 -> bytes.damage(unverified, random);
      case 3 -> {
        int skipped = unverified.length - data.length;
        byte[] other = bytes.damage(data, random);
        yield ByteMutator.replaced(unverified, skipped, data.length, other);
      }
      default -> {
        byte[] changed = header.apply(random);
        long lie = random.nextInt(20) == 0 ? random.nextInt(9) - 4 : 0;
        yield joined(changed, changed.length + lie, data);
      }
    };
  }

  private static byte[] joined(byte[] header, long length, byte[] data) {
    return ByteBuffer.allocate(Long.BYTES + header.length + data.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(length)
        .put(header)
        .put(data)
        .array();
  }
}
