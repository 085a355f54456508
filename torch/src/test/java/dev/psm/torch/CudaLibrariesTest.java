package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.LibrarySearch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaLibrariesTest {
  @TempDir private Path folder;

  @Test
  void whereAllAreThereEachHasItsFile() throws IOException {
    for (String name : CudaLibraries.names()) {
      Files.createFile(folder.resolve(name));
    }
    CudaLibraries libraries = find();
    assertTrue(libraries.complete());
    assertEquals(Optional.empty(), libraries.advice());
    assertEquals(folder.resolve("libcudnn.so.9"), libraries.found().get("libcudnn.so.9"));
    assertEquals(List.of(), libraries.missingToLoad());
  }

  @Test
  void adviceNamesWhatIsMissingWhatItComesWithAndTheVariable() throws IOException {
    for (String name : CudaLibraries.names()) {
      if (!name.startsWith("libcudnn") && !name.equals("libnccl.so.2")) {
        Files.createFile(folder.resolve(name));
      }
    }
    CudaLibraries libraries = find();
    String advice = libraries.advice().orElseThrow();
    assertTrue(advice.contains("libcudnn_ops.so.9") && advice.contains("libnccl.so.2"), advice);
    assertTrue(advice.contains("cuDNN 9 for CUDA 13, NCCL 2"), advice);
    assertTrue(advice.contains("PSM_CUDA_LIBRARIES"), advice);
    assertFalse(advice.contains("toolkit") || advice.contains("libcublas"), advice);
    assertEquals(List.of(), libraries.missingToLoad());
  }

  @Test
  void withoutTheRuntimeAndCuptiNothingLoads() {
    assertEquals(List.of("libcudart.so.13", "libcupti.so.13"), find().missingToLoad());
    assertEquals(CudaLibraries.names(), find().missing());
  }

  private CudaLibraries find() {
    return CudaLibraries.find(new LibrarySearch(List.of(folder), "", List.of()));
  }
}
