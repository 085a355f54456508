package dev.psm.lab.infer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.UserError;
import dev.psm.torch.TorchRuntime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PiecesTest {
  @Test
  void resultsComeInTheirOrderFromSoManyThreads() {
    for (int threads : new int[] {1, 2, 5}) {
      Set<Thread> used = ConcurrentHashMap.newKeySet();
      CountDownLatch all = new CountDownLatch(threads);
      List<Integer> squares =
          Pieces.compute(
              threads,
              20,
              i -> {
                used.add(Thread.currentThread());
                await(all);
                return i * i * TorchRuntime.threads();
              });
      assertEquals(IntStream.range(0, 20).map(i -> i * i).boxed().toList(), squares);
      assertEquals(threads, used.size());
    }
  }

  /** All threads come here before any goes on. */
  private static void await(CountDownLatch all) {
    all.countDown();
    try {
      all.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theFirstThatFailsIsTold() {
    for (int threads = 1; threads <= 3; threads++) {
      int count = threads;
      UserError thrown =
          assertThrows(
              UserError.class,
              () ->
                  Pieces.compute(
                      count,
                      10,
                      i -> {
                        if (i >= 4) {
                          throw UserError.invalid("piece %d", i);
                        }
                        return i;
                      }));
      assertEquals("piece 4", thrown.getMessage());
    }
    assertEquals(List.of(), Pieces.compute(2, 0, i -> i));
  }
}
