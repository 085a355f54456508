package dev.psm.torch;

import org.bytedeco.pytorch.Tensor;

/**
 * One of several equal parts of a tensor's first axis: what belongs to one seed where the networks
 * of many seeds train side by side.
 *
 * @param index which part
 * @param count how many there are
 */
public record Slice(int index, int count) {
  public static final Slice WHOLE = new Slice(0, 1);

  public Slice {
    if (index < 0 || index >= count) {
      throw new IllegalArgumentException("slice " + index + " of " + count);
    }
  }

  /** A view, so that writing to it writes to the tensor. */
  public Tensor of(Tensor tensor) {
    if (count == 1) {
      return tensor;
    }
    long size = tensor.size(0) / count;
    if (size * count != tensor.size(0)) {
      throw new IllegalArgumentException(
          "a first axis of %d does not fall into %d parts".formatted(tensor.size(0), count));
    }
    return tensor.narrow(0, index * size, size);
  }
}
