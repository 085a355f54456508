package dev.psm.torch;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * A matrix in double precision that stays in libtorch's memory, to multiply arrays by: for sums
 * over many states, where Java's own loops would take most of the time.
 *
 * <p>Any number of threads may multiply by it, until it is closed.
 */
public final class DoubleMatrix implements AutoCloseable {
  private final int rows;
  private final int columns;
  private final Tensor values;

  private DoubleMatrix(Tensor values) {
    this.values = values.retainReference();
    this.rows = Math.toIntExact(values.size(0));
    this.columns = Math.toIntExact(values.size(1));
  }

  /**
   * @param values row by row
   */
  public static DoubleMatrix of(float[] values, int columns) {
    try (PointerScope scope = new PointerScope()) {
      return new DoubleMatrix(
          Tensors.floats(values, -1, columns).to(torch.ScalarType.Double).contiguous());
    }
  }

  /**
   * @param values row by row
   */
  public static DoubleMatrix of(double[] values, int columns) {
    try (PointerScope scope = new PointerScope()) {
      return new DoubleMatrix(tensor(values, values.length / columns, columns));
    }
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /**
   * The product of another matrix and this one, A M.
   *
   * @param left row by row: count × {@link #rows}
   * @return count × {@link #columns}
   */
  public double[] timesLeft(double[] left, int count) {
    try (PointerScope inner = new PointerScope()) {
      return Tensors.toDoubles(tensor(left, count, rows).matmul(values));
    }
  }

  /** MᵀM: {@link #columns} × {@link #columns}. */
  public double[] gram() {
    try (PointerScope inner = new PointerScope()) {
      return Tensors.toDoubles(values.t().matmul(values));
    }
  }

  private static Tensor tensor(double[] values, int rows, int columns) {
    TensorOptions options =
        new TensorOptions().dtype(new ScalarTypeOptional(torch.ScalarType.Double));
    Tensor tensor = torch.empty(new long[] {rows, columns}, options, new MemoryFormatOptional());
    new DoublePointer(tensor.data_ptr()).put(values, 0, rows * columns);
    return tensor;
  }

  @Override
  public void close() {
    values.close();
  }
}
