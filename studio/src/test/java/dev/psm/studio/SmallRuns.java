package dev.psm.studio;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.TrainingData;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.Evaluator;
import dev.psm.lab.run.RunContext;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.TrainingRun;
import dev.psm.torch.Device;
import dev.psm.torch.NativeLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Real runs on grids, short ones. */
public final class SmallRuns {
  public static final GridWorld ROOM =
      new GridWorld(GridMap.parse("room", "#####\n#...#\n#.#.#\n#...#\n#####"));

  private SmallRuns() {}

  /** An empty folder below the working one, so that the page shows a short name for it. */
  public static Path emptyFolder(String name) throws IOException {
    Path folder = Path.of("target", "tried", name);
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    return Files.createDirectories(folder);
  }

  /**
   * Trains an agent into a folder.
   *
   * @param steps null for as many as are usual
   */
  public static void train(Path folder, GridWorld world, String id, Integer steps) {
    NativeLibraries.load();
    Agent agent = Agents.named(id, world);
    String preset = agent.defaultPreset(world);
    Record settings = agent.settings(preset, world, steps, List.of());
    RunDescription run =
        new RunDescription(
            agent,
            preset,
            settings,
            RunDescription.Data.of(world),
            List.of(0L),
            Cadence.usual(agent, settings, world),
            Json.object().put("psm", "test"));
    TrainingRun.start(
        run,
        folder,
        false,
        new TrainingData.Complete(world),
        new RunContext(Device.CPU, Progress.SILENT, note -> {}, () -> false, Evaluator::of));
  }
}
