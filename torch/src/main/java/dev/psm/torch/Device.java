package dev.psm.torch;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/** Where tensors live, and how networks are computed there. */
public final class Device {
  public static final Device CPU = new Device("cpu", Precision.FLOAT32, new PlainLayers(), null);

  private final String name;
  private final Precision precision;
  private final Layers layers;

  /** Null for the CPU: it must not load libtorch before a GPU was asked for. */
  private final org.bytedeco.pytorch.Device gpu;

  private Device(String name, Precision precision, Layers layers, org.bytedeco.pytorch.Device gpu) {
    this.name = name;
    this.precision = precision;
    this.layers = layers;
    this.gpu = gpu;
  }

  /**
   * The first GPU. All that this thread computes from now on is put on one stream of it, so that
   * steps can be recorded.
   */
  public static Device cuda(Precision precision) {
    Cuda.start(precision);
    String name = "cuda:0";
    return new Device(
        name,
        precision,
        new CudaLayers(precision),
        new org.bytedeco.pytorch.Device(name).retainReference());
  }

  /** A GPU of another machine, to plan with: nothing is computed on it here. */
  public static Device cudaElsewhere(Precision precision) {
    return new Device("a GPU elsewhere", precision, new PlainLayers(), null);
  }

  public boolean isCuda() {
    return this != CPU;
  }

  public Precision precision() {
    return precision;
  }

  /** For provenance: "cpu", or "NVIDIA H200, tf32". */
  public String describe() {
    if (!isCuda()) {
      return "cpu";
    }
    return (gpu == null ? name : CudaSupport.gpu().name())
        + ", "
        + precision.name().toLowerCase(Locale.ROOT);
  }

  /** Memory of the device, or of the machine for the CPU. */
  public long memoryBytes() {
    if (isCuda()) {
      return CudaSupport.gpu().memoryBytes();
    }
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  Layers layers() {
    return layers;
  }

  /** The tensor on this device: itself where it is there already. */
  public Tensor place(Tensor tensor) {
    return isCuda() ? tensor.to(gpu, tensor.scalar_type()) : tensor;
  }

  /** For making tensors of single precision here. */
  public TensorOptions floats() {
    return options(torch.ScalarType.Float);
  }

  public TensorOptions longs() {
    return options(torch.ScalarType.Long);
  }

  private TensorOptions options(torch.ScalarType type) {
    // Not on initialisation: commands without tensors name the CPU, too.
    NativeLibraries.prepare();
    TensorOptions options = new TensorOptions().dtype(new ScalarTypeOptional(type));
    return gpu == null ? options : options.device(new DeviceOptional(gpu));
  }

  /** The results of two pieces of work. */
  public record Pair<A, B>(A first, B second) {}

  /**
   * Does two pieces of work, on a GPU beside each other, where one alone leaves room. Within the
   * scope that is open, nothing is freed until both are done.
   */
  public <A, B> Pair<A, B> both(Supplier<A> first, Supplier<B> second) {
    if (!isCuda()) {
      return new Pair<>(first.get(), second.get());
    }
    AtomicReference<A> a = new AtomicReference<>();
    AtomicReference<B> b = new AtomicReference<>();
    Cuda.together(() -> a.set(first.get()), () -> b.set(second.get()));
    return new Pair<>(a.get(), b.get());
  }

  /** Waits until everything that was asked for is done; a clock read before that lies. */
  public void synchronise() {
    if (isCuda()) {
      Cuda.synchronise();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
