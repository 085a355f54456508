package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.torch.CudaDriver;
import dev.psm.torch.CudaLibraries;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.NativeLibraries;
import dev.psm.torch.TorchRuntime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "What this machine has, what is really in use, and how to get what is missing.")
final class DoctorCommand implements Callable<Integer> {
  private static final double GIB = 1024.0 * 1024 * 1024;

  @Mixin private Output output;

  @Option(
      names = "--device",
      paramLabel = "auto|cpu|cuda",
      description =
          "Which libtorch to look at; with cuda, a GPU that cannot be used is a failure (default: PSM_DEVICE, or auto).")
  private String device;

  private final ObjectNode found = Json.object();
  private boolean healthy = true;
  private boolean wantsCuda;

  @Override
  public Integer call() {
    wantsCuda = DeviceRequest.of(device).is("cuda");
    tell("psm", new Psm.Version().getVersion()[0].substring("psm ".length()));
    tell(
        "java",
        "%s %s in %s"
            .formatted(
                System.getProperty("java.vm.name"),
                Runtime.version(),
                System.getProperty("java.home")));
    tell("cpu", Machine.cpu());
    tell("memory", memory());
    gpu();
    torch();
    mujoco();
    output.finish(found.put("healthy", healthy));
    return healthy ? 0 : 1;
  }

  private void tell(String what, String value) {
    output.say(String.format(Locale.ROOT, "%-9s %s", what, value));
    found.put(what, value);
  }

  private static String memory() {
    long machine =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean bean
            ? bean.getTotalMemorySize()
            : 0;
    return String.format(
        Locale.ROOT,
        "%.1f GiB in the machine, at most %.1f GiB for Java's heap",
        machine / GIB,
        Runtime.getRuntime().maxMemory() / GIB);
  }

  /** Before libtorch, which would otherwise be loaded without its CUDA half. */
  private void gpu() {
    Optional<CudaDriver> driver = CudaDriver.find();
    tell(
        "driver",
        driver
            .map(
                found ->
                    "NVIDIA %s%s"
                        .formatted(
                            found.version(),
                            found.newEnough()
                                ? ""
                                : ", too old: CUDA 13 needs %d".formatted(CudaDriver.OLDEST)))
            .orElse("none of NVIDIA's"));
    CudaLibraries libraries = CudaLibraries.find();
    // Without a driver, what else CUDA lacks is nobody's concern, unless asked.
    if (driver.isPresent() || CudaSupport.gpuNatives() || wantsCuda) {
      cuda(libraries);
    }
    Optional<UserError> problem = CudaSupport.problem();
    tell(
        "gpu",
        problem.isEmpty()
            ? gpuInWords()
            : "not used: "
                + (problem.map(UserError::getMessage).equals(libraries.advice())
                    ? "libraries of CUDA are missing"
                    : CommandErrors.message(problem.get())));
    if (problem.isPresent() && wantsCuda) {
      healthy = false;
    }
  }

  private void cuda(CudaLibraries libraries) {
    int all = CudaLibraries.names().size();
    tell(
        "cuda",
        libraries.complete()
            ? "all %d libraries are there".formatted(all)
            : "%d of %d libraries are missing; %s"
                .formatted(libraries.missing().size(), all, libraries.remedy()));
    ObjectNode files = found.putObject("cudaLibraries");
    for (String name : CudaLibraries.names()) {
      Path file = libraries.found().get(name);
      output.say(
          String.format(
              Locale.ROOT,
              "%-9s   %-20s %s",
              "",
              name,
              file == null ? "missing" : file.toString()));
      files.put(name, file == null ? null : file.toString());
    }
  }

  private static String gpuInWords() {
    try {
      CudaSupport.Gpu gpu = CudaSupport.gpu();
      return String.format(
          Locale.ROOT,
          "%s, compute capability %s, %.1f GiB",
          gpu.name(),
          gpu.computeCapability(),
          gpu.memoryBytes() / GIB);
    } catch (RuntimeException | LinkageError e) {
      return "CUDA works, but does not describe the GPU: " + e.getMessage();
    }
  }

  private void torch() {
    try {
      tell(
          "libtorch",
          "%s%s, %d threads"
              .formatted(
                  TorchRuntime.version(),
                  CudaSupport.gpuNatives() ? " for GPUs" : " for CPUs",
                  TorchRuntime.threads()));
      tell("blas", blas());
    } catch (IOException | LinkageError e) {
      healthy = false;
      tell(
          "libtorch",
          NativeLibraries.failure()
              .or(CudaSupport::whyNotLoaded)
              .map(CommandErrors::message)
              .orElse("cannot be loaded: " + e));
    }
  }

  private static String blas() {
    String makers = TorchRuntime.blas();
    if (makers.isEmpty()) {
      return "unknown: no memory map to read on this system";
    }
    String files =
        TorchRuntime.mappedBlas().stream()
            .map(TorchRuntime.MappedBlas::file)
            .collect(Collectors.joining(" "));
    return makers.equals("MKL")
        ? "MKL, mapped as " + files
        : makers
            + ", mapped as "
            + files
            + "; without MKL training can be many times slower (./psm asks for it; on this platform it may not exist)";
  }

  private void mujoco() {
    try {
      MujocoLibrary library = MujocoLibrary.load();
      tell("mujoco", "%s, %s, %s".formatted(library.version(), library.file(), library.source()));
    } catch (UserError e) {
      // The grids do without it, so a machine that lacks it is healthy; a broken one is not.
      healthy &= System.getenv(MujocoLibrary.VARIABLE) == null;
      tell("mujoco", CommandErrors.message(e) + " The grids do not need it.");
    }
  }
}
