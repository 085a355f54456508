package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Opening a dataset far larger than one would write for a benchmark. Its files have real headers
 * and real lengths of episodes, but their numbers are holes, which take no disk and read as zeros.
 */
final class DataOpening {
  /** As many as the writer gathers before it writes a chunk. */
  private static final int EPISODES_PER_CHUNK = 250;

  private static final long HOLE = 1L << 28;
  private static final int TRIES = 3;

  private final Path folder;
  private final Progress progress;

  private DataOpening(Path folder, Progress progress) {
    this.folder = folder;
    this.progress = progress;
  }

  /** Why it was not measured. */
  static final class Skipped extends Exception {
    private static final long serialVersionUID = 1L;

    Skipped(String reason) {
      super(reason);
    }
  }

  /**
   * What opening took once.
   *
   * @param seconds the files were just written, so that there is no disk to wait for
   */
  record Timing(double seconds, double cpuSeconds) {
    boolean busy() {
      return cpuSeconds / seconds < EnvContest.QUIET;
    }

    /** Wall time on a busy machine measures the others' work. */
    double judged() {
      return busy() ? cpuSeconds : seconds;
    }
  }

  /**
   * What it came to.
   *
   * @param heapBytes of the whole process after a collection, with the dataset open
   */
  record Result(
      long bytes,
      int chunks,
      int episodes,
      long transitions,
      Timing first,
      Timing again,
      long heapBytes) {}

  static Result measure(double gigabytes, Path parent, Progress progress) throws Skipped {
    try (TemporaryFolder folder = TemporaryFolder.in(parent)) {
      checkSpace(folder);
      return new DataOpening(folder.path(), progress).measure(gigabytes);
    } catch (IOException e) {
      throw AtomicFiles.explain("write", parent, e);
    }
  }

  /** The chunk that the others are shaped after is really written. */
  private static void checkSpace(TemporaryFolder folder) throws IOException, Skipped {
    long chunk = EPISODES_PER_CHUNK * (SyntheticWalker.STEPS + 1L) * SyntheticWalker.ROW_BYTES;
    long needed = HOLE + 2 * chunk;
    if (needed > folder.free()) {
      throw new Skipped(
          String.format(
              Locale.ROOT,
              "up to %.1f GB may be needed in %s, and %.1f GB are free; take another place with"
                  + " --folder",
              needed / 1e9,
              folder.path().getParent(),
              folder.free() / 1e9));
    }
    if (!keepsHoles(folder)) {
      throw new Skipped(
          "the file system of "
              + folder.path().getParent()
              + " keeps no holes, so that a large dataset would have to be written; take another"
              + " place with --folder");
    }
  }

  /** Others may fill the disk at the same moment, hence more than one try. */
  private static boolean keepsHoles(TemporaryFolder folder) throws IOException {
    Path file = folder.path().resolve("hole");
    for (int i = 0; i < TRIES; i++) {
      long before = folder.free();
      try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
        hole.setLength(HOLE);
        hole.getFD().sync();
      }
      long taken = before - folder.free();
      Files.delete(file);
      if (taken < HOLE / 2) {
        return true;
      }
    }
    return false;
  }

  private Result measure(double gigabytes) throws IOException {
    writeTemplate();
    Path template = folder.resolve(chunkName(0));
    long chunkBytes = Files.size(template);
    int chunks = (int) Math.max(1, Math.ceil(gigabytes * 1e9 / chunkBytes));
    hollow(template, chunkBytes, chunks);
    list(chunks);

    Timing first = timeOpening();
    Timing again = timeOpening();
    try (Dataset dataset = Dataset.open(folder)) {
      System.gc();
      long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      return new Result(
          chunks * chunkBytes,
          chunks,
          dataset.episodes(),
          dataset.transitions(),
          first,
          again,
          heap);
    }
  }

  private Timing timeOpening() {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long cpu = clock.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    Dataset.open(folder).close();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Timing(seconds, (clock.getCurrentThreadCpuTime() - cpu) / 1e9);
  }

  private void writeTemplate() {
    SyntheticWalker walker = new SyntheticWalker();
    try (DatasetWriter writer = DatasetWriter.create(folder, SyntheticWalker.description())) {
      for (int i = 0; i < EPISODES_PER_CHUNK; i++) {
        writer.append(walker.next(SyntheticWalker.STEPS));
      }
      writer.flush();
    }
  }

  /** Replaces the template by chunks like it that hold nothing but header and lengths. */
  private void hollow(Path template, long bytes, int chunks) throws IOException {
    byte[] header;
    byte[] lengths;
    long lengthsAt;
    try (RandomAccessFile file = new RandomAccessFile(template.toFile(), "r")) {
      byte[] size = new byte[Long.BYTES];
      file.readFully(size);
      int text = (int) ByteBuffer.wrap(size).order(ByteOrder.LITTLE_ENDIAN).getLong();
      header = new byte[Long.BYTES + text];
      file.seek(0);
      file.readFully(header);
      String json = new String(header, Long.BYTES, text, StandardCharsets.UTF_8);
      JsonNode offsets =
          Json.parse(json, template.toString()).path("episode_length").path("data_offsets");
      lengths = new byte[offsets.path(1).asInt() - offsets.path(0).asInt()];
      lengthsAt = header.length + offsets.path(0).asLong();
      file.seek(lengthsAt);
      file.readFully(lengths);
    }
    Files.delete(template);
    try (Progress.Bar bar = progress.start("hollow chunks", chunks)) {
      for (int i = 0; i < chunks; i++) {
        Path chunk = folder.resolve(chunkName(i));
        try (RandomAccessFile file = new RandomAccessFile(chunk.toFile(), "rw")) {
          file.write(header);
          file.seek(lengthsAt);
          file.write(lengths);
          file.setLength(bytes);
        }
        bar.update(i + 1, "");
      }
    }
  }

  /** Names all chunks in the manifest; their hashes are wrong, but only a check looks at them. */
  private void list(int chunks) {
    Path file = folder.resolve("dataset.json");
    ObjectNode manifest = (ObjectNode) Json.read(file);
    ArrayNode entries = (ArrayNode) manifest.path("chunks");
    ObjectNode template = (ObjectNode) entries.get(0);
    for (int i = 1; i < chunks; i++) {
      entries.add(template.deepCopy().put("file", chunkName(i)));
    }
    for (String total : new String[] {"episodes", "transitions"}) {
      manifest.put(total, chunks * manifest.path(total).asLong());
    }
    Json.write(file, manifest);
  }

  private static String chunkName(int index) {
    return "chunk-%06d.safetensors".formatted(index);
  }
}
