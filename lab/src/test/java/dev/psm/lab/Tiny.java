package dev.psm.lab;

import dev.psm.core.env.GridMap;
import dev.psm.core.settings.Settings;
import java.util.List;

/** Runs of a second. */
final class Tiny {
  static final GridProblem PROBLEM = new GridProblem(GridMap.parse("tiny", "....\n.#..\n....\n"));

  private Tiny() {}

  static Pretrainer.Request request(AgentKind agent, long seed) {
    List<String> overrides =
        agent == AgentKind.PSM
            ? List.of(
                "basisDimension=4",
                "codesPerStep=4",
                "enrichedCodes=4",
                "coordinateWidth=16",
                "solveCodes=16",
                "gradientSteps=40")
            : List.of(
                "featureDimension=4",
                "forwardWidth=16",
                "featureWidth=16",
                "batchSize=16",
                "gradientSteps=40");
    Record settings = Settings.override(agent.preset("tabular"), overrides);
    return new Pretrainer.Request(PROBLEM, agent, "tabular", settings, seed);
  }
}
