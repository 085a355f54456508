package dev.psm.lab.sweep;

import dev.psm.core.io.DecimalNumber;
import dev.psm.core.stats.Summary;
import dev.psm.view.report.BarChart;
import dev.psm.view.report.HtmlReport;
import dev.psm.view.report.LineChart;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a setting does: the grade over its values, each agent's mean and spread over all runs with
 * that value, whatever their other settings.
 */
final class SettingFigure {
  /** Values this far apart are shown by powers of ten. */
  private static final double LOGARITHMIC_RATIO = 10;

  private final SweptWorld world;
  private final String key;

  /** By agent and value. */
  private final Map<String, Map<String, List<Double>>> results = new LinkedHashMap<>();

  SettingFigure(SweptWorld world, String key, List<SweepRow> rows) {
    this.world = world;
    this.key = key;
    for (SweepRow row : rows) {
      String value = row.cell().values().get(key);
      if (value != null && !row.results().isEmpty()) {
        List<Double> own =
            results
                .computeIfAbsent(row.cell().agent().title(), any -> new LinkedHashMap<>())
                .computeIfAbsent(value, any -> new ArrayList<>());
        row.results().forEach(result -> own.add(result.value()));
      }
    }
  }

  /** Nothing where the setting has one value. */
  void addTo(HtmlReport report) {
    List<String> values =
        results.values().stream().flatMap(each -> each.keySet().stream()).distinct().toList();
    if (values.size() < 2) {
      return;
    }
    String caption =
        "%s, by %s: mean over all runs with a value, whatever their other settings%s"
            .formatted(
                world.unit(),
                key,
                isNumeric(values) ? ", and their standard deviation as a band." : ".");
    if (isNumeric(values)) {
      report.figure(lines(values), caption);
    } else {
      report.figure(bars(values), caption);
    }
  }

  private static boolean isNumeric(List<String> values) {
    return values.stream().map(DecimalNumber::parse).allMatch(Optional::isPresent);
  }

  private static double number(String value) {
    return DecimalNumber.parse(value).map(BigDecimal::doubleValue).orElseThrow();
  }

  private LineChart lines(List<String> values) {
    LineChart chart =
        LineChart.of("%s on %s".formatted(key, world.label()), key, world.unit()).yFromZero();
    double low = values.stream().mapToDouble(SettingFigure::number).min().orElseThrow();
    double high = values.stream().mapToDouble(SettingFigure::number).max().orElseThrow();
    if (low > 0 && high / low >= LOGARITHMIC_RATIO) {
      chart.xLogarithmic();
    }
    results.forEach(
        (agent, byValue) -> {
          TreeMap<Double, Summary> sorted = new TreeMap<>();
          byValue.forEach((value, own) -> sorted.put(number(value), summary(own)));
          chart.band(
              agent,
              sorted.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
              sorted.values().stream().mapToDouble(Summary::mean).toArray(),
              sorted.values().stream()
                  .mapToDouble(each -> each.count() > 1 ? each.standardDeviation() : 0)
                  .toArray());
        });
    return chart;
  }

  private BarChart bars(List<String> values) {
    BarChart chart =
        BarChart.of(
            "%s on %s".formatted(key, world.label()), world.unit(), values.toArray(String[]::new));
    results.forEach(
        (agent, byValue) ->
            chart.bars(
                agent,
                values.stream()
                    .mapToDouble(
                        value ->
                            byValue.containsKey(value)
                                ? summary(byValue.get(value)).mean()
                                : Double.NaN)
                    .toArray()));
    return chart;
  }

  private static Summary summary(List<Double> values) {
    return Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
