package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ComputeThreadsTest {
  private final int usual = TorchRuntime.threads();

  @BeforeEach
  void useThree() {
    torch.set_num_threads(3);
  }

  @AfterEach
  void useTheUsual() {
    torch.set_num_threads(usual);
  }

  @Test
  void onlyTheThreadThatOpensItIsAloneAndOnlyWhileItIsOpen() {
    try (ComputeThreads alone = new ComputeThreads(1)) {
      assertEquals(1, TorchRuntime.threads());
    }
    assertEquals(3, TorchRuntime.threads());
    CompletableFuture.runAsync(
            () -> {
              try (ComputeThreads alone = new ComputeThreads(1)) {
                assertEquals(1, TorchRuntime.threads());
              }
            })
        .join();
    assertEquals(3, TorchRuntime.threads());
  }
}
