package dev.psm.lab.importing;

import dev.psm.core.UserError;
import io.jhdf.HdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import io.jhdf.exceptions.HdfException;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** An HDF5 file read by rows, with errors that name the file and the array. */
final class Hdf5 implements AutoCloseable {
  private final Path path;
  private final HdfFile file;

  Hdf5(Path path) {
    this.path = path;
    if (!Files.isRegularFile(path)) {
      throw UserError.invalid("%s: no such file", path);
    }
    file = guarded("", () -> new HdfFile(path));
    long found = file.size();
    long expected = file.getHdfBackingStorage().getSuperblock().getEndOfFileAddress();
    if (found < expected) {
      file.close();
      throw UserError.invalid(
          "%s cannot be read as HDF5: it was cut short, at %d of %d bytes", path, found, expected);
    }
  }

  private <T> T guarded(String array, Supplier<T> work) {
    try {
      return work.get();
    } catch (HdfException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | ArithmeticException
        | NegativeArraySizeException
        | ClassCastException
        | UnsupportedOperationException
        | java.nio.BufferUnderflowException e) {
      throw UserError.invalid(
          "%s%s cannot be read as HDF5: %s; where other programs read it, write it anew in the earliest"
              + " layout (h5py: libver='earliest'), or as npz",
          path,
          array.isEmpty() ? "" : ", array " + array,
          e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }
  }

  Path path() {
    return path;
  }

  boolean has(String name) {
    return guarded(
        name,
        () -> {
          try {
            return file.getByPath(name) != null;
          } catch (io.jhdf.exceptions.HdfInvalidPathException e) {
            return false;
          }
        });
  }

  Set<String> names() {
    return guarded("", () -> file.getChildren().keySet());
  }

  /** The shape of an array; a group in its place is refused by name. */
  long[] shape(String name) {
    Dataset dataset = array(name);
    return guarded(name, () -> Arrays.stream(dataset.getDimensions()).asLongStream().toArray());
  }

  long rows(String name) {
    long[] shape = shape(name);
    if (shape.length == 0) {
      throw UserError.invalid("%s, array %s: expected rows, found a single value", path, name);
    }
    return shape[0];
  }

  /** Numbers per row. */
  int width(String name) {
    long[] shape = shape(name);
    return guarded(
        name, () -> Math.toIntExact(Arrays.stream(shape).skip(1).reduce(1, Math::multiplyExact)));
  }

  /** Whether an array holds whole numbers. */
  boolean isWhole(String name) {
    Dataset dataset = array(name);
    Class<?> type = guarded(name, dataset::getJavaType);
    return List.<Class<?>>of(byte.class, short.class, int.class, long.class).contains(type);
  }

  boolean isGroup(String name) {
    return has(name) && guarded(name, () -> file.getByPath(name)) instanceof Group;
  }

  /** What a group holds, by name. */
  Set<String> children(String name) {
    return guarded(name, () -> ((Group) file.getByPath(name)).getChildren().keySet());
  }

  /** A text that is attached to the file; empty where there is none. */
  Optional<String> attribute(String name) {
    return guarded(
        name,
        () -> {
          Attribute attribute = file.getAttributes().get(name);
          return attribute != null && attribute.getData() instanceof String text
              ? Optional.of(text)
              : Optional.empty();
        });
  }

  private Dataset array(String name) {
    if (!has(name)) {
      throw UserError.invalid("%s has no array '%s', found %s", path, name, names());
    }
    Node node = guarded(name, () -> file.getByPath(name));
    if (node instanceof Dataset dataset) {
      return dataset;
    }
    throw UserError.invalid(
        "%s, %s: expected an array, found a group; of dictionaries, only Minari's observations are"
            + " read: flatten it first",
        path, name);
  }

  /** Rows {@code from} to {@code from + count}, flattened. */
  double[] doubles(String name, long from, int count) {
    Dataset dataset = array(name);
    int[] size = dataset.getDimensions().clone();
    long[] offset = new long[size.length];
    offset[0] = from;
    size[0] = count;
    double[] values = new double[Math.multiplyExact(count, width(name))];
    Object data = guarded(name, () -> dataset.getData(offset, size));
    int filled = flatten(name, data, values, 0);
    if (filled != values.length) {
      throw UserError.invalid(
          "%s, array %s: expected %d numbers, found %d", path, name, values.length, filled);
    }
    return values;
  }

  float[] floats(String name, long from, int count) {
    double[] doubles = doubles(name, from, count);
    float[] floats = new float[doubles.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) doubles[i];
    }
    return floats;
  }

  private int flatten(String name, Object data, double[] into, int at) {
    int length = Array.getLength(data);
    int next = at;
    for (int i = 0; i < length; i++) {
      if (data instanceof Object[] nested && nested[i] != null && nested[i].getClass().isArray()) {
        next = flatten(name, nested[i], into, next);
        continue;
      }
      if (next >= into.length) {
        return next + 1;
      }
      Object value = Array.get(data, i);
      if (value instanceof Number number) {
        into[next++] = number.doubleValue();
      } else if (value instanceof Boolean truth) {
        into[next++] = truth ? 1 : 0;
      } else if ("TRUE".equals(value) || "FALSE".equals(value)) {
        // How h5py stores truth values: as an enumeration of these two.
        into[next++] = "TRUE".equals(value) ? 1 : 0;
      } else {
        throw UserError.invalid("%s, array %s: expected numbers, found %s", path, name, value);
      }
    }
    return next;
  }

  @Override
  public void close() {
    file.close();
  }
}
