package dev.psm.torch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;

/** What libtorch on this machine really is. Calling it loads the native libraries. */
public final class TorchRuntime {
  static {
    NativeLibraries.prepare();
  }

  private static final List<String> BLAS_MARKS =
      List.of("mkl_rt", "mkl_core", "openblas", "blis", "Accelerate");

  private TorchRuntime() {}

  public static String version() throws IOException {
    return Loader.getVersion("org.bytedeco", "pytorch");
  }

  public static int threads() {
    return torch.get_num_threads();
  }

  /** A BLAS library mapped into this process. */
  public record MappedBlas(String maker, String file) {}

  /**
   * The BLAS libraries in this process's memory map. JavaCPP falls back to OpenBLAS without a word
   * when MKL's jar is absent, and maps MKL under OpenBLAS's file names when it is present, so
   * neither a setting nor a file name tells the truth: the folder that the file lies in does.
   */
  public static Set<MappedBlas> mappedBlas() {
    // A product forces the lazy parts of MKL in before we look.
    torch.ones(64, 64).mm(torch.ones(64, 64));
    Set<MappedBlas> found = new LinkedHashSet<>();
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
        String path = line.substring(slash);
        String file = path.substring(path.lastIndexOf('/') + 1);
        if (BLAS_MARKS.stream().anyMatch(file::contains) && !file.startsWith("libjni")) {
          String maker =
              path.contains("mkl") ? "MKL" : file.contains("openblas") ? "OpenBLAS" : file;
          found.add(new MappedBlas(maker, file));
        }
      }
    } catch (IOException e) {
      return found;
    }
    return found;
  }

  /** The makers of the mapped BLAS libraries: "MKL" is what a healthy installation says. */
  public static String blas() {
    return mappedBlas().stream()
        .map(MappedBlas::maker)
        .distinct()
        .collect(Collectors.joining(" and "));
  }
}
