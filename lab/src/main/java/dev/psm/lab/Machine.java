package dev.psm.lab;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The machine a figure comes from. */
public final class Machine {
  private Machine() {}

  /** Its processor and number of cores, in words. */
  public static String cpu() {
    String model = System.getProperty("os.arch");
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      model =
          lines
              .filter(line -> line.startsWith("model name"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst()
              .orElse(model);
    } catch (IOException e) {
      // Not Linux: the architecture has to do.
    }
    return model + ", " + Runtime.getRuntime().availableProcessors() + " cores";
  }

  /** Memory that this process holds, after a collection: garbage on the heap is not a leak. */
  public static long residentBytes() {
    System.gc();
    return status("VmRSS");
  }

  /** Memory that this process holds, garbage included. */
  public static long heldBytes() {
    return status("VmRSS");
  }

  /** The most that this process has held at once since {@link #forgetPeak}, or since it began. */
  public static long peakBytes() {
    return status("VmHWM");
  }

  /** Lets the peak begin anew at what is held now. */
  public static void forgetPeak() {
    try {
      Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    } catch (IOException e) {
      throw UserError.failed(e, "the peak of resident memory cannot be reset: %s", e.getMessage());
    }
  }

  private static long status(String field) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith(field + ":")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
    } catch (IOException e) {
      throw UserError.failed(e, "resident memory can only be read on Linux");
    }
    throw UserError.failed(null, "/proc/self/status has no %s", field);
  }
}
