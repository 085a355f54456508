package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.lab.Progress;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * What batches take, one after the other, in milliseconds.
 *
 * @param first the very first one, before the compiler and the page tables have settled, and {@code
 *     firstCpu} its processor time
 * @param high not exceeded by 95 % of the batches
 * @param medianCpu processor time of the thread that asks for them, which other work on the machine
 *     does not lengthen
 */
record BatchTimes(
    int batches,
    double first,
    double firstCpu,
    double median,
    double high,
    double mean,
    double medianCpu,
    double meanCpu) {
  static BatchTimes measure(
      LongConsumer batch, int warmUp, int batches, String label, Progress progress) {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    double[] wall = new double[warmUp + batches];
    double[] cpu = new double[warmUp + batches];
    try (Progress.Bar bar = progress.start(label, wall.length)) {
      for (int i = 0; i < wall.length; i++) {
        long cpuStart = clock.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        batch.accept(i);
        wall[i] = (System.nanoTime() - start) / 1e6;
        cpu[i] = (clock.getCurrentThreadCpuTime() - cpuStart) / 1e6;
        bar.update(i + 1, "");
      }
    }
    double[] sorted = sorted(wall, warmUp);
    double[] sortedCpu = sorted(cpu, warmUp);
    return new BatchTimes(
        batches,
        wall[0],
        cpu[0],
        sorted[batches / 2],
        sorted[(int) Math.ceil(0.95 * batches) - 1],
        Arrays.stream(sorted).average().orElseThrow(),
        sortedCpu[batches / 2],
        Arrays.stream(sortedCpu).average().orElseThrow());
  }

  private static double[] sorted(double[] times, int from) {
    double[] sorted = Arrays.copyOfRange(times, from, times.length);
    Arrays.sort(sorted);
    return sorted;
  }

  void describe(ObjectNode node) {
    node.put("batches", batches);
    node.put("firstMilliseconds", first).put("firstCpuMilliseconds", firstCpu);
    node.put("medianMilliseconds", median).put("percentile95Milliseconds", high);
    node.put("meanMilliseconds", mean);
    node.put("medianCpuMilliseconds", medianCpu).put("meanCpuMilliseconds", meanCpu);
  }
}
