package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Milliseconds per step: by the clock, and of all processors together, which other work on the
 * machine hardly lengthens.
 */
record StepTime(double wall, double cpu) {
  /** The mean of so many steps. */
  static StepTime of(Runnable step, int steps) {
    return of(step, steps, () -> {});
  }

  /** The same of work that goes on behind the caller's back until it is waited for. */
  static StepTime of(Runnable step, int steps, Runnable wait) {
    wait.run();
    double cpu = cpuMilliseconds();
    long start = System.nanoTime();
    for (int i = 0; i < steps; i++) {
      step.run();
    }
    wait.run();
    double wall = (System.nanoTime() - start) / 1e6;
    return new StepTime(wall / steps, (cpuMilliseconds() - cpu) / steps);
  }

  static StepTime median(List<StepTime> times) {
    return new StepTime(median(times, StepTime::wall), median(times, StepTime::cpu));
  }

  /** The median of the rounds' ratios, each of neighbours in time. */
  static StepTime ratio(List<StepTime> ours, List<StepTime> theirs) {
    StepTime[] ratios = new StepTime[ours.size()];
    Arrays.setAll(
        ratios,
        i ->
            new StepTime(
                ours.get(i).wall / theirs.get(i).wall, ours.get(i).cpu / theirs.get(i).cpu));
    return median(List.of(ratios));
  }

  void describe(ObjectNode node) {
    node.put("millisecondsPerStep", wall).put("cpuMillisecondsPerStep", cpu);
  }

  private static double median(List<StepTime> times, ToDoubleFunction<StepTime> part) {
    double[] sorted = times.stream().mapToDouble(part).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** Of the whole process; NaN where the system does not say. */
  private static double cpuMilliseconds() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean process
        ? process.getProcessCpuTime() / 1e6
        : Double.NaN;
  }
}
