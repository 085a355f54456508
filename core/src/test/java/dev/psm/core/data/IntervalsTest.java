package dev.psm.core.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class IntervalsTest {
  @Test
  void everyIndexIsFoundInItsIntervalBesideEmptyOnes() {
    Random random = new Random(1);
    for (int trial = 0; trial < 200; trial++) {
      int longest = 1 << random.nextInt(12);
      long[] starts = new long[2 + random.nextInt(40)];
      for (int i = 1; i < starts.length; i++) {
        starts[i] = starts[i - 1] + (random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(longest));
      }
      if (starts[starts.length - 1] == 0) {
        continue;
      }
      Intervals intervals = new Intervals(starts);
      for (int interval = 0; interval < intervals.count(); interval++) {
        if (starts[interval] < starts[interval + 1]) {
          assertEquals(interval, intervals.of(starts[interval]));
          assertEquals(interval, intervals.of(starts[interval + 1] - 1));
        }
      }
    }
  }
}
