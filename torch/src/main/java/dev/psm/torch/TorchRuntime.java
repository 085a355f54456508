package dev.psm.torch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;

/** What libtorch on this machine really is. Calling it loads the native libraries. */
public final class TorchRuntime {
  private static final List<String> BLAS_MARKS =
      List.of("mkl_rt", "mkl_core", "openblas", "blis", "Accelerate");

  private TorchRuntime() {}

  public static String version() throws IOException {
    return Loader.getVersion("org.bytedeco", "pytorch");
  }

  public static int threads() {
    return torch.get_num_threads();
  }

  public static void setThreads(int threads) {
    torch.set_num_threads(threads);
  }

  public static boolean cudaAvailable() {
    return torch.cuda_is_available();
  }

  /**
   * The BLAS libraries mapped into this process, by file name. JavaCPP falls back to OpenBLAS
   * without a word when MKL's jar is absent, so only the process's own memory map tells the truth.
   */
  public static Set<String> mappedBlas() {
    // A product forces the lazy parts of MKL in before we look.
    torch.ones(64, 64).mm(torch.ones(64, 64));
    Set<String> found = new LinkedHashSet<>();
    Path maps = Path.of("/proc/self/maps");
    if (!Files.isReadable(maps)) {
      return found;
    }
    try {
      for (String line : Files.readAllLines(maps, StandardCharsets.UTF_8)) {
        int slash = line.indexOf('/');
        if (slash < 0) {
          continue;
        }
        String file = line.substring(line.lastIndexOf('/') + 1);
        if (BLAS_MARKS.stream().anyMatch(file::contains) && !file.startsWith("libjni")) {
          found.add(file);
        }
      }
    } catch (IOException e) {
      return found;
    }
    return found;
  }
}
