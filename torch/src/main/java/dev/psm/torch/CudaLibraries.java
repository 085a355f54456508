package dev.psm.torch;

import dev.psm.core.io.LibrarySearch;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The libraries of CUDA that the GPU build of libtorch needs and does not bring along, and where
 * the dynamic loader finds them. Looking for them touches no class of libtorch.
 *
 * @param found the file of each library that is there
 * @param missing the names of the others
 */
public record CudaLibraries(Map<String, Path> found, List<String> missing) {
  /** The environment variable whose folders the launcher adds to the loader's. */
  public static final String VARIABLE = "PSM_CUDA_LIBRARIES";

  // What libtorch_cpu itself imports, and the launcher asks for.
  private static final List<String> TO_LOAD_AT_ALL = List.of("libcudart.so.13", "libcupti.so.13");

  /** What each library comes with. */
  private static final Map<String, List<String>> NEEDED = new LinkedHashMap<>();

  // The imports of libtorch_cpu, libtorch_cuda, libtorch_cuda_linalg, libc10_cuda, libjnitorch_cuda
  // and libjnicudart; nvJitLink is an import of cuSPARSE and cuSOLVER, NVRTC is loaded by name.
  static {
    NEEDED.put("the NVIDIA driver", List.of("libcuda.so.1"));
    NEEDED.put(
        "the CUDA 13 toolkit",
        List.of(
            "libcudart.so.13",
            "libcupti.so.13",
            "libcublas.so.13",
            "libcublasLt.so.13",
            "libcufft.so.12",
            "libcufile.so.0",
            "libcurand.so.10",
            "libcusolver.so.12",
            "libcusparse.so.12",
            "libnvJitLink.so.13",
            "libnvrtc.so.13"));
    NEEDED.put(
        "cuDNN 9 for CUDA 13",
        List.of(
            "libcudnn.so.9",
            "libcudnn_adv.so.9",
            "libcudnn_cnn.so.9",
            "libcudnn_graph.so.9",
            "libcudnn_ops.so.9"));
    NEEDED.put("NCCL 2", List.of("libnccl.so.2"));
  }

  public CudaLibraries {
    found = new LinkedHashMap<>(found);
    missing = List.copyOf(missing);
  }

  /** The names of all libraries. */
  public static List<String> names() {
    return NEEDED.values().stream().flatMap(List::stream).toList();
  }

  /** As the loader of this process finds them. */
  public static CudaLibraries find() {
    return find(LibrarySearch.ofThisProcess());
  }

  static CudaLibraries find(LibrarySearch search) {
    Map<String, Path> found = new LinkedHashMap<>();
    for (String name : names()) {
      Optional<Path> file = search.find(name);
      file.ifPresent(path -> found.put(name, path));
    }
    return new CudaLibraries(
        found, names().stream().filter(name -> !found.containsKey(name)).toList());
  }

  public boolean complete() {
    return missing.isEmpty();
  }

  /** Those without which libtorch's GPU build cannot be loaded, be it for work on the CPU. */
  public List<String> missingToLoad() {
    return missing.stream().filter(TO_LOAD_AT_ALL::contains).toList();
  }

  /** Which are missing, and how to get them; empty if none are. */
  public Optional<String> advice() {
    return complete()
        ? Optional.empty()
        : Optional.of(
            "the loader does not find %s; %s".formatted(String.join(", ", missing), remedy()));
  }

  /** What the missing ones come with, and how to say where they are. */
  public String remedy() {
    String sources =
        NEEDED.entrySet().stream()
            .filter(entry -> entry.getValue().stream().anyMatch(missing::contains))
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return "install the libraries of %s, or set %s to the folders they are in, with colons between"
        .formatted(sources, VARIABLE);
  }
}
