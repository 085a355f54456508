package dev.psm.core.data;

import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import java.io.IOException;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One file of a dataset, mapped into memory. Opening reads its header and its list of episodes and
 * compares both with the manifest; the rows stay on disk until someone asks for them.
 *
 * <p>Only absolute reads are used, so any number of threads may read at once.
 */
final class Chunk {
  private final FloatBuffer observation;
  private final FloatBuffer action;
  private final FloatBuffer discount;
  private final DoubleBuffer physics;
  private final Map<String, FloatBuffer> extras = new HashMap<>();
  private final long[] lengths;

  private Chunk(Map<String, TensorData> tensors, Columns columns) {
    observation = floats(tensors, Columns.OBSERVATION);
    action = floats(tensors, Columns.ACTION);
    discount = floats(tensors, Columns.DISCOUNT);
    physics =
        columns.physics() == 0
            ? DoubleBuffer.allocate(0)
            : tensors.get(Columns.PHYSICS).data().asDoubleBuffer();
    columns.extras().keySet().forEach(name -> extras.put(name, floats(tensors, name)));
    lengths = tensors.get(Columns.EPISODE_LENGTH).longs();
  }

  static List<Chunk> openAll(Path folder, Manifest manifest) {
    List<Chunk> chunks = new ArrayList<>();
    for (Manifest.ChunkEntry entry : manifest.chunks()) {
      chunks.add(open(folder, entry, manifest.description().columns()));
    }
    return chunks;
  }

  /** Opens a file; one that is not as the manifest says was damaged after it had been written. */
  static Chunk open(Path folder, Manifest.ChunkEntry entry, Columns columns) {
    try {
      return openSound(folder, entry, columns);
    } catch (UserError e) {
      throw UserError.failed(e, "%s", e.getMessage());
    }
  }

  private static Chunk openSound(Path folder, Manifest.ChunkEntry entry, Columns columns) {
    Path file = folder.resolve(entry.stored().file());
    checkLength(file, entry.stored().bytes());
    Map<String, TensorData> tensors = Safetensors.map(file).tensors();
    Set<String> names = new TreeSet<>(tensors.keySet());
    for (Column column : columns.stored()) {
      check(file, tensors, column.name(), column.dtype(), column.shape(entry.rows()));
      names.remove(column.name());
    }
    check(file, tensors, Columns.EPISODE_LENGTH, DType.I64, entry.episodes());
    names.remove(Columns.EPISODE_LENGTH);
    if (!names.isEmpty()) {
      throw UserError.invalid("%s holds %s, which %s does not list", file, names, Manifest.NAME);
    }
    Chunk chunk = new Chunk(tensors, columns);
    chunk.checkEpisodes(file, entry);
    return chunk;
  }

  FloatBuffer observation() {
    return observation;
  }

  FloatBuffer action() {
    return action;
  }

  FloatBuffer discount() {
    return discount;
  }

  DoubleBuffer physics() {
    return physics;
  }

  FloatBuffer extra(String name) {
    return extras.get(name);
  }

  /** Transitions of each episode. */
  long[] lengths() {
    return lengths;
  }

  /** An episode by the place of its first row in this chunk. */
  Episode episode(int firstRow, int rows, Columns columns) {
    Map<String, float[]> further = new HashMap<>();
    columns
        .extras()
        .forEach((name, width) -> further.put(name, copy(extra(name), firstRow, rows, width)));
    double[] states = new double[rows * columns.physics()];
    physics.get(firstRow * columns.physics(), states);
    return new Episode(
        copy(observation, firstRow, rows, columns.observation()),
        copy(action, firstRow, rows, columns.action()),
        copy(discount, firstRow, rows, 1),
        states,
        further);
  }

  private static float[] copy(FloatBuffer column, int firstRow, int rows, int width) {
    float[] values = new float[rows * width];
    column.get(firstRow * width, values);
    return values;
  }

  private static FloatBuffer floats(Map<String, TensorData> tensors, String name) {
    return tensors.get(name).data().asFloatBuffer();
  }

  private static void checkLength(Path file, long expected) {
    if (!Files.exists(file)) {
      throw UserError.invalid(
          "%s is missing, and %s lists it; copy the dataset again", file, Manifest.NAME);
    }
    long found;
    try {
      found = Files.size(file);
    } catch (IOException e) {
      throw UserError.failed(e, "cannot read %s: %s", file, e.getMessage());
    }
    if (found != expected) {
      throw UserError.invalid(
          "%s has %d bytes, and %s says %d; it was cut short or changed: copy it again",
          file, found, Manifest.NAME, expected);
    }
  }

  private static void check(
      Path file, Map<String, TensorData> tensors, String name, DType dtype, long... shape) {
    TensorData tensor = tensors.get(name);
    if (tensor == null) {
      throw UserError.invalid(
          "%s has no '%s', which %s lists; it holds %s",
          file, name, Manifest.NAME, tensors.keySet());
    }
    if (tensor.dtype() != dtype || !Arrays.equals(tensor.shape(), shape)) {
      throw UserError.invalid(
          "%s: '%s' is %s, and by %s should be %s%s",
          file, name, tensor, Manifest.NAME, dtype, Arrays.toString(shape));
    }
  }

  private void checkEpisodes(Path file, Manifest.ChunkEntry entry) {
    long rows = 0;
    for (int episode = 0; episode < lengths.length; episode++) {
      if (lengths[episode] < 1 || lengths[episode] >= entry.rows()) {
        throw UserError.invalid(
            "%s: episode %d of the chunk has %d transitions, expected 1 to %d",
            file, episode, lengths[episode], entry.rows() - 1);
      }
      rows += lengths[episode] + 1;
    }
    if (rows != entry.rows()) {
      throw UserError.invalid(
          "%s: its episodes have %d rows together, and %s says %d",
          file, rows, Manifest.NAME, entry.rows());
    }
  }
}
