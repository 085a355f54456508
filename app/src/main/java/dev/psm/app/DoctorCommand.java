package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.torch.TorchRuntime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "What this machine has, what is really in use, and how to get what is missing.")
final class DoctorCommand implements Callable<Integer> {
  private static final double GIB = 1024.0 * 1024 * 1024;

  @Mixin private Output output;
  private final ObjectNode found = Json.object();
  private boolean healthy = true;

  @Override
  public Integer call() {
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

  private void torch() {
    try {
      tell("libtorch", "%s, %d threads".formatted(TorchRuntime.version(), TorchRuntime.threads()));
      tell("blas", blas());
      tell(
          "gpu",
          TorchRuntime.cudaAvailable()
              ? "CUDA is available"
              : "none: this build of libtorch is for CPUs" + nvidiaHint());
    } catch (IOException | LinkageError e) {
      healthy = false;
      tell("libtorch", "cannot be loaded: " + e);
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

  private static String nvidiaHint() {
    return Files.exists(Path.of("/proc/driver/nvidia/version"))
        ? ", though this machine has an NVIDIA driver"
        : ", and this machine has no NVIDIA driver";
  }

  private void mujoco() {
    try {
      MujocoLibrary library = MujocoLibrary.load();
      tell("mujoco", "%s, %s".formatted(library.version(), library.file()));
    } catch (UserError e) {
      // The grids do without it, so a machine that lacks it is healthy; a broken one is not.
      healthy &= System.getenv(MujocoLibrary.VARIABLE) == null;
      tell("mujoco", e.getMessage() + " The grids do not need it.");
    }
  }
}
