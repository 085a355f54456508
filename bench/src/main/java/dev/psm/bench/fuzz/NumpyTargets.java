package dev.psm.bench.fuzz;

import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.numpy.Npy;
import dev.psm.core.io.numpy.NpyHeader;
import dev.psm.core.io.numpy.NpyRows;
import dev.psm.core.io.numpy.Npz;
import dev.psm.core.io.numpy.NpzLimits;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.lab.run.PromptFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** NumPy's files: damaged archives, damaged arrays in sound archives, and arrays by themselves. */
final class NumpyTargets {
  private static final World MAZE = Worlds.named("maze");
  private static final NpzLimits LIMITS = new NpzLimits(1 << 16, 1 << 20, 64);

  private NumpyTargets() {}

  static List<FuzzTarget> in(Path folder) {
    byte[] stored = archive(NpzWriter.stored(), folder.resolve("stored.npz"));
    byte[] deflated = archive(NpzWriter.deflated(), folder.resolve("deflated.npz"));
    byte[] array = firstArray(stored);
    byte[] streamed = zip(array);
    ByteMutator arrays = new ByteMutator(array);
    Path sound = folder.resolve("sound.npz");
    FileTarget.write(sound, streamed);
    Path npy = folder.resolve("x.npy");
    FileTarget.write(npy, array);
    return List.of(
        archive("stored archive", folder.resolve("stored.npz"), stored, deflated),
        archive("deflated archive", folder.resolve("deflated.npz"), deflated, stored),
        archive("archive with descriptors", sound, streamed, stored),
        new FileTarget(
            "array in a sound archive",
            sound,
            random -> zip(arrays.apply(random)),
            NumpyTargets::readAll),
        new FileTarget("array", npy, arrays, NumpyTargets::readArray),
        new FileTarget(
            "goal in an array", npy, arrays, file -> PromptFile.demonstration(file, MAZE, 2)),
        new FileTarget(
            "samples in an archive",
            folder.resolve("stored.npz"),
            new ByteMutator(stored),
            file -> PromptFile.samples(file, MAZE)));
  }

  private static FuzzTarget archive(String name, Path file, byte[] sound, byte[] other) {
    List<String> intact = readAll(file);
    ByteMutator mutator = new ByteMutator(sound, other);
    Consumer<Path> reader =
        damaged -> {
          // No checksum covers names, but all else that is accepted must be what was written.
          if (!readAll(damaged).equals(intact)) {
            throw new IllegalStateException("a damaged archive was read as something else");
          }
        };
    return new FileTarget(name, file, random -> mutator.damage(sound, random), reader);
  }

  /** What every array holds, whatever its name. */
  private static List<String> readAll(Path file) {
    List<String> all = new ArrayList<>();
    try (Npz npz = Npz.open(file, LIMITS)) {
      for (String name : npz.names()) {
        NpyHeader header = npz.header(name);
        int values =
            header.type().isFloating()
                ? Arrays.hashCode(npz.doubles(name))
                : Arrays.hashCode(npz.longs(name));
        all.add(header + " " + values + " " + countRows(npz, name, header));
      }
    }
    Collections.sort(all);
    return all;
  }

  private static long countRows(Npz npz, String name, NpyHeader header) {
    long count = 0;
    try (NpyRows rows = npz.rows(name)) {
      double[] row = new double[(int) header.rowElements()];
      while (header.type().isFloating() && rows.read(row, 0, 1) > 0) {
        count++;
      }
    }
    return count;
  }

  private static void readArray(Path file) {
    try (Npy npy = Npy.open(file, LIMITS)) {
      if (npy.header().elements() != npy.doubles().length) {
        throw new IllegalStateException("an array has not what its header promises");
      }
    }
  }

  private static byte[] archive(NpzWriter writer, Path file) {
    int width = MAZE.observationSize();
    float[] observations = new float[2 * width];
    Arrays.fill(observations, 0.25f);
    writer
        .add("observation", observations, 2, width)
        .add("reward", new double[] {1, -2}, 2)
        .add("steps", new long[] {3})
        .add("done", new boolean[] {true, false}, 2)
        .write(file);
    return FileTarget.contents(file);
  }

  private static byte[] firstArray(byte[] archive) {
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      zip.getNextEntry();
      return zip.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As Java streams it: sizes and checksum follow the data. */
  private static byte[] zip(byte[] array) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("observation.npy"));
      zip.write(array);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
