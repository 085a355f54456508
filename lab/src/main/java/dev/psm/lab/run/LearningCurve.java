package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a seed was worth as it learned.
 *
 * @param points in the order of training
 */
public record LearningCurve(List<Point> points) {

  /**
   * One evaluation.
   *
   * @param seconds of training until then
   * @param grades by name, such as mean returns by task
   * @param milestones by their names in the log
   */
  public record Point(
      long step, double seconds, Map<String, Double> grades, Map<String, Double> milestones) {
    /** The one that stands for all. */
    public double headline(Grade grade) {
      return grades.getOrDefault(grade.headline(), Double.NaN);
    }
  }

  /** Reads a seed's folder, which need not have a log yet; what is no evaluation is passed over. */
  static LearningCurve read(Path seedFolder) {
    List<Point> points = new ArrayList<>();
    if (!Files.exists(seedFolder.resolve(MetricsLog.NAME))) {
      return new LearningCurve(points);
    }
    for (JsonNode node : MetricsLog.read(seedFolder)) {
      Map<String, Double> grades = Grade.in(node);
      if (!grades.isEmpty()) {
        Map<String, Double> milestones = new LinkedHashMap<>();
        node.fields()
            .forEachRemaining(
                field -> {
                  if (Evaluation.isMilestoneMetric(field.getKey())) {
                    milestones.put(field.getKey(), field.getValue().asDouble());
                  }
                });
        points.add(
            new Point(
                node.path("step").asLong(), node.path("seconds").asDouble(), grades, milestones));
      }
    }
    return new LearningCurve(points);
  }

  /** The last point up to a step; empty where the first is later. */
  public Optional<Point> at(long step) {
    return points.stream().filter(point -> point.step <= step).reduce((first, next) -> next);
  }

  /** After the last step. */
  public Point last() {
    return points.get(points.size() - 1);
  }
}
