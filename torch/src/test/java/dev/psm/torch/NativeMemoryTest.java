package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class NativeMemoryTest {
  private static final long MEGABYTE = 1 << 20;

  private final Mlp mlp = new Mlp("net", new int[] {4, 16, 1}, true, false);
  private final Parameters online = new Parameters();
  private final Parameters target;
  private final Adam adam;
  private final Tensor input = Tensors.gaussian(new Random(1), 64, 4);

  NativeMemoryTest() {
    mlp.initialise(online, new Random(1));
    target = online.targetCopy();
    adam = new Adam(online);
  }

  private void steps(int count) {
    for (int step = 0; step < count; step++) {
      try (PointerScope scope = new PointerScope()) {
        Tensor loss = mlp.forward(online, input).square().mean();
        adam.step(Tensors.gradients(loss, online.vector()), 1e-3);
        target.averageTowards(online, 0.01);
      }
    }
  }

  @Test
  void tenThousandStepsInScopesLeaveNoMemoryBehind() {
    steps(1000);
    touchHeap();
    long before = bytesBesideTheHeap();
    steps(10_000);
    long growth = bytesBesideTheHeap() - before;
    assertTrue(growth < 30 * MEGABYTE, "grew by " + growth / MEGABYTE + " MB");
  }

  private static long bytesBesideTheHeap() {
    return Pointer.physicalBytes() - Runtime.getRuntime().totalMemory();
  }

  /** Makes all of Java's heap resident, so that only its committed growth is left to discount. */
  private static void touchHeap() {
    int chunk = 1 << 16;
    for (long bytes = 0; bytes < 2 * Runtime.getRuntime().totalMemory(); bytes += chunk) {
      byte[] garbage = new byte[chunk];
      garbage[chunk - 1] = 1;
    }
  }
}
