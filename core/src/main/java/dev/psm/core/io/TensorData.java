package dev.psm.core.io;

import dev.psm.core.UserError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A tensor as bytes: row-major, little-endian, immutable once made. This is the common ground
 * between files and whatever library computes.
 */
public final class TensorData {
  private final DType dtype;
  private final long[] shape;
  private final ByteBuffer data;

  /** Shares the remaining bytes of {@code data}, which must not change afterwards. */
  public TensorData(DType dtype, long[] shape, ByteBuffer data) {
    this.dtype = dtype;
    this.shape = shape.clone();
    this.data = data.slice().asReadOnlyBuffer();
    long bytes = Math.multiplyExact(product(shape), dtype.bytes());
    if (bytes != this.data.remaining()) {
      throw new IllegalArgumentException(
          "%s%s takes %d bytes, found %d"
              .formatted(dtype, Arrays.toString(shape), bytes, this.data.remaining()));
    }
  }

  public static TensorData of(float[] values, long... shape) {
    ByteBuffer bytes = allocate(values.length, DType.F32);
    bytes.asFloatBuffer().put(values);
    return new TensorData(DType.F32, shape, bytes);
  }

  public static TensorData of(double[] values, long... shape) {
    ByteBuffer bytes = allocate(values.length, DType.F64);
    bytes.asDoubleBuffer().put(values);
    return new TensorData(DType.F64, shape, bytes);
  }

  public static TensorData of(long[] values, long... shape) {
    ByteBuffer bytes = allocate(values.length, DType.I64);
    bytes.asLongBuffer().put(values);
    return new TensorData(DType.I64, shape, bytes);
  }

  public DType dtype() {
    return dtype;
  }

  public long[] shape() {
    return shape.clone();
  }

  /** The product of the shape: 1 for a scalar. */
  public long elementCount() {
    return product(shape);
  }

  /** A fresh little-endian view of the bytes, positioned at the first element. */
  public ByteBuffer data() {
    return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The elements of an F32 tensor. */
  public float[] floats() {
    require(DType.F32);
    float[] values = new float[data.remaining() / Float.BYTES];
    data().asFloatBuffer().get(values);
    return values;
  }

  /** The elements of an F32 tensor; a file with another type, or one not finite, is refused. */
  public float[] finiteFloats(String name, String fileName) {
    if (dtype != DType.F32) {
      throw UserError.invalid("%s: tensor '%s' has type %s, expected F32", fileName, name, dtype);
    }
    float[] values = floats();
    for (int i = 0; i < values.length; i++) {
      if (!Float.isFinite(values[i])) {
        throw UserError.invalid(
            "%s: tensor '%s': expected finite numbers, found %s as element %d of %s; the file is"
                + " damaged, or of a training that diverged",
            fileName, name, values[i], i, Arrays.toString(shape));
      }
    }
    return values;
  }

  /** Whether no element is a NaN or an infinity. */
  public boolean isFinite() {
    if (dtype == DType.F32) {
      for (float value : floats()) {
        if (!Float.isFinite(value)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The elements of an F64 tensor. */
  public double[] doubles() {
    require(DType.F64);
    double[] values = new double[data.remaining() / Double.BYTES];
    data().asDoubleBuffer().get(values);
    return values;
  }

  /** The elements of an I64 tensor. */
  public long[] longs() {
    require(DType.I64);
    long[] values = new long[data.remaining() / Long.BYTES];
    data().asLongBuffer().get(values);
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorData that
        && dtype == that.dtype
        && Arrays.equals(shape, that.shape)
        && data.equals(that.data);
  }

  @Override
  public int hashCode() {
    return 31 * dtype.hashCode() + Arrays.hashCode(shape) + data.hashCode();
  }

  @Override
  public String toString() {
    return dtype + Arrays.toString(shape);
  }

  /**
   * The number of elements of a shape.
   *
   * @throws ArithmeticException when a dimension is negative or the product overflows
   */
  static long product(long[] shape) {
    long product = 1;
    for (long size : shape) {
      if (size < 0) {
        throw new ArithmeticException("negative dimension " + size);
      }
      product = Math.multiplyExact(product, size);
    }
    return product;
  }

  private void require(DType wanted) {
    if (dtype != wanted) {
      throw new IllegalStateException("a tensor of " + dtype + " read as " + wanted);
    }
  }

  private static ByteBuffer allocate(int count, DType dtype) {
    return ByteBuffer.allocate(Math.multiplyExact(count, dtype.bytes()))
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
