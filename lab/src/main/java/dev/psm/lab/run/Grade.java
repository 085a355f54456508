package dev.psm.lab.run;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What an evaluation finds out, and under which names it is logged. */
public enum Grade {
  /** Returns of episodes that were played, by task. */
  RETURNS("returns", "return/", "average"),

  /**
   * Errors against exact solutions, in per cent: {@code goals}, wrong actions on the way to goals,
   * and {@code rewards}, value lost on other rewards.
   */
  ERRORS("errors", "error/", "goals");

  private final String plural;
  private final String prefix;
  private final String headline;

  Grade(String plural, String prefix, String headline) {
    this.plural = plural;
    this.prefix = prefix;
    this.headline = headline;
  }

  /** Of a number in a log; empty for what training itself says. */
  static Optional<Grade> of(String metric) {
    return Arrays.stream(values()).filter(grade -> metric.startsWith(grade.prefix)).findFirst();
  }

  /** What several are called, in files and sentences. */
  public String plural() {
    return plural;
  }

  /** The one that stands for all, without its prefix. */
  public String headline() {
    return headline;
  }

  /** The name in a log. */
  public String metric(String name) {
    return prefix + name;
  }

  /** The name that a log's begins with a prefix. */
  public String name(String metric) {
    return metric.substring(prefix.length());
  }

  Map<String, Double> logged(Map<String, Double> values) {
    Map<String, Double> named = new LinkedHashMap<>();
    values.forEach((name, value) -> named.put(metric(name), value));
    return named;
  }
}
