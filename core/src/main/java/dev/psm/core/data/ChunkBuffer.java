package dev.psm.core.data;

import dev.psm.core.io.DType;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Episodes that wait in memory to become a chunk, already in the layout of the file. */
final class ChunkBuffer {
  private static final int FIRST_BYTES = 1 << 12;

  private final Map<Column, ByteBuffer> columns = new LinkedHashMap<>();
  private long[] lengths = new long[16];
  private int episodes;
  private int rows;

  ChunkBuffer(Columns described) {
    described.stored().forEach(column -> columns.put(column, allocate(FIRST_BYTES)));
  }

  int episodes() {
    return episodes;
  }

  int rows() {
    return rows;
  }

  long bytes() {
    return columns.keySet().stream().mapToLong(column -> column.bytes(rows)).sum();
  }

  void add(Episode episode) {
    // All room first: running out of memory then leaves the columns as long as one another.
    columns.replaceAll(
        (column, buffer) -> withRoom(buffer, Math.toIntExact(column.bytes(episode.rows()))));
    columns.forEach(
        (column, buffer) -> {
          if (column.dtype() == DType.F64) {
            buffer.asDoubleBuffer().put(episode.physics());
          } else {
            buffer.asFloatBuffer().put(episode.floats(column.name()));
          }
          buffer.position(buffer.position() + (int) column.bytes(episode.rows()));
        });
    if (episodes == lengths.length) {
      lengths = Arrays.copyOf(lengths, 2 * episodes);
    }
    lengths[episodes++] = episode.transitions();
    rows += episode.rows();
  }

  /** Writes all episodes as one file and returns its hash; they stay until {@link #clear}. */
  String write(Path file) {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    columns.forEach(
        (column, buffer) ->
            tensors.put(
                column.name(),
                new TensorData(column.dtype(), column.shape(rows), buffer.duplicate().flip())));
    tensors.put(Columns.EPISODE_LENGTH, TensorData.of(Arrays.copyOf(lengths, episodes), episodes));
    return Safetensors.write(file, tensors, Map.of());
  }

  void clear() {
    columns.values().forEach(ByteBuffer::clear);
    episodes = 0;
    rows = 0;
  }

  private static ByteBuffer withRoom(ByteBuffer buffer, int bytes) {
    if (buffer.remaining() >= bytes) {
      return buffer;
    }
    int needed = Math.addExact(buffer.position(), bytes);
    long doubled = Math.min(2L * buffer.capacity(), Integer.MAX_VALUE - 8);
    return allocate((int) Math.max(needed, doubled)).put(buffer.flip());
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
