package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.study.GridReport;
import dev.psm.lab.study.GridResult;
import dev.psm.lab.study.GridTable;
import dev.psm.lab.study.ReproduceGrids;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "The main job in minutes: pretrain PSM, FB and Laplacian on the gridworld and on four rooms, solve goals,"
            + " print the errors beside the paper's, and write a report.")
final class DemoCommand implements Callable<Integer> {
  /** Fewer than their preset's, so that the whole takes minutes. */
  private static final int BASELINE_STEPS = 1_500;

  @Mixin private Output output;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Decides every random draw (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/demo",
      description = "Where the models and the report go (default: ${DEFAULT-VALUE}).")
  private Path folder;

  @Override
  public Integer call() {
    Destination.folder("--out", folder);
    output.note("pretraining three agents on two maps; two to four minutes on two cores");
    Optional<List<GridResult>> done =
        ReproduceCommand.Grids.run(
            new ReproduceGrids.Plan(
                List.of(
                    new GridWorld(GridMap.named("gridworld")),
                    new GridWorld(GridMap.named("four-rooms"))),
                List.of("psm", "fb", "laplacian"),
                List.of(seed),
                null,
                List.of(
                    "fb.gradientSteps=" + BASELINE_STEPS,
                    "laplacian.gradientSteps=" + BASELINE_STEPS),
                folder),
            new LocalWorkers(),
            output);
    if (done.isEmpty()) {
      output.finish(Json.object().put("finished", false));
      return 0;
    }
    List<GridResult> runs = done.get();
    Path report = folder.resolve("report.html").toAbsolutePath();
    AtomicFiles.writeText(folder.resolve("figure.svg"), new GridReport(runs).qFigure().svg());
    GridTable table = new GridTable(runs);
    output.say(table.text());
    output.say(
        Wording.format(
            "FB and Laplacian had %,d gradient steps here, fewer than their preset's, so that it takes minutes; the whole: ./psm reproduce grids",
            BASELINE_STEPS));
    output.say("");
    output.say("report: " + report);
    output.say("next:   ./psm solve " + Wording.shell(runs.get(0).folder()) + " --goal 2,7");
    ObjectNode document = table.json();
    document.put("report", report.toString());
    output.finish(document);
    return 0;
  }
}
