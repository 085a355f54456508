package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.psm.core.UserError;
import dev.psm.torch.CudaSupport.RunContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Each cause is named in its turn, and nothing behind it is touched. */
class CudaSupportTest {
  private static final Optional<CudaDriver> NEW = Optional.of(new CudaDriver("580.95.05", 580));
  private static final CudaLibraries ALL = new CudaLibraries(Map.of(), List.of());

  @Test
  void anotherSystem() {
    says(
        "mac os x aarch64",
        CudaSupportTest::noDriverYet,
        true,
        "Linux with an x86-64 processor only");
  }

  @Test
  void noDriver() {
    says("linux amd64", Optional::empty, true, "no NVIDIA driver");
  }

  @Test
  void anOldDriver() {
    Optional<CudaDriver> old = Optional.of(new CudaDriver("535.183.01", 535));
    says("linux amd64", () -> old, true, "the NVIDIA driver is 535.183.01, and CUDA 13 needs 580");
  }

  @Test
  void libtorchForCpus() {
    says("linux amd64", () -> NEW, false, "runs with libtorch for CPUs");
  }

  @Test
  void missingLibraries() {
    CudaLibraries some = new CudaLibraries(Map.of(), List.of("libcufft.so.12"));
    String problem =
        CudaSupport.problem(
                new RunContext(
                    "linux amd64", () -> NEW, true, () -> some, CudaSupportTest::noDeviceYet))
            .orElseThrow()
            .getMessage();
    assertTrue(problem.contains("libcufft.so.12") && problem.contains("PSM_CUDA_LIBRARIES"));
  }

  @Test
  void theDevicesWordIsTheLast() {
    Optional<UserError> none = Optional.of(UserError.failed(null, "no GPU"));
    assertEquals(
        none,
        CudaSupport.problem(new RunContext("linux amd64", () -> NEW, true, () -> ALL, () -> none)));
    assertEquals(
        Optional.empty(),
        CudaSupport.problem(
            new RunContext("linux amd64", () -> NEW, true, () -> ALL, Optional::empty)));
  }

  @Test
  void theTestsRunWithLibtorchForCpus() {
    assertFalse(CudaSupport.gpuNatives());
    assertEquals(Optional.empty(), CudaSupport.whyNotLoaded());
    assertTrue(CudaSupport.problem().isPresent());
  }

  private static void says(
      String system, Supplier<Optional<CudaDriver>> driver, boolean natives, String words) {
    String problem =
        CudaSupport.problem(
                new RunContext(
                    system,
                    driver,
                    natives,
                    CudaSupportTest::noLibrariesYet,
                    CudaSupportTest::noDeviceYet))
            .orElseThrow()
            .getMessage();
    assertTrue(problem.contains(words), problem);
  }

  private static Optional<CudaDriver> noDriverYet() {
    return fail("looked at too early");
  }

  private static CudaLibraries noLibrariesYet() {
    return fail("looked at too early");
  }

  private static Optional<UserError> noDeviceYet() {
    return fail("looked at too early");
  }
}
