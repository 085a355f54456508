package dev.psm.core.io.numpy;

import dev.psm.core.io.AtomicFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A single array in a {@code .npy} file, as {@code np.save} writes it. The file has no checksum:
 * its size and header are checked, its numbers cannot be.
 *
 * <p>Whole reads are limited by {@link NpzLimits#arrayBytes}; see {@link NpyRows} for what each
 * element type may become. Safe for use by several threads.
 */
public final class Npy implements AutoCloseable {
  private final ByteSource source;
  private final Place place;
  private final NpzLimits limits;
  private final NpyHeader header;

  private Npy(ByteSource source, Place place, NpzLimits limits) {
    this.source = source;
    this.place = place;
    this.limits = limits;
    try (ArrayBytes bytes = ArrayBytes.ofFile(source, place)) {
      this.header = NpyHeader.read(bytes, place);
    }
  }

  public static Npy open(Path file) {
    return open(file, NpzLimits.DEFAULT);
  }

  public static Npy open(Path file, NpzLimits limits) {
    return open(file, ByteSource.open(file), limits);
  }

  /** Closes {@code source} where the file is refused, and with itself otherwise. */
  static Npy open(Path file, ByteSource source, NpzLimits limits) {
    return unlessRefused(file, source, () -> new Npy(source, Place.of(file), limits));
  }

  static <T> T unlessRefused(Path file, ByteSource source, Supplier<T> opening) {
    boolean sound = false;
    try {
      T opened = opening.get();
      sound = true;
      return opened;
    } finally {
      if (!sound) {
        close(source, file);
      }
    }
  }

  public NpyHeader header() {
    return header;
  }

  public float[] floats() {
    try (NpyRows rows = rows()) {
      return rows.floats(limits.arrayBytes());
    }
  }

  public double[] doubles() {
    try (NpyRows rows = rows()) {
      return rows.doubles(limits.arrayBytes());
    }
  }

  /** The elements of an array of whole numbers or truth values. */
  public long[] longs() {
    try (NpyRows rows = rows()) {
      return rows.longs(limits.arrayBytes());
    }
  }

  /** The elements of an array of truth values. */
  public boolean[] booleans() {
    try (NpyRows rows = rows()) {
      return rows.booleans(limits.arrayBytes());
    }
  }

  /** The array row by row, from its start. */
  public NpyRows rows() {
    return NpyRows.open(ArrayBytes.ofFile(source, place), place);
  }

  @Override
  public void close() {
    close(source, place.file());
  }

  static void close(ByteSource source, Path file) {
    try {
      source.close();
    } catch (IOException e) {
      throw AtomicFiles.explain("close", file, e);
    }
  }
}
