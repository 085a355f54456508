package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A simulation belongs to one thread at a time. */
class SimulationThreadsTest {
  private final String me = Thread.currentThread().getName();

  private void assertForeign(Executable use) {
    IllegalStateException refused = assertThrows(IllegalStateException.class, use);
    assertTrue(
        refused.getMessage().contains("belongs to thread '" + me + "'")
            && refused.getMessage().contains("thread 'another' must not touch it")
            && refused.getMessage().contains("handOver()"),
        refused.getMessage());
  }

  @Test
  void aSecondThreadIsRefusedAlsoBetweenTheFirstOnesCalls() {
    try (Simulation simulation = Pendulum.open()) {
      for (int turn = 0; turn < 3; turn++) {
        simulation.step(1);
        OnThread.run(
            () -> {
              assertForeign(() -> simulation.step(1));
              assertForeign(simulation::reset);
              assertForeign(() -> simulation.qpos().get(0));
              assertForeign(() -> simulation.facts().size("nq"));
              assertForeign(simulation::handOver);
              assertForeign(simulation::close);
            });
      }
      assertTrue(simulation.time() > 0, "the owner goes on");
    }
  }

  @Test
  void ofManyThreadsAtOnceExactlyOneGetsAFreeSimulation() {
    Simulation simulation = Pendulum.open();
    for (int round = 0; round < 50; round++) {
      simulation.handOver();
      int threads = 4;
      CyclicBarrier together = new CyclicBarrier(threads);
      AtomicInteger won = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      Runnable use =
          () -> {
            try {
              together.await();
              try {
                simulation.step(10);
                won.incrementAndGet();
              } catch (IllegalStateException e) {
                refused.incrementAndGet();
              }
              // Nobody ends before all have tried: a dead thread owns nothing.
              together.await();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          };
      Thread[] all = new Thread[threads];
      for (int i = 0; i < threads; i++) {
        all[i] = new Thread(use);
        all[i].start();
      }
      for (Thread thread : all) {
        OnThread.join(thread);
      }
      assertEquals(1, won.get());
      assertEquals(threads - 1, refused.get());
    }
    simulation.close();
  }

  @Test
  void handedOverItBelongsToTheNextThreadThatTouchesIt() {
    Simulation simulation = Pendulum.open();
    simulation.handOver();
    OnThread.run(
        () -> {
          simulation.step(1);
          simulation.handOver();
        });
    simulation.step(1);
    simulation.handOver();
    OnThread.run(simulation::close);
    assertThrows(IllegalStateException.class, simulation::time);
  }

  @Test
  void aThreadThatEndedOwnsNothing() {
    Simulation simulation = OnThread.call(Pendulum::open);
    simulation.step(1);
    simulation.close();
  }
}
