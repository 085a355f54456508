package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RecordedWorkTest {
  /** A recording would be of a GPU, which is not needed here: every time is one of computing. */
  @Test
  void whatIsNotToBeRecordedIsComputedEveryTime() {
    int[] done = new int[1];
    try (RecordedWork work = new RecordedWork(false, () -> done[0]++)) {
      for (int i = 1; i <= 10; i++) {
        assertEquals(RecordedWork.Done.COMPUTED, work.run());
        assertEquals(i, done[0]);
      }
      work.forget();
      assertEquals(RecordedWork.Done.COMPUTED, work.run());
      assertEquals(0, work.kernels());
    }
  }
}
