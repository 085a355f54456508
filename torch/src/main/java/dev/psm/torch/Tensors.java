package dev.psm.torch;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.DoubleArrayRef;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Arrays into tensors and back, and the few operations that the bindings make clumsy. */
public final class Tensors {
  static {
    NativeLibraries.prepare();
  }

  static final double MIN_NORM = 1e-12;

  private Tensors() {}

  /** Does some work and frees every tensor that it made and did not retain. */
  public static void scoped(Runnable work) {
    try (PointerScope scope = new PointerScope()) {
      work.run();
    }
  }

  /** Whether it holds neither a NaN nor an infinity. */
  public static boolean isFinite(Tensor tensor) {
    try (PointerScope scope = new PointerScope()) {
      return tensor.isfinite().all().item_bool();
    }
  }

  /** A copy; one size may be −1 and follows from the others. */
  public static Tensor floats(float[] values, long... shape) {
    // The view keeps the memory; the flat handle would linger until the garbage collector ran.
    try (Tensor flat = torch.empty(values.length)) {
      new FloatPointer(flat.data_ptr()).put(values);
      return flat.view(shape);
    }
  }

  public static Tensor floats(double[] values, long... shape) {
    float[] narrowed = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      narrowed[i] = (float) values[i];
    }
    return floats(narrowed, shape);
  }

  /** In double precision. */
  public static Tensor doubles(double[] values, long... shape) {
    try (DoublePointer pointer = new DoublePointer(values)) {
      return torch.tensor(new DoubleArrayRef(pointer, values.length)).view(shape);
    }
  }

  /** Rows of equal length as one matrix. */
  public static Tensor matrix(double[][] rows) {
    double[] flat = new double[rows.length * rows[0].length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, flat, i * rows[0].length, rows[0].length);
    }
    return floats(flat, rows.length, rows[0].length);
  }

  public static Tensor longs(long[] values, long... shape) {
    try (Tensor flat = torch.tensor(values)) {
      return flat.view(shape);
    }
  }

  public static Tensor longs(int[] values, long... shape) {
    long[] widened = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      widened[i] = values[i];
    }
    return longs(widened, shape);
  }

  /** Independent standard normal draws. */
  public static Tensor gaussian(RandomGenerator random, long... shape) {
    double count = 1;
    for (long size : shape) {
      count *= size;
    }
    if (count > Integer.MAX_VALUE) {
      throw UserError.invalid(
          "a tensor of shape %s has more than %d numbers; choose smaller settings",
          Arrays.toString(shape), Integer.MAX_VALUE);
    }
    float[] values = new float[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return floats(values, shape);
  }

  public static float[] toFloats(Tensor tensor) {
    try (PointerScope scope = new PointerScope()) {
      Tensor contiguous = tensor.detach().cpu().contiguous();
      float[] values = new float[Math.toIntExact(contiguous.numel())];
      new FloatPointer(contiguous.data_ptr()).get(values);
      return values;
    }
  }

  public static long[] toLongs(Tensor tensor) {
    try (PointerScope scope = new PointerScope()) {
      Tensor contiguous = tensor.cpu().contiguous();
      long[] values = new long[Math.toIntExact(contiguous.numel())];
      new LongPointer(contiguous.data_ptr()).get(values);
      return values;
    }
  }

  public static double[] toDoubles(Tensor tensor) {
    try (PointerScope scope = new PointerScope()) {
      Tensor contiguous = tensor.detach().cpu().to(torch.ScalarType.Double).contiguous();
      double[] values = new double[Math.toIntExact(contiguous.numel())];
      new DoublePointer(contiguous.data_ptr()).get(values);
      return values;
    }
  }

  /** Of floats or whole numbers. */
  public static TensorData toData(Tensor tensor) {
    long[] shape = tensor.sizes().vec().get();
    return tensor.scalar_type().intern() == torch.ScalarType.Long
        ? TensorData.of(toLongs(tensor), shape)
        : TensorData.of(toFloats(tensor), shape);
  }

  public static Scalar scalar(double value) {
    return new Scalar(value);
  }

  /** A whole number, which keeps integer tensors integers. */
  public static Scalar whole(long value) {
    return new Scalar(value);
  }

  /** Gradients of a scalar loss, one per input and in their order. */
  public static TensorVector gradients(Tensor loss, TensorVector inputs) {
    return torch.grad(new TensorVector(loss), inputs);
  }

  /** Gradients of a scalar loss for several groups of parameters, one vector per group. */
  public static TensorVector[] gradients(Tensor loss, Parameters... groups) {
    TensorVector all = new TensorVector();
    for (Parameters group : groups) {
      group.asMap().values().forEach(all::push_back);
    }
    TensorVector flat = gradients(loss, all);
    TensorVector[] grouped = new TensorVector[groups.length];
    long next = 0;
    for (int i = 0; i < groups.length; i++) {
      grouped[i] = new TensorVector();
      for (long j = 0; j < groups[i].vector().size(); j++) {
        grouped[i].push_back(Handles.at(flat, next++));
      }
    }
    return grouped;
  }

  /** The L2 head: √d · x / ‖x‖ along the last axis. */
  public static Tensor onSphere(Tensor x) {
    if (x.is_cuda() && !x.requires_grad() && x.scalar_type().intern() == torch.ScalarType.Float) {
      return CudaRows.onSphere(x);
    }
    long d = x.size(x.dim() - 1);
    return x.div(norms(x)).mul(scalar(Math.sqrt((double) d)));
  }

  /** The gradient by x of {@link #onSphere}, from that by its result: what is along x goes. */
  public static Tensor backFromSphere(Tensor x, Tensor gradient) {
    if (x.is_cuda()) {
      return CudaRows.backFromSphere(x, gradient);
    }
    Tensor inverse = norms(x).reciprocal();
    Tensor unit = x.mul(inverse);
    Tensor along = unit.mul(gradient).sum(-1).unsqueeze(-1);
    double root = Math.sqrt((double) x.size(x.dim() - 1));
    return gradient.sub(unit.mul_(along)).mul_(inverse.mul_(scalar(root)));
  }

  /**
   * The gradient of a function of a tensor, which libtorch finds.
   *
   * @param at where; taken as a constant
   * @param loss its sum is what is differentiated
   */
  public static Tensor gradient(Tensor at, UnaryOperator<Tensor> loss) {
    try (AutoGradMode on = new AutoGradMode(true)) {
      Tensor leaf = at.detach().set_requires_grad(true);
      return Handles.at(gradients(loss.apply(leaf).sum(), new TensorVector(leaf)), 0);
    }
  }

  /** ‖x‖ along the last axis, kept as an axis of length 1 and bounded away from zero. */
  public static Tensor norms(Tensor x) {
    return x.norm(new ScalarOptional(scalar(2)), new long[] {-1}, true).clamp_min(scalar(MIN_NORM));
  }

  /**
   * The inverse of a symmetric, positive definite matrix. On a GPU it can be recorded, which the
   * libraries' ways with a look at their result cannot.
   */
  public static Tensor inverse(Tensor matrix) {
    return matrix.is_cuda() ? CudaRows.inverse(matrix) : torch.linalg_inv(matrix);
  }

  /**
   * The pseudo-inverse of a symmetric matrix. libtorch's fails on one that is not finite, which
   * comes of weights that are not, or are too large.
   */
  public static Tensor pseudoInverse(Tensor matrix, double smallest) {
    if (!isFinite(matrix)) {
      throw UserError.invalid(
          "the features are not finite numbers, so no reward can be solved: the model is damaged,"
              + " or its training diverged; train it again");
    }
    return torch.linalg_pinv(matrix, smallest, true);
  }

  /**
   * exp of the entropy of the normalised squared singular values of a tall matrix: how many of its
   * columns' dimensions are really in use. NaN for a matrix that is not finite.
   */
  public static double effectiveRank(Tensor matrix) {
    Tensor gram = matrix.t().matmul(matrix);
    if (!Double.isFinite(gram.sum().item_double())) {
      return Double.NaN;
    }
    Tensor energy = torch.linalg_eigvalsh(gram).clamp_min(scalar(0));
    Tensor share = energy.div(energy.sum().clamp_min(scalar(1e-30)));
    return Math.exp(share.mul(share.clamp_min(scalar(1e-30)).log()).sum().neg().item_double());
  }
}
