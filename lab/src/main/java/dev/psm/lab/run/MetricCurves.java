package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.stats.Summary;
import dev.psm.view.report.LineChart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What seeds logged as they learned: every number over the steps, mean and deviation. */
public final class MetricCurves {
  private final Map<String, SortedMap<Long, List<Double>>> values = new LinkedHashMap<>();

  private final int seeds;

  private MetricCurves(int seeds) {
    this.seeds = seeds;
  }

  /** Of folders that hold a seed each. */
  public static MetricCurves read(Collection<Path> seeds) {
    MetricCurves curves = new MetricCurves(seeds.size());
    seeds.forEach(curves::add);
    return curves;
  }

  private void add(Path seed) {
    Path file = seed.resolve(MetricsLog.NAME);
    if (!Files.isRegularFile(file)) {
      return;
    }
    List<JsonNode> lines = MetricsLog.read(seed);
    for (int i = 0; i < lines.size(); i++) {
      add(lines.get(i), file + ", line " + (i + 1));
    }
  }

  private void add(JsonNode line, String place) {
    JsonNode step = line.path(MetricsLog.STEP);
    if (!step.canConvertToLong() || !step.isIntegralNumber() || step.asLong() < 0) {
      throw UserError.invalid(
          "%s: field '%s' is %s, expected a whole number; delete the line",
          place, MetricsLog.STEP, step.isMissingNode() ? "missing" : step);
    }
    line.fields()
        .forEachRemaining(
            field -> {
              if (!MetricsLog.CLOCKS.contains(field.getKey())) {
                values
                    .computeIfAbsent(field.getKey(), any -> new TreeMap<>())
                    .computeIfAbsent(step.asLong(), any -> new ArrayList<>())
                    .add(number(field.getValue(), field.getKey(), place));
              }
            });
  }

  private static double number(JsonNode value, String name, String place) {
    if (value.isNumber()) {
      return value.asDouble();
    }
    if (Set.of("NaN", "Infinity", "-Infinity").contains(value.asText())) {
      return Double.NaN;
    }
    throw UserError.invalid(
        "%s: field '%s' is %s, expected a number; delete the line", place, name, value);
  }

  /** Grades first, the one that stands for all before; then the rest, in the order of the log. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (Grade grade : Grade.values()) {
      if (values.containsKey(grade.metric(grade.headline()))) {
        names.add(grade.metric(grade.headline()));
      }
    }
    values.keySet().stream().filter(name -> Grade.of(name).isPresent()).forEach(names::add);
    names.addAll(values.keySet());
    return names;
  }

  /**
   * Adds one number's curve to a chart, as far as all seeds have come.
   *
   * @return whether there was any
   */
  public boolean draw(String name, String label, LineChart chart) {
    if (!values.containsKey(name)) {
      return false;
    }
    SortedMap<Long, List<Double>> curve = new TreeMap<>(values.get(name));
    curve.values().removeIf(all -> all.size() < seeds);
    if (curve.isEmpty()) {
      return false;
    }
    double[] steps = curve.keySet().stream().mapToDouble(Long::doubleValue).toArray();
    List<Summary> summaries =
        curve.values().stream()
            .map(all -> Summary.of(all.stream().mapToDouble(Double::doubleValue).toArray()))
            .toList();
    double[] means = summaries.stream().mapToDouble(Summary::mean).toArray();
    double[] spreads =
        summaries.stream().mapToDouble(s -> seeds > 1 ? s.standardDeviation() : 0).toArray();
    chart.band(label, steps, means, spreads);
    return true;
  }
}
