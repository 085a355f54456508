package dev.psm.lab.study;

import dev.psm.agents.Agent;
import dev.psm.core.env.GridMap;
import java.util.Map;

/**
 * The paper's own figures for the grids (its table of average errors over 10 goals and 3 seeds), in
 * per cent.
 */
final class PaperGrids {
  /**
   * A mean and its spread.
   *
   * @param spread the paper's ±
   */
  record Figure(double mean, double spread) {}

  private static final Map<String, Map<String, Figure>> ERRORS =
      Map.of(
          "gridworld",
          Map.of(
              "laplacian", new Figure(19.28, 2.34),
              "fb", new Figure(14.53, 0.68),
              "psm", new Figure(2.05, 1.20)),
          // The paper's table calls it "discrete maze".
          "four-rooms",
          Map.of(
              "laplacian", new Figure(38.47, 7.01),
              "fb", new Figure(28.80, 10.50),
              "psm", new Figure(11.54, 1.07)));

  private PaperGrids() {}

  /** Null where the paper has none. */
  static Figure error(GridMap map, Agent agent) {
    Map<String, Figure> figures = ERRORS.get(map.name());
    // A user's map may share a name with the paper's.
    return figures != null && GridMap.named(map.name()).lines().equals(map.lines())
        ? figures.get(agent.id())
        : null;
  }
}
