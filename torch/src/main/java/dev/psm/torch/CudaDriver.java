package dev.psm.torch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The NVIDIA driver of this machine, as its kernel module tells. */
public record CudaDriver(String version, int major) {
  /** The first driver that runs programs of CUDA 13. */
  public static final int OLDEST = 580;

  static final Path KERNEL_MODULE = Path.of("/proc/driver/nvidia/version");

  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 ...": open modules say
  // it
  // in other words, but the version is the first number with dots on the line.
  private static final Pattern VERSION =
      Pattern.compile("NVRM version:.*?\\s((\\d+)\\.\\d+(?:\\.\\d+)*)\\b");

  /** The driver, if there is one. */
  public static Optional<CudaDriver> find() {
    return read(KERNEL_MODULE);
  }

  static Optional<CudaDriver> read(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return Optional.empty();
    }
    Matcher matcher = VERSION.matcher(text);
    // A driver that speaks in other words is a driver still, and CUDA judges it better than we do.
    return Optional.of(
        matcher.find()
            ? new CudaDriver(matcher.group(1), Integer.parseInt(matcher.group(2)))
            : new CudaDriver("of unknown version", OLDEST));
  }

  public boolean newEnough() {
    return major >= OLDEST;
  }
}
