package dev.psm.lab.sweep;

import dev.psm.core.stats.Interquartile;
import dev.psm.core.stats.MannWhitney;
import dev.psm.core.stats.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a sweep has come to so far: a row per world, agent and setting. */
public final class SweepOutcome {
  private static final int RESAMPLES = 2000;

  private final SweepPlan plan;
  private final int finished;
  private final int failed;
  private final List<SweepRow> rows = new ArrayList<>();

  /**
   * @param finished results by run
   * @param failures reasons by run
   */
  SweepOutcome(
      SweepPlan plan,
      Map<SweepPlan.Run, List<SweepResult>> finished,
      Map<SweepPlan.Run, String> failures) {
    this.plan = plan;
    this.finished = finished.size();
    this.failed = failures.size();
    Map<SweepCell, List<SweepResult>> results = new HashMap<>();
    Map<SweepCell, Map<List<Long>, String>> reasons = new HashMap<>();
    for (SweepCell cell : plan.cells()) {
      results.put(cell, new ArrayList<>());
      reasons.put(cell, new LinkedHashMap<>());
    }
    finished.forEach((run, own) -> results.get(run.cell()).addAll(own));
    // In the order of the seeds, whichever came to its end first: sums depend on it.
    results.values().forEach(own -> own.sort(Comparator.comparingInt(this::seedIndex)));
    failures.forEach((run, reason) -> reasons.get(run.cell()).put(run.seeds(), reason));
    for (SweepCell cell : plan.cells()) {
      SweepCell baseline = plan.baseline(cell.world().label());
      rows.add(
          row(
              cell,
              results.get(cell),
              reasons.get(cell),
              cell.equals(baseline) ? List.of() : results.get(baseline)));
    }
    markBest();
  }

  private int seedIndex(SweepResult result) {
    return plan.sweep().seeds().indexOf(result.seed());
  }

  private SweepRow row(
      SweepCell cell,
      List<SweepResult> results,
      Map<List<Long>, String> failures,
      List<SweepResult> baseline) {
    double[] values = SweepRow.values(results);
    return new SweepRow(
        cell,
        results,
        failures,
        plan.sweep().seeds().size(),
        Summary.of(values),
        values.length < 2 ? Optional.empty() : Optional.of(Interquartile.of(values, RESAMPLES, 0)),
        values.length < 2 || baseline.size() < 2
            ? Optional.empty()
            : Optional.of(MannWhitney.test(SweepRow.values(baseline), values).p()),
        false);
  }

  /** Of equal ones the first is the best. */
  private void markBest() {
    Map<List<Object>, Integer> best = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      SweepRow row = rows.get(i);
      if (row.isComplete()) {
        List<Object> group = List.of(row.cell().world().label(), row.cell().agent().id());
        Integer before = best.get(group);
        if (before == null || isBetter(row, rows.get(before))) {
          best.put(group, i);
        }
      }
    }
    best.values().forEach(i -> rows.set(i, rows.get(i).asBest()));
  }

  private static boolean isBetter(SweepRow row, SweepRow other) {
    double mean = row.summary().mean();
    double before = other.summary().mean();
    return row.cell().world().isSmallerBetter() ? mean < before : mean > before;
  }

  SweepPlan plan() {
    return plan;
  }

  /** In the order of the plan's settings. */
  List<SweepRow> rows() {
    return rows;
  }

  List<SweepRow> rows(SweptWorld world) {
    return rows.stream().filter(row -> row.cell().isOn(world)).toList();
  }

  /** Runs that have ended well. */
  public int finished() {
    return finished;
  }

  /** Runs that came to no result. */
  public int failed() {
    return failed;
  }
}
