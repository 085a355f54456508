package dev.psm.torch;

import dev.psm.torch.CudaKernels.Grid;
import java.util.Map;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * On a GPU: what {@link Tensors} and {@link Adam} do there in several passes over memory, in one.
 */
final class CudaRows {
  private static final CudaKernels KERNELS = new CudaKernels(CudaRows.class, "rows.cu");

  /** As in the kernels' source: how many tensors one launch takes, and words each. */
  private static final int MEMBERS = 40;

  private static final int WORDS = 8;
  private static final int ADAM_BLOCKS = 264;
  private static final int INVERSE_THREADS = 1024;

  private CudaRows() {}

  static Tensor onSphere(Tensor x) {
    Tensor rows = x.contiguous();
    Tensor y = torch.empty_like(rows);
    KERNELS.launchRows("on_sphere", count(rows), rows, y, count(rows), columns(rows));
    return y;
  }

  static Tensor backFromSphere(Tensor x, Tensor gradient) {
    Tensor rows = x.contiguous();
    Tensor before = torch.empty_like(rows);
    KERNELS.launchRows(
        "from_sphere",
        count(rows),
        rows,
        gradient.contiguous(),
        before,
        count(rows),
        columns(rows));
    return before;
  }

  /** Of a symmetric, positive definite matrix. */
  static Tensor inverse(Tensor matrix) {
    // A copy in any case: the kernel works in place.
    Tensor work =
        matrix.contiguous().to(torch.ScalarType.Double, false, true, new MemoryFormatOptional());
    int size = columns(work);
    Tensor pivots = torch.empty_like(work.narrow(0, 0, 1));
    KERNELS.launch("invert", new Grid(1, 1), new Grid(INVERSE_THREADS, 1), work, pivots, size);
    return work.to(torch.ScalarType.Float);
  }

  /**
   * Numbers side by side, for every member.
   *
   * @param a seeds × rows × numbers
   * @param b the same, or null
   */
  static void join(Tensor a, Tensor b, Tensor into, boolean rounded, int members) {
    int rows = Math.toIntExact(a.size(1));
    Tensor left = evenly(a);
    Tensor right = b == null ? null : evenly(b);
    KERNELS.launchEach(
        rounded ? "join_rounded" : "join",
        into.numel() / members,
        left,
        left.stride(1),
        columns(left),
        right,
        right == null ? 0L : right.stride(1),
        right == null ? 0 : columns(right),
        into,
        into.numel() / members,
        members,
        rows);
  }

  /** With rows evenly apart, which columns of a wider table are but what was expanded is not. */
  private static Tensor evenly(Tensor x) {
    boolean even = x.stride(2) == 1 && (x.size(0) == 1 || x.stride(0) == x.size(1) * x.stride(1));
    return even ? x : x.contiguous();
  }

  private static int count(Tensor rows) {
    return Math.toIntExact(rows.numel() / columns(rows));
  }

  private static int columns(Tensor rows) {
    return Math.toIntExact(rows.size(rows.dim() - 1));
  }

  static void adam(
      Adam adam, Gradients gradients, Tensor rate, Parameters target, double targetRate) {
    Map<String, Tensor> values = adam.parameters().asMap();
    if (values.size() > MEMBERS) {
      throw new IllegalArgumentException(values.size() + " tensors, at most " + MEMBERS);
    }
    TensorVector found = gradients.of(adam.parameters());
    long[] group = new long[MEMBERS * WORDS];
    int index = 0;
    for (Map.Entry<String, Tensor> value : values.entrySet()) {
      String name = value.getKey();
      Tensor gradient = Handles.at(found, index).contiguous();
      int at = index * WORDS;
      group[at] = CudaKernels.address(value.getValue());
      group[at + 1] = CudaKernels.address(gradient);
      group[at + 2] = CudaKernels.address(adam.first().get(index));
      group[at + 3] = CudaKernels.address(adam.second().get(index));
      group[at + 5] = CudaKernels.address(adam.parameters().rounded(name));
      if (target != null) {
        group[at + 4] = CudaKernels.address(target.get(name));
        group[at + 6] = CudaKernels.address(target.rounded(name));
      }
      group[at + 7] = value.getValue().numel();
      index++;
    }
    KERNELS.launch(
        "adam_step",
        new Grid(ADAM_BLOCKS, values.size()),
        new Grid(256, 1),
        group,
        adam.counter(),
        rate,
        (float) targetRate);
  }
}
