package dev.psm.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.stats.Histogram;
import dev.psm.core.stats.Summary;
import java.util.Arrays;
import java.util.Locale;

/**
 * A formula tried on many states: what it pays there, before an agent is trusted to it.
 *
 * @param finite the values that are finite, sorted
 * @param notANumber how many states give NaN
 * @param infinite how many give ±∞
 * @param firstBad the quantities of the first state that gives neither, or null
 */
@SuppressWarnings("ArrayRecordComponent")
public record RewardTrial(
    Formula formula,
    String states,
    double[] finite,
    int notANumber,
    int infinite,
    String firstBad) {

  private static final double[] QUANTILES = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
  private static final int BINS = 20;
  private static final int BAR = 50;

  public static RewardTrial of(Formula formula, StateSource source) {
    QuantityTable table = source.measure(formula.quantities());
    double[] values = formula.values(table);
    String firstBad = null;
    for (int row = 0; row < values.length && firstBad == null; row++) {
      if (!Double.isFinite(values[row])) {
        int at = row;
        firstBad = formula.state(quantity -> table.column(quantity)[at]);
      }
    }
    double[] finite = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    int notANumber = (int) Arrays.stream(values).filter(Double::isNaN).count();
    int infinite = values.length - finite.length - notANumber;
    return new RewardTrial(formula, source.description(), finite, notANumber, infinite, firstBad);
  }

  public int count() {
    return finite.length + notANumber + infinite;
  }

  /** Whether every state has a reward that can be paid. */
  public boolean sound() {
    return firstBad == null;
  }

  private double zeros() {
    return Arrays.stream(finite).filter(value -> value == 0).count() / (double) finite.length;
  }

  /** For a person. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("%s: %s%n".formatted(Wording.count(count(), "state"), states));
    if (finite.length > 0) {
      Summary summary = Summary.of(finite);
      line(text, "mean", summary.mean());
      if (finite.length > 1) {
        line(text, "std dev", summary.standardDeviation());
      }
      line(text, "min", summary.min());
      for (double share : QUANTILES) {
        line(
            text,
            String.format(Locale.ROOT, "%.0f %%", 100 * share),
            Histogram.quantile(finite, share));
      }
      line(text, "max", summary.max());
      text.append(String.format(Locale.ROOT, "  zero     %.1f %% of states%n", 100 * zeros()));
      text.append(Histogram.of(finite, BINS).draw(BAR));
    }
    return text.toString().stripTrailing();
  }

  private static void line(StringBuilder text, String name, double value) {
    text.append(String.format(Locale.ROOT, "  %-8s % .6g%n", name, value + 0.0));
  }

  public ObjectNode json() {
    ObjectNode document = Json.object();
    document.put("formula", formula.text());
    ArrayNode used = document.putArray("quantities");
    formula.quantities().stream().map(Quantity::name).forEach(used::add);
    document.put("states", states).put("count", count());
    document.put("notANumber", notANumber).put("infinite", infinite);
    if (finite.length == 0) {
      return document;
    }
    Summary summary = Summary.of(finite);
    document.put("mean", summary.mean());
    if (finite.length > 1) {
      document.put("standardDeviation", summary.standardDeviation());
    }
    document.put("min", summary.min()).put("max", summary.max()).put("zeros", zeros());
    ObjectNode quantiles = document.putObject("quantiles");
    for (double share : QUANTILES) {
      quantiles.put(Double.toString(share), Histogram.quantile(finite, share));
    }
    Histogram histogram = Histogram.of(finite, BINS);
    ObjectNode node = document.putObject("histogram");
    ArrayNode edges = node.putArray("edges");
    for (int i = 0; i <= histogram.counts().length; i++) {
      edges.add(histogram.edge(i));
    }
    ArrayNode counts = node.putArray("counts");
    for (int each : histogram.counts()) {
      counts.add(each);
    }
    return document;
  }
}
