package dev.psm.torch;

import java.lang.ref.Reference;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * Tensors that libtorch returns several of at once, each as a handle of its own.
 *
 * <p>JavaCPP's {@code get0()} of a tuple and {@code get(i)} of a vector are addresses within it and
 * do not keep it alive: once nothing else refers to it, the collector frees it with its tensors,
 * while they are in use. So nobody but this class calls them.
 */
public final class Handles {
  private Handles() {}

  /** Of a pair, which is freed. */
  public static Tensor[] of(T_TensorTensor_T pair) {
    try (pair) {
      return new Tensor[] {new Tensor(pair.get0()), new Tensor(pair.get1())};
    }
  }

  /** Of three, which are freed as a whole. */
  public static Tensor[] of(T_TensorTensorTensor_T triple) {
    try (triple) {
      return new Tensor[] {
        new Tensor(triple.get0()), new Tensor(triple.get1()), new Tensor(triple.get2())
      };
    }
  }

  /** Of one in a vector, which stays. */
  public static Tensor at(TensorVector vector, long index) {
    try {
      return new Tensor(vector.get(index));
    } finally {
      Reference.reachabilityFence(vector);
    }
  }
}
