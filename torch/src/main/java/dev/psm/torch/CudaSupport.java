package dev.psm.torch;

import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.bytedeco.cuda.cudart.cudaDeviceProp;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * Whether this process can compute on an NVIDIA GPU, and if not, why. To be asked before anything
 * else of libtorch: libtorch that was loaded without its CUDA half believes for good that there is
 * no GPU.
 */
public final class CudaSupport {
  private static final String GPU_NATIVES = "org/bytedeco/pytorch/linux-x86_64-gpu/libjnitorch.so";

  /** A driver in trouble can keep a question for ever. */
  private static final long PATIENCE_SECONDS = 120;

  private static Optional<UserError> answer;

  private CudaSupport() {}

  /** A graphics card as CUDA describes it. */
  public record Gpu(String name, String computeCapability, long memoryBytes) {}

  /** What the checks look at; a test gives its own. */
  record RunContext(
      String system,
      Supplier<Optional<CudaDriver>> driver,
      boolean gpuNatives,
      Supplier<CudaLibraries> libraries,
      Supplier<Optional<UserError>> device) {}

  /**
   * Empty if CUDA can be used, else the error that names the cause and the remedy. The answer is
   * found once; asking loads libtorch's CUDA half where that can succeed.
   */
  public static synchronized Optional<UserError> problem() {
    if (answer == null) {
      answer =
          problem(
              new RunContext(
                  system(),
                  CudaDriver::find,
                  gpuNatives(),
                  CudaLibraries::find,
                  CudaSupport::askDevice));
    }
    return answer;
  }

  static Optional<UserError> problem(RunContext around) {
    if (!around.system().equals("linux amd64")) {
      return useCpu(
          "CUDA is supported on Linux with an x86-64 processor only, and this is %s; use the CPU",
          around.system());
    }
    Optional<CudaDriver> driver = around.driver().get();
    if (driver.isEmpty()) {
      return useCpu(
          "this machine has no NVIDIA driver (there is no %s); install driver %d or newer, or use"
              + " the CPU",
          CudaDriver.KERNEL_MODULE, CudaDriver.OLDEST);
    }
    if (!driver.get().newEnough()) {
      return useCpu(
          "the NVIDIA driver is %s, and CUDA 13 needs %d or newer; update the driver, or use the CPU",
          driver.get().version(), CudaDriver.OLDEST);
    }
    if (!around.gpuNatives()) {
      return Optional.of(
          UserError.failed(null, "this process runs with libtorch for CPUs, not with that for GPUs")
              .with(Remedy.USE_GPU_BUILD));
    }
    return around
        .libraries()
        .get()
        .advice()
        .map(advice -> UserError.failed(null, "%s", advice))
        .or(around.device());
  }

  /** Whether the libtorch on the class path is the GPU build. */
  public static boolean gpuNatives() {
    return CudaSupport.class.getClassLoader().getResource(GPU_NATIVES) != null;
  }

  /** Why libtorch cannot be loaded, where the reason is that its GPU build lacks libraries. */
  public static Optional<UserError> whyNotLoaded() {
    if (!gpuNatives()) {
      return Optional.empty();
    }
    List<String> missing = CudaLibraries.find().missingToLoad();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            UserError.failed(
                    null,
                    "libtorch's GPU build cannot be loaded, not even for work on the CPU, without"
                        + " %s of the CUDA 13 toolkit; set %s to their folder, or use libtorch for"
                        + " CPUs",
                    String.join(" and ", missing),
                    CudaLibraries.VARIABLE)
                .with(Remedy.USE_CPU_BUILD));
  }

  /** The first GPU; only where {@link #problem()} is empty. */
  public static Gpu gpu() {
    cudaDeviceProp properties = torch_cuda.getDeviceProperties((byte) 0);
    try (BytePointer name = properties.name()) {
      return new Gpu(
          name.getString(),
          properties.major() + "." + properties.minor(),
          properties.totalGlobalMem());
    }
  }

  private static String system() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT)
        + " "
        + System.getProperty("os.arch");
  }

  private static Optional<UserError> askDevice() {
    CompletableFuture<Optional<UserError>> asked = new CompletableFuture<>();
    Thread asker =
        new Thread(
            () -> {
              try {
                asked.complete(loadAndCount());
              } catch (Throwable e) {
                asked.completeExceptionally(e);
              }
            },
            "cuda-probe");
    asker.setDaemon(true);
    NativeLibraries.prepare();
    try {
      // Unpacking and loading take as long as the disk does, and end; only the driver may not.
      Loader.load(cudart.class);
      Loader.load(torch_cuda.class);
      asker.start();
      return asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (LinkageError e) {
      return useCpu("libtorch's GPU build cannot be loaded: %s; use the CPU", reason(e));
    } catch (ExecutionException e) {
      return useCpu("CUDA cannot be started: %s; use the CPU", reason(e.getCause()));
    } catch (TimeoutException e) {
      return useCpu(
          "the NVIDIA driver has not answered for %d seconds; see whether nvidia-smi does, or use"
              + " the CPU",
          PATIENCE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(UserError.failed(e, "looking for a GPU was interrupted"));
    }
  }

  private static Optional<UserError> loadAndCount() {
    int[] count = new int[1];
    int error = cudart.cudaGetDeviceCount(count);
    if (error != 0 || count[0] == 0) {
      String visible = System.getenv("CUDA_VISIBLE_DEVICES");
      return useCpu(
          "CUDA finds no GPU to use: %s%s; see what nvidia-smi lists, or use the CPU",
          error == 0 ? "there are none" : errorText(error),
          visible == null ? "" : " (CUDA_VISIBLE_DEVICES is '" + visible + "')");
    }
    return torch.cuda_is_available()
        ? Optional.empty()
        : Optional.of(
            UserError.failed(
                null,
                "CUDA has a GPU, but libtorch does not see it; something of libtorch was used"
                    + " before its CUDA half was loaded"));
  }

  @FormatMethod
  private static Optional<UserError> useCpu(String message, Object... arguments) {
    return Optional.of(UserError.failed(null, message, arguments).with(Remedy.USE_CPU));
  }

  private static String errorText(int error) {
    try (BytePointer text = cudart.cudaGetErrorString(error)) {
      return text == null ? "error " + error : text.getString();
    }
  }

  private static String reason(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse(cause.toString());
  }
}
