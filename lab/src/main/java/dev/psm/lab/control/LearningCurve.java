package dev.psm.lab.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.TextFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a seed earned as it learned.
 *
 * @param points in the order of training
 */
public record LearningCurve(List<Point> points) {

  /**
   * One evaluation.
   *
   * @param seconds of training until then
   * @param returns mean return per task, and their average under that name
   */
  public record Point(long step, double seconds, Map<String, Double> returns) {
    public double average() {
      return returns.getOrDefault(MetricsLog.AVERAGE, Double.NaN);
    }
  }

  /** Reads a seed's folder; what is no evaluation is passed over. */
  static LearningCurve read(Path seedFolder) {
    Path file = seedFolder.resolve(MetricsLog.NAME);
    List<Point> points = new ArrayList<>();
    int number = 0;
    for (String line : TextFiles.lines(file, "a metrics log")) {
      JsonNode node = Json.parse(line, file + ", line " + ++number);
      Map<String, Double> returns = new LinkedHashMap<>();
      node.fields()
          .forEachRemaining(
              field -> {
                if (field.getKey().startsWith(MetricsLog.RETURN)) {
                  returns.put(
                      field.getKey().substring(MetricsLog.RETURN.length()),
                      field.getValue().asDouble());
                }
              });
      if (!returns.isEmpty()) {
        points.add(new Point(node.path("step").asLong(), node.path("seconds").asDouble(), returns));
      }
    }
    return new LearningCurve(points);
  }

  /** After the last step. */
  Point last() {
    return points.get(points.size() - 1);
  }
}
