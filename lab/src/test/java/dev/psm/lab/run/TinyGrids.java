package dev.psm.lab.run;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.TrainingData;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** Runs of a second on a map of eleven cells. */
public final class TinyGrids {
  public static final GridWorld WORLD = new GridWorld(GridMap.parse("tiny", "....\n.#..\n....\n"));
  static final int STEPS = 40;

  private TinyGrids() {}

  public static RunDescription describe(String agent, List<Long> seeds) {
    Agent found = Agents.named(agent, WORLD);
    List<String> settings = new ArrayList<>(List.of("gradientSteps=" + STEPS));
    settings.addAll(
        agent.equals("psm")
            ? List.of(
                "basisDimension=4",
                "codesPerStep=4",
                "enrichedCodes=4",
                "coordinateWidth=16",
                "solveCodes=16")
            : List.of("featureDimension=4", "forwardWidth=16", "featureWidth=16", "batchSize=16"));
    return new RunDescription(
        found,
        "tabular",
        found.settings("tabular", WORLD, null, settings),
        RunDescription.Data.of(WORLD),
        seeds,
        new Cadence(5, 10, 1, 10, 2),
        Provenance.software());
  }

  static RunContext context(Progress progress, BooleanSupplier stop) {
    return new RunContext(Device.CPU, progress, note -> {}, stop, Evaluator::of);
  }

  public static TrainingOutcome train(String agent, long seed, Path folder) {
    return start(describe(agent, List.of(seed)), folder, context(Progress.SILENT, () -> false));
  }

  static TrainingOutcome start(RunDescription run, Path folder, RunContext context) {
    return TrainingRun.start(run, folder, false, new TrainingData.Complete(WORLD), context);
  }

  static TrainingOutcome resume(Path folder, RunContext context) {
    RunDescription run = new RunFolder(folder).description();
    TrainingData data = new TrainingData.Complete((GridWorld) run.world());
    return TrainingRun.resume(run, folder, OptionalLong.empty(), data, context);
  }
}
