package dev.psm.lab.sweep;

import dev.psm.core.stats.Interquartile;
import dev.psm.core.stats.Summary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a setting has come to so far.
 *
 * @param results by seed, of the runs that have ended
 * @param failures why runs came to no result, by their seeds
 * @param wanted seeds in all
 * @param interquartile from two seeds on
 * @param p Mann-Whitney's, two-sided, against the baseline; from two seeds on
 * @param best whether it is the best of its agent on its world, among those that are complete
 */
record SweepRow(
    SweepCell cell,
    List<SweepResult> results,
    Map<List<Long>, String> failures,
    int wanted,
    Summary summary,
    Optional<Interquartile> interquartile,
    Optional<Double> p,
    boolean best) {

  boolean isComplete() {
    return results.size() == wanted;
  }

  static double[] values(List<SweepResult> results) {
    return results.stream().mapToDouble(SweepResult::value).toArray();
  }

  SweepRow asBest() {
    return new SweepRow(cell, results, failures, wanted, summary, interquartile, p, true);
  }

  /** As in "3", "2 of 3" or "2 of 3, 1 failed". */
  String seeds() {
    int failed = failures.keySet().stream().mapToInt(List::size).sum();
    return results.size()
        + (isComplete() ? "" : " of " + wanted)
        + (failed > 0 ? ", " + failed + " failed" : "");
  }
}
