package dev.psm.app;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Where networks are computed, and how finely. */
final class DeviceOption {
  private static final List<String> DEVICES = List.of("auto", "cpu", "cuda");
  private static final List<String> PRECISIONS = List.of("tf32", "float32", "bfloat16");

  @Option(
      names = "--device",
      paramLabel = "auto|cpu|cuda",
      description =
          "Where networks are computed; auto takes an NVIDIA GPU if this machine and this"
              + " installation have one, though not for grids (default: auto).")
  private String device;

  @Option(
      names = "--precision",
      paramLabel = "tf32|float32|bfloat16",
      description =
          "Of matrix products on a GPU (default: tf32, for grids float32); the CPU's is float32.")
  private String precision;

  private final Supplier<Optional<String>> problem;

  DeviceOption() {
    this(CudaSupport::problem);
  }

  /**
   * @param problem why there is no GPU to compute on; asked only when it matters, because asking
   *     loads libraries
   */
  DeviceOption(Supplier<Optional<String>> problem) {
    this.problem = problem;
  }

  /** The options among these that were given. */
  List<String> given() {
    List<String> given = new ArrayList<>();
    if (device != null) {
      given.add("--device");
    }
    if (precision != null) {
      given.add("--precision");
    }
    return given;
  }

  /** Refuses a precision that a command has no use for. */
  DeviceOption without(Precision refused, String reason) {
    if (precision() == refused) {
      throw UserError.usage("--precision %s: %s", name(refused), reason);
    }
    return this;
  }

  boolean asksForGpu() {
    return wanted().equals("cuda");
  }

  /**
   * Opens the device for work that is for the CPU unless a GPU is asked for by name.
   *
   * @param usual the precision on a GPU where none is given
   * @param reason why auto is the CPU
   */
  Device openIfAsked(Precision usual, String reason, Output output) {
    if (device == null && precision == null) {
      return Device.CPU;
    }
    return wanted().equals("auto") ? cpu(output, precision(), reason) : open(usual, output);
  }

  /** Opens the device and says which, and why. What is computed there belongs to this thread. */
  Device open(Output output) {
    return open(Precision.TF32, output);
  }

  private String wanted() {
    String wanted = device == null ? "auto" : device;
    if (!DEVICES.contains(wanted)) {
      throw UserError.usage("--device: expected auto, cpu or cuda, found '%s'", wanted);
    }
    return wanted;
  }

  private Device open(Precision usual, Output output) {
    String wanted = wanted();
    Precision wantedPrecision = precision();
    if (wanted.equals("cpu")) {
      return cpu(output, wantedPrecision, "as --device says");
    }
    Optional<String> obstacle = problem.get();
    if (obstacle.isPresent()) {
      if (wanted.equals("cuda")) {
        throw UserError.failed(null, "--device cuda: %s", obstacle.get());
      }
      return cpu(output, wantedPrecision, obstacle.get());
    }
    Device opened = Device.cuda(wantedPrecision == null ? usual : wantedPrecision);
    output.note(
        "networks on %s: %s"
            .formatted(
                opened.describe(),
                wanted.equals("cuda") ? "as --device says" : "this machine has a GPU"));
    return opened;
  }

  private static Device cpu(Output output, Precision wanted, String reason) {
    if (wanted != null && wanted != Precision.FLOAT32) {
      throw UserError.usage(
          "--precision %s is for a GPU, and networks are on the cpu here (%s); leave it out, or"
              + " give float32",
          name(wanted), reason);
    }
    output.note("networks on cpu: " + reason);
    return Device.CPU;
  }

  /** Null where none was given. */
  private Precision precision() {
    if (precision == null) {
      return null;
    }
    if (!PRECISIONS.contains(precision)) {
      throw UserError.usage(
          "--precision: expected tf32, float32 or bfloat16, found '%s'; %s",
          precision, Nearest.hint(precision, PRECISIONS));
    }
    return Precision.valueOf(precision.toUpperCase(Locale.ROOT));
  }

  private static String name(Precision precision) {
    return precision.name().toLowerCase(Locale.ROOT);
  }
}
