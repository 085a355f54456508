package dev.psm.core.io;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Named tensors in one file, in the <a
 * href="https://github.com/huggingface/safetensors">safetensors</a> format: eight bytes of header
 * length, a JSON header, the data.
 *
 * <p>The format has no checksum, and a flipped bit in a weight would pass unseen. {@link #write}
 * therefore adds two to the metadata, which other readers ignore: {@code psm.sha256} of the data
 * and {@code psm.headerSha256} of everything else. Where one is present both are verified, so that
 * damage to either key is caught by the other. Neither is shown in {@link Contents#metadata()}.
 */
public final class Safetensors {
  static final String DATA_HASH = "psm.sha256";
  static final String HEADER_HASH = "psm.headerSha256";
  static final int MAX_HEADER_BYTES = 100_000_000;
  private static final int ALIGNMENT = 8;

  private Safetensors() {}

  /** What a file holds; tensors keep the order of the header. */
  public record Contents(Map<String, TensorData> tensors, Map<String, String> metadata) {
    public Contents {
      tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
      metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /** The tensor of that name, or an error that lists what there is. */
    public TensorData require(String name) {
      TensorData tensor = tensors.get(name);
      if (tensor == null) {
        throw UserError.invalid("there is no tensor \"%s\" among %s", name, tensors.keySet());
      }
      return tensor;
    }
  }

  /**
   * Writes atomically; the data starts at a multiple of 8 and every tensor is aligned to itself.
   *
   * @return the SHA-256 of the whole file
   */
  @CanIgnoreReturnValue
  public static String write(
      Path file, Map<String, TensorData> tensors, Map<String, String> metadata) {
    if (metadata.containsKey(DATA_HASH) || metadata.containsKey(HEADER_HASH)) {
      throw new IllegalArgumentException("the checksums in the metadata are the writer's to give");
    }
    Map<String, SafetensorsHeader.Entry> entries = layOut(tensors);
    MessageDigest digest = Hashes.newSha256();
    for (String name : inDataOrder(entries)) {
      digest.update(tensors.get(name).data());
    }
    byte[] header = header(entries, metadata, Hashes.hex(digest));
    MessageDigest whole = Hashes.newSha256();
    AtomicFiles.write(
        file,
        plain -> {
          OutputStream out = new DigestOutputStream(plain, whole);
          out.write(
              ByteBuffer.allocate(Long.BYTES)
                  .order(ByteOrder.LITTLE_ENDIAN)
                  .putLong(header.length)
                  .array());
          out.write(header);
          WritableByteChannel channel = Channels.newChannel(out);
          for (String name : inDataOrder(entries)) {
            channel.write(tensors.get(name).data());
          }
        });
    return Hashes.hex(whole);
  }

  /** The bytes of the file that {@link #write} would make. */
  public static long size(Map<String, TensorData> tensors, Map<String, String> metadata) {
    Map<String, SafetensorsHeader.Entry> entries = layOut(tensors);
    long data = entries.values().stream().mapToLong(entry -> entry.end() - entry.begin()).sum();
    String anyHash = Hashes.sha256();
    return Long.BYTES + header(entries, metadata, anyHash).length + data;
  }

  private static byte[] header(
      Map<String, SafetensorsHeader.Entry> entries, Map<String, String> metadata, String dataHash) {
    Map<String, String> stored = new LinkedHashMap<>(metadata);
    stored.put(DATA_HASH, dataHash);
    stored.put(HEADER_HASH, headerHash(entries, stored));
    return padded(new SafetensorsHeader(entries, stored).toJson());
  }

  /** Reads and verifies everything before returning anything. */
  public static Contents read(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(file, channel, channel.size());
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  /**
   * Maps a file of up to 2 GiB instead of reading it: the tensors are views of the operating
   * system's cache, which may be larger than memory. The header is checked as {@link #read} does;
   * the data is not, since that would read all of it.
   *
   * <p>The mapping ends when nothing refers to its tensors any more. A file that is cut short in
   * the meantime makes an access fail with {@link InternalError}.
   */
  public static Contents map(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      SafetensorsHeader header = readHeader(file, channel, size);
      if (size > Integer.MAX_VALUE) {
        throw UserError.invalid("%s has %d bytes; up to 2 GiB can be mapped", file, size);
      }
      int start = (int) channel.position();
      ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
      Map<String, TensorData> tensors = new LinkedHashMap<>();
      header
          .entries()
          .forEach(
              (name, entry) -> {
                int begin = start + (int) entry.begin();
                ByteBuffer data = mapped.slice(begin, (int) (entry.end() - entry.begin()));
                tensors.put(name, new TensorData(entry.dtype(), entry.shape(), data));
              });
      Map<String, String> metadata = new LinkedHashMap<>(header.metadata());
      metadata.keySet().removeAll(List.of(DATA_HASH, HEADER_HASH));
      return new Contents(tensors, metadata);
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  static Contents read(Path file, ReadableByteChannel channel, long size) throws IOException {
    return readData(file, channel, readHeader(file, channel, size));
  }

  private static SafetensorsHeader readHeader(Path file, ReadableByteChannel channel, long size)
      throws IOException {
    if (size < Long.BYTES) {
      throw damaged(file, "it has %d bytes, fewer than the 8 of the header length", size);
    }
    long headerLength = fill(file, channel, Long.BYTES).getLong();
    if (headerLength < 0 || headerLength > MAX_HEADER_BYTES) {
      throw damaged(
          file,
          "it announces a header of %s bytes, more than the %d allowed",
          Long.toUnsignedString(headerLength),
          MAX_HEADER_BYTES);
    }
    if (headerLength > size - Long.BYTES) {
      throw damaged(
          file,
          "it announces a header of %d bytes and has only %d after the length",
          headerLength,
          size - Long.BYTES);
    }
    byte[] text = fill(file, channel, (int) headerLength).array();
    long dataBytes = size - Long.BYTES - headerLength;
    return SafetensorsHeader.parse(text, dataBytes, file);
  }

  @FormatMethod
  static UserError damaged(Path file, String message, Object... arguments) {
    return UserError.invalid(
        "%s is not a sound safetensors file: %s", file, message.formatted(arguments));
  }

  private static Contents readData(Path file, ReadableByteChannel channel, SafetensorsHeader header)
      throws IOException {
    Map<String, SafetensorsHeader.Entry> entries = header.entries();
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    entries.keySet().forEach(name -> tensors.put(name, null));
    MessageDigest digest = Hashes.newSha256();
    for (String name : inDataOrder(entries)) {
      SafetensorsHeader.Entry entry = entries.get(name);
      ByteBuffer bytes = fill(file, channel, (int) (entry.end() - entry.begin()));
      digest.update(bytes.duplicate());
      tensors.put(name, new TensorData(entry.dtype(), entry.shape(), bytes));
    }
    Map<String, String> metadata = new LinkedHashMap<>(header.metadata());
    String headerHash = metadata.remove(HEADER_HASH);
    if (metadata.containsKey(DATA_HASH) || headerHash != null) {
      boolean headerIntact = headerHash(entries, metadata).equals(headerHash);
      boolean dataIntact = Hashes.hex(digest).equals(metadata.remove(DATA_HASH));
      if (!headerIntact || !dataIntact) {
        throw damaged(
            file,
            "its %s does not match its checksum, so it was damaged or edited; copy it again, or"
                + " drop the metadata \"%s\" and \"%s\" to read it unverified",
            headerIntact ? "data" : "header",
            DATA_HASH,
            HEADER_HASH);
      }
    }
    return new Contents(tensors, metadata);
  }

  /** Wide elements first, as the reference does: without holes, that aligns every tensor. */
  private static Map<String, SafetensorsHeader.Entry> layOut(Map<String, TensorData> tensors) {
    List<String> names = new ArrayList<>(tensors.keySet());
    names.sort(
        Comparator.comparingInt((String name) -> tensors.get(name).dtype().bytes()).reversed());
    Map<String, SafetensorsHeader.Entry> entries = new LinkedHashMap<>();
    tensors.keySet().forEach(name -> entries.put(name, null));
    long offset = 0;
    for (String name : names) {
      TensorData tensor = tensors.get(name);
      long end = offset + tensor.data().remaining();
      entries.put(name, new SafetensorsHeader.Entry(tensor.dtype(), tensor.shape(), offset, end));
      offset = end;
    }
    return entries;
  }

  private static List<String> inDataOrder(Map<String, SafetensorsHeader.Entry> entries) {
    List<String> names = new ArrayList<>(entries.keySet());
    names.sort(
        Comparator.comparingLong((String name) -> entries.get(name).begin())
            .thenComparingLong(name -> entries.get(name).end()));
    return names;
  }

  private static String headerHash(
      Map<String, SafetensorsHeader.Entry> entries, Map<String, String> metadata) {
    String canonical = new SafetensorsHeader(entries, new TreeMap<>(metadata)).toJson();
    return Hashes.sha256(canonical.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] padded(String header) {
    byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
    int length = (bytes.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (length > MAX_HEADER_BYTES) {
      throw new IllegalArgumentException("a header of " + length + " bytes is too long");
    }
    ByteBuffer padded = ByteBuffer.allocate(length).put(bytes);
    while (padded.hasRemaining()) {
      padded.put((byte) ' ');
    }
    return padded.array();
  }

  private static ByteBuffer fill(Path file, ReadableByteChannel channel, int length)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw damaged(file, "it became shorter while it was read");
      }
    }
    return buffer.flip();
  }
}
