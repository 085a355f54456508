package dev.psm.lab.study;

import dev.psm.core.Wording;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** How long a gradient step took in runs that have ended, by what kind of run they were. */
public final class StepTimes {
  private static final double MINUTE = 60;
  private static final double HOUR = 3600;

  private final Map<String, DoubleSummaryStatistics> secondsPerStep = new HashMap<>();

  /** Takes note of a run that trained for so long. */
  public void add(String kind, double seconds, long steps) {
    secondsPerStep
        .computeIfAbsent(kind, any -> new DoubleSummaryStatistics())
        .accept(seconds / steps);
  }

  /** How long such a run trains, by the mean of those that have ended; empty where none has. */
  public OptionalDouble seconds(String kind, long steps) {
    DoubleSummaryStatistics known = secondsPerStep.get(kind);
    return known == null ? OptionalDouble.empty() : OptionalDouble.of(known.getAverage() * steps);
  }

  /** For a person. */
  public static String clock(double seconds) {
    return seconds < MINUTE
        ? Wording.format("%.1f s", seconds)
        : seconds < HOUR
            ? Wording.format("%.1f minutes", seconds / MINUTE)
            : Wording.format("%.1f hours", seconds / HOUR);
  }
}
