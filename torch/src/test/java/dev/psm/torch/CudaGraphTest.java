package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.core.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that a GPU records and replays. */
@Tag("gpu")
class CudaGraphTest {
  private Device device;

  @BeforeEach
  void requireGpu() {
    Optional<String> problem = CudaSupport.problem().map(UserError::getMessage);
    assumeTrue(problem.isEmpty(), problem.orElse(""));
    device = Device.cuda(Precision.FLOAT32);
  }

  /** x ← 2x + 1, by way of a tensor that only the work knows. */
  private static void work(Tensor x) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      x.copy_(x.mul(Tensors.scalar(2)).add(Tensors.scalar(1)));
    }
  }

  @Test
  void aReplayDoesWhatTheWorkDoesAndIsRecordedAnewWhereThatChanged() {
    Tensor x = device.place(torch.zeros(3));
    List<RecordedWork.Done> done = new ArrayList<>();
    try (RecordedWork work = new RecordedWork(true, () -> work(x))) {
      for (int i = 0; i < 6; i++) {
        done.add(work.run());
      }
      assertTrue(work.kernels() > 0);
      work.forget();
      for (int i = 0; i < 4; i++) {
        done.add(work.run());
      }
    }
    RecordedWork.Done computed = RecordedWork.Done.COMPUTED;
    RecordedWork.Done recorded = RecordedWork.Done.RECORDED;
    RecordedWork.Done replayed = RecordedWork.Done.REPLAYED;
    assertEquals(
        List.of(
            computed, computed, computed, recorded, replayed, replayed, //
            computed, computed, computed, recorded),
        done);
    assertArrayEquals(new float[] {1023, 1023, 1023}, Tensors.toFloats(x));
  }

  /** Other work takes memory in between; what was recorded keeps its own. */
  @Test
  void replaysKeepTheirMemory() {
    Tensor x = device.place(torch.zeros(1 << 20));
    try (RecordedWork work = new RecordedWork(true, () -> work(x))) {
      for (int i = 0; i < 10; i++) {
        work.run();
        try (Tensor other =
            torch.empty(new long[] {1 << 20}, device.floats(), new MemoryFormatOptional())) {
          other.fill_(Tensors.scalar(-1));
        }
      }
    }
    assertEquals(1023, x.min().item_float());
    assertEquals(1023, x.max().item_float());
  }

  @Test
  void workThatFailsWhileItIsRecordedLeavesAGpuThatWorks() {
    int[] runs = {0};
    Tensor x = device.place(torch.zeros(3));
    try (RecordedWork failing =
        new RecordedWork(
            true,
            () -> {
              work(x);
              if (++runs[0] == 4) {
                throw new IllegalStateException("on purpose");
              }
            })) {
      for (int i = 0; i < 3; i++) {
        failing.run();
      }
      assertEquals(
          "on purpose", assertThrows(IllegalStateException.class, failing::run).getMessage());
      assertArrayEquals(new float[] {7, 7, 7}, Tensors.toFloats(x));
      assertEquals(RecordedWork.Done.RECORDED, failing.run());
      assertArrayEquals(new float[] {15, 15, 15}, Tensors.toFloats(x));
    }
  }

  @Test
  void twoPiecesOfWorkBesideEachOtherAreDoneBeforeWhatFollows() {
    Tensor a = device.place(torch.zeros(1 << 20));
    Tensor b = device.place(torch.zeros(1 << 20));
    Tensor sum = device.place(torch.zeros(1 << 20));
    try (RecordedWork work =
        new RecordedWork(
            true,
            () -> {
              try (PointerScope scope = new PointerScope();
                  NoGradGuard noGradient = new NoGradGuard()) {
                var pair =
                    device.both(() -> a.add_(Tensors.scalar(1)), () -> b.add_(Tensors.scalar(2)));
                sum.copy_(pair.first().add(pair.second()));
              }
            })) {
      for (int i = 1; i <= 8; i++) {
        work.run();
        assertEquals(3 * i, sum.min().item_float(), "run " + i);
        assertEquals(3 * i, sum.max().item_float(), "run " + i);
      }
    }
  }
}
