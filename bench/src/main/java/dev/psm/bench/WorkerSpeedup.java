package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.psm.core.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What more workers are worth to a pass: the same one by several numbers of them, in turns. */
final class WorkerSpeedup {
  /** Odd, so that one of them is the median. */
  static final int TURNS = 3;

  /**
   * A whole pass.
   *
   * @param seconds by the clock, of which the pilot took {@code pilotSeconds}
   */
  record Pass(double seconds, double pilotSeconds, double cpuSeconds) {}

  private final Map<Integer, List<Pass>> passes = new LinkedHashMap<>();

  void add(int workers, Pass pass) {
    passes.computeIfAbsent(workers, each -> new ArrayList<>()).add(pass);
  }

  private double median(int workers, ToDoubleFunction<Pass> number) {
    double[] sorted = passes.get(workers).stream().mapToDouble(number).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /**
   * Of each number of workers against the first.
   *
   * @param list takes them as objects
   * @return a line for each
   */
  List<String> lines(ArrayNode list) {
    List<String> lines = new ArrayList<>();
    List<Integer> numbers = List.copyOf(passes.keySet());
    int first = numbers.get(0);
    for (int workers : numbers.subList(1, numbers.size())) {
      double times = median(first, Pass::seconds) / median(workers, Pass::seconds);
      double pilotTimes = median(first, Pass::pilotSeconds) / median(workers, Pass::pilotSeconds);
      list.addObject()
          .put("workers", workers)
          .put("than", first)
          .put("times", times)
          .put("pilotTimes", pilotTimes);
      lines.add(
          Wording.format(
              "%s are %.2f times as fast as %d: %.1f s, of which the pilot %.1f, and %.1f CPU s; instead"
                  + " of %.1f, %.1f and %.1f (medians of %d)",
              Wording.count(workers, "worker"),
              times,
              first,
              median(workers, Pass::seconds),
              median(workers, Pass::pilotSeconds),
              median(workers, Pass::cpuSeconds),
              median(first, Pass::seconds),
              median(first, Pass::pilotSeconds),
              median(first, Pass::cpuSeconds),
              passes.get(first).size()));
    }
    return lines;
  }
}
