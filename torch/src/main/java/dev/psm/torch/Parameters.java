package dev.psm.torch;

import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Named tensors that train, average and are saved together.
 *
 * <p>They outlive any {@link PointerScope} that is open when they are made: each is retained, and
 * freed when it becomes unreachable, or at once by {@link #close}.
 */
public final class Parameters implements AutoCloseable {
  static {
    NativeLibraries.prepare();
  }

  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Map<String, Tensor> rounded = new LinkedHashMap<>();
  private final Device device;
  private TensorVector vector;
  private IValue list;

  public Parameters() {
    this(Device.CPU);
  }

  public Parameters(Device device) {
    this.device = device;
  }

  public Device device() {
    return device;
  }

  /** Adds a trainable tensor; its values are copied. */
  public Parameters add(String name, Tensor initial) {
    if (tensors.containsKey(name)) {
      throw new IllegalArgumentException("parameter " + name + " exists");
    }
    try (PointerScope scope = new PointerScope()) {
      Tensor placed = device.place(initial.detach().clone());
      tensors.put(name, placed.set_requires_grad(true).retainReference());
    }
    vector = null;
    list = null;
    return this;
  }

  public Tensor get(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no parameter " + name + " among " + tensors.keySet());
    }
    return tensor;
  }

  /**
   * A tensor as a factor of products: rounded where the device's precision wants that. The rounded
   * copy follows whatever changes the tensors through this class and {@link Adam}.
   */
  Tensor factor(String name) {
    if (device.precision() != Precision.BFLOAT16) {
      return get(name);
    }
    return rounded.computeIfAbsent(
        name,
        key -> {
          try (PointerScope scope = new PointerScope()) {
            return get(key).detach().to(torch.ScalarType.BFloat16).retainReference();
          }
        });
  }

  /** The rounded copy of a tensor, or null where none was ever wanted. */
  Tensor rounded(String name) {
    return rounded.get(name);
  }

  private void round() {
    rounded.forEach((name, copy) -> copy.copy_(get(name)));
  }

  public Map<String, Tensor> asMap() {
    return java.util.Collections.unmodifiableMap(tensors);
  }

  /** All tensors in the order they were added. */
  public TensorVector vector() {
    if (vector == null) {
      vector = new TensorVector(tensors.values().toArray(new Tensor[0])).retainReference();
    }
    return vector;
  }

  IValue list() {
    if (list == null) {
      list = Operators.list(vector()).retainReference();
    }
    return list;
  }

  /** Number of scalars. */
  public long count() {
    return tensors.values().stream().mapToLong(Tensor::numel).sum();
  }

  /** A copy for use as a target: it takes no gradient and moves only by {@link #averageTowards}. */
  public Parameters targetCopy() {
    Parameters copy = new Parameters(device);
    try (PointerScope scope = new PointerScope()) {
      tensors.forEach(
          (name, tensor) -> copy.tensors.put(name, tensor.detach().clone().retainReference()));
    }
    return copy;
  }

  /**
   * These, if they are on that device; else trainable tensors there that begin with their values.
   */
  public Parameters on(Device other) {
    if (other == device) {
      return this;
    }
    Parameters copy = new Parameters(other);
    tensors.forEach(copy::add);
    return copy;
  }

  /** Takes the values of tensors of the same names and shapes, from whatever device. */
  public void copyFrom(Parameters other) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      tensors.forEach((name, tensor) -> tensor.copy_(other.get(name)));
      round();
    }
  }

  /** Polyak averaging: this ← rate · online + (1 − rate) · this. */
  public void averageTowards(Parameters online, double rate) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Operators.lerp(list(), online.list(), rate);
      round();
    }
  }

  /** Copies out every tensor under its name with a prefix, for a file. */
  public void export(String prefix, Map<String, TensorData> into) {
    export(prefix, into, Slice.WHOLE);
  }

  public void export(String prefix, Map<String, TensorData> into, Slice slice) {
    try (PointerScope scope = new PointerScope()) {
      tensors.forEach((name, tensor) -> into.put(prefix + name, Tensors.toData(slice.of(tensor))));
    }
  }

  /** Takes every tensor from a file's; a missing one, another shape or type is refused by name. */
  public void load(String prefix, Map<String, TensorData> from, String fileName) {
    load(prefix, from, fileName, Slice.WHOLE);
  }

  public void load(String prefix, Map<String, TensorData> from, String fileName, Slice slice) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      tensors.forEach((name, tensor) -> load(slice.of(tensor), prefix + name, from, fileName));
      round();
    }
  }

  static void load(Tensor tensor, String name, Map<String, TensorData> from, String fileName) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      long[] shape = tensor.sizes().vec().get();
      TensorData data = require(name, shape, from, fileName);
      tensor.copy_(Tensors.floats(data.finiteFloats(name, fileName), shape));
    }
  }

  /**
   * Refuses a file's tensors by name unless they have these shapes. Where the shapes come from a
   * file as well, this must come before anything of their size is allocated.
   */
  public static void require(
      Map<String, long[]> shapes, Map<String, TensorData> from, String fileName) {
    shapes.forEach((name, shape) -> require(name, shape, from, fileName));
  }

  private static TensorData require(
      String name, long[] shape, Map<String, TensorData> from, String fileName) {
    TensorData data = from.get(name);
    if (data == null) {
      throw UserError.invalid("%s: tensor '%s' is missing", fileName, name);
    }
    if (!Arrays.equals(data.shape(), shape)) {
      throw UserError.invalid(
          "%s: tensor '%s' has shape %s, expected %s",
          fileName, name, Arrays.toString(data.shape()), Arrays.toString(shape));
    }
    if (data.dtype() != DType.F32) {
      throw UserError.invalid(
          "%s: tensor '%s' has type %s, expected F32", fileName, name, data.dtype());
    }
    return data;
  }

  /** Frees the tensors now; the garbage collector cannot see how much memory they hold. */
  @Override
  public void close() {
    if (list != null) {
      list.close();
    }
    if (vector != null) {
      vector.close();
    }
    tensors.values().forEach(Tensor::close);
    rounded.values().forEach(Tensor::close);
    tensors.clear();
    rounded.clear();
    vector = null;
    list = null;
  }
}
