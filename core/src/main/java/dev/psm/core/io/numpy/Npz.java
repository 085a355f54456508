package dev.psm.core.io.numpy;

import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Named arrays in a {@code .npz} file, as {@code np.savez} and {@code np.savez_compressed} write
 * it.
 *
 * <p>Opening checks the archive as a whole; each array is checked when it is asked for, so that one
 * array of text does not bar the numbers beside it. Whole reads verify everything, checksum
 * included, before they return anything, and are limited by {@link NpzLimits#arrayBytes}; see
 * {@link NpyRows} for streams and for what each element type may become. Zip checksums data and not
 * names: a name that was changed alike in both of its places is a name like any other, so callers
 * should ask for the names they expect. Nothing is unpacked to a disk and archives inside archives
 * are not opened. Safe for use by several threads.
 */
public final class Npz implements AutoCloseable {
  private final ByteSource source;
  private final Place place;
  private final NpzLimits limits;
  private final Map<String, ZipMember> members = new LinkedHashMap<>();
  private final Map<String, NpyHeader> headers = new ConcurrentHashMap<>();

  private Npz(ByteSource source, Place place, NpzLimits limits) {
    this.source = source;
    this.place = place;
    this.limits = limits;
    ZipDirectory.read(source, place, limits).forEach(member -> members.put(member.name(), member));
  }

  public static Npz open(Path file) {
    return open(file, NpzLimits.DEFAULT);
  }

  public static Npz open(Path file, NpzLimits limits) {
    return open(file, ByteSource.open(file), limits);
  }

  /** Closes {@code source} where the file is refused, and with itself otherwise. */
  static Npz open(Path file, ByteSource source, NpzLimits limits) {
    return Npy.unlessRefused(file, source, () -> new Npz(source, Place.of(file), limits));
  }

  /** The arrays' names, in the order of the file. */
  public Set<String> names() {
    return Collections.unmodifiableSet(members.keySet());
  }

  /** The type and shape of an array. Its data is not read, so its checksum is not verified. */
  public NpyHeader header(String name) {
    return headers.computeIfAbsent(
        name,
        key -> {
          try (ArrayBytes bytes = bytes(key)) {
            return NpyHeader.read(bytes, place.in(key));
          }
        });
  }

  public float[] floats(String name) {
    return whole(name, rows -> rows.floats(limits.arrayBytes()));
  }

  public double[] doubles(String name) {
    return whole(name, rows -> rows.doubles(limits.arrayBytes()));
  }

  /** The elements of an array of whole numbers or truth values. */
  public long[] longs(String name) {
    return whole(name, rows -> rows.longs(limits.arrayBytes()));
  }

  /** The elements of an array of truth values. */
  public boolean[] booleans(String name) {
    return whole(name, rows -> rows.booleans(limits.arrayBytes()));
  }

  /** An array row by row, from its start; to be closed before this is. */
  public NpyRows rows(String name) {
    return NpyRows.open(bytes(name), place.in(name));
  }

  @Override
  public void close() {
    Npy.close(source, place.file());
  }

  private <T> T whole(String name, Function<NpyRows, T> read) {
    try (NpyRows rows = rows(name)) {
      return read.apply(rows);
    }
  }

  private ArrayBytes bytes(String name) {
    ZipMember member = members.get(name);
    if (member == null) {
      throw UserError.invalid(
          "%s: there is no array %s among %s",
          place, Place.quote(name), members.keySet().stream().map(Place::quote).toList());
    }
    return ArrayBytes.ofMember(source, place.in(name), member);
  }
}
