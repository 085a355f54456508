package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.lab.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a log shows of long work, by a clock of its own. */
class TerminalProgressTest {
  private final ByteArrayOutputStream caught = new ByteArrayOutputStream();
  private long now = -5_000_000_000L;
  private final Progress progress =
      new TerminalProgress(new PrintStream(caught, true, StandardCharsets.UTF_8), false, () -> now);

  private void pass(double seconds) {
    now += (long) (seconds * 1e9);
  }

  private List<String> lines() {
    return caught.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void everyTenthHasALine() {
    try (Progress.Bar bar = progress.start("work", 100)) {
      for (int done = 1; done <= 100; done++) {
        pass(1);
        bar.update(done, "");
      }
    }
    assertEquals(10, lines().size());
    assertEquals("psm: work 10/100  1.0/s  1 min 30 s left", lines().get(0));
    assertEquals("psm: work 100/100  1.0/s  took 1 min 40 s", lines().get(9));
  }

  @Test
  void slowWorkHasALineAMinute() {
    try (Progress.Bar bar = progress.start("work", 1_000_000)) {
      for (int done = 1; done <= 720; done++) {
        pass(1);
        bar.update(done, "");
      }
    }
    assertEquals(12, lines().size());
  }

  @Test
  void quickWorkHasOneLine() {
    try (Progress.Bar bar = progress.start("work", 1000)) {
      for (int done = 1; done <= 1000; done++) {
        pass(0.0001);
        bar.update(done, "");
      }
    }
    assertEquals(List.of("psm: work 1000/1000  10000/s  took 0 s"), lines());
  }

  /** What happens before the first unit says nothing about the others. */
  @Test
  void thePaceIsMeasuredFromTheFirstUnitOn() {
    try (Progress.Bar bar = progress.start("work", 100)) {
      pass(70);
      bar.update(1, "");
      assertFalse(lines().get(0).contains("left"), lines().get(0));
      for (int done = 2; done <= 11; done++) {
        pass(1);
        bar.update(done, "return 3");
      }
    }
    assertTrue(lines().get(1).endsWith("10/100  1.0/s  1 min 30 s left  return 3"), lines().get(1));
  }
}
