package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaDriverTest {
  private static final String OPEN =
      """
      NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (root@host)
      GCC version:  gcc version 12.2.0 (Debian 12.2.0-14+deb12u1)
      """;
  private static final String CLOSED =
      """
      NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024
      GCC version:  gcc version 11.4.0
      """;

  @TempDir private Path folder;

  @Test
  void bothKindsOfKernelModuleAreUnderstood() throws IOException {
    assertEquals(Optional.of(new CudaDriver("580.95.05", 580)), read(OPEN));
    assertEquals(Optional.of(new CudaDriver("535.183.01", 535)), read(CLOSED));
  }

  @Test
  void cuda13NeedsDriver580() throws IOException {
    assertTrue(read(OPEN).orElseThrow().newEnough());
    assertFalse(read(CLOSED).orElseThrow().newEnough());
  }

  @Test
  void noFileIsNoDriver() {
    assertEquals(Optional.empty(), CudaDriver.read(folder.resolve("absent")));
  }

  @Test
  void aDriverOfUnknownWordsIsLeftToCudaToJudge() throws IOException {
    assertTrue(read("something new\n").orElseThrow().newEnough());
  }

  private Optional<CudaDriver> read(String text) throws IOException {
    return CudaDriver.read(Files.writeString(folder.resolve("version"), text));
  }
}
