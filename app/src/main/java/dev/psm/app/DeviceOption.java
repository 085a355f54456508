package dev.psm.app;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.torch.CudaDriver;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Where networks are computed, and how finely. */
final class DeviceOption {
  private static final List<String> PRECISIONS = List.of("tf32", "float32", "bfloat16");

  @Option(
      names = "--device",
      paramLabel = "auto|cpu|cuda",
      description =
          "Where networks are computed; auto takes an NVIDIA GPU if this machine and this"
              + " installation have one, though not for grids (default: PSM_DEVICE, or auto).")
  private String device;

  @Option(
      names = "--precision",
      paramLabel = "tf32|float32|bfloat16",
      description =
          "Of matrix products on a GPU (default: tf32, for grids float32); the CPU's is float32.")
  private String precision;

  private final Supplier<Optional<String>> problem;
  private final BooleanSupplier hasDriver;
  private final String variable;

  DeviceOption() {
    this(
        () -> CudaSupport.problem().map(CommandErrors::message),
        () -> CudaDriver.find().isPresent(),
        System.getenv(DeviceRequest.VARIABLE));
  }

  /**
   * @param problem why there is no GPU to compute on; asked only when it matters, because asking
   *     loads libraries
   * @param hasDriver whether this machine has an NVIDIA driver, so probably a GPU
   * @param variable what the environment says where the option does not
   */
  DeviceOption(Supplier<Optional<String>> problem, BooleanSupplier hasDriver, String variable) {
    this.problem = problem;
    this.hasDriver = hasDriver;
    this.variable = variable;
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
      throw UserError.invalid("--precision %s: %s", name(refused), reason);
    }
    return this;
  }

  /** Whether the option itself asks for a GPU. */
  boolean asksForCuda() {
    return device != null && wish().is("cuda");
  }

  private DeviceRequest wish() {
    return DeviceRequest.of(device, variable);
  }

  /**
   * Opens the device for work that is for the CPU unless the option itself asks for a GPU; what the
   * environment says is meant for other work.
   *
   * @param usual the precision on a GPU where none is given
   * @param reason why auto is the CPU
   */
  Device openIfAsked(Precision usual, String reason, Output output) {
    wish();
    if (device == null && precision == null) {
      return Device.CPU;
    }
    return device == null || wish().is("auto")
        ? cpu(output, precision(), reason)
        : open(usual, output);
  }

  /** Opens the device and says which, and why. What is computed there belongs to this thread. */
  Device open(Output output) {
    return open(Precision.TF32, output);
  }

  /** For work of other machines: a GPU there is used where the option itself asks for one. */
  Device elsewhere(Output output) {
    return asksForCuda()
        ? Device.cudaElsewhere(precision() == null ? Precision.TF32 : precision())
        : cpu(output, precision(), "for the GPUs of other machines say --device cuda");
  }

  private Device open(Precision usual, Output output) {
    DeviceRequest wish = wish();
    Precision wantedPrecision = precision();
    if (wish.is("cpu")) {
      return cpu(output, wantedPrecision, "as %s says".formatted(wish.source()));
    }
    Optional<String> obstacle = problem.get();
    if (obstacle.isPresent()) {
      if (wish.is("cuda")) {
        throw UserError.failed(null, "%s: %s", wish, obstacle.get());
      }
      boolean asked = wish.source() != null || wantedPrecision != null;
      if (!asked && !hasDriver.getAsBoolean()) {
        // Advice about drivers is noise for those who have no GPU and asked for none.
        output.note("networks on cpu");
        return Device.CPU;
      }
      return cpu(output, wantedPrecision, obstacle.get());
    }
    Device opened = Device.cuda(wantedPrecision == null ? usual : wantedPrecision);
    output.note(
        "networks on %s: %s"
            .formatted(
                opened.describe(),
                wish.is("cuda")
                    ? "as %s says".formatted(wish.source())
                    : "this machine has a GPU"));
    return opened;
  }

  private static Device cpu(Output output, Precision wanted, String reason) {
    if (wanted != null && wanted != Precision.FLOAT32) {
      throw UserError.invalid(
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
      throw UserError.invalid(
          "--precision: expected tf32, float32 or bfloat16, found '%s'; %s",
          precision, Nearest.hint(precision, PRECISIONS));
    }
    return Precision.valueOf(precision.toUpperCase(Locale.ROOT));
  }

  private static String name(Precision precision) {
    return precision.name().toLowerCase(Locale.ROOT);
  }
}
