package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.study.GridResult;
import dev.psm.lab.study.GridTable;
import dev.psm.lab.study.ReproduceGrids;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "EXPERIMENT",
    description = "A table or figure of the paper, next to the paper's own numbers.",
    subcommands = {
      ReproduceCommand.Grids.class,
      ReproduceFetch.class,
      ReproduceControl.Dmc.class,
      ReproduceControl.Ablation.class
    })
final class ReproduceCommand extends CommandGroup {
  ReproduceCommand() {
    super("an experiment");
  }

  @Command(
      name = "grids",
      mixinStandardHelpOptions = true,
      description = {
        "The paper's grid experiment: policy errors of PSM, FB and Laplacian on gridworld and four rooms, over seeds.",
        "Finished runs are kept in --out; the same command again only does what is missing."
      })
  static final class Grids implements Callable<Integer> {
    @Mixin private Output output;
    @Mixin private WorkersOption workers;

    @Option(
        names = "--env",
        paramLabel = "NAME",
        split = ",",
        description = "Built-in maps (default: gridworld,four-rooms).")
    private List<String> environments = List.of();

    @Option(
        names = "--map",
        paramLabel = "FILE",
        description = "A map of your own; may be given several times.")
    private List<Path> files = List.of();

    @Option(
        names = "--agents",
        paramLabel = "NAME",
        split = ",",
        defaultValue = "psm,fb,laplacian",
        description = "Which agents (default: ${DEFAULT-VALUE}).")
    private List<String> agents;

    @Option(
        names = {"--seeds", "--seed"},
        paramLabel = "N",
        split = ",",
        defaultValue = "0,1,2,3,4",
        description = "Seeds (default: ${DEFAULT-VALUE}).")
    private List<Long> seeds;

    @Option(
        names = "--preset",
        paramLabel = "NAME",
        description = "Settings of all agents (default: each agent's own default).")
    private String preset;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        defaultValue = "runs/grids",
        description = "Where runs and results go (default: ${DEFAULT-VALUE}).")
    private Path folder;

    @Parameters(
        paramLabel = "AGENT.KEY=VALUE",
        arity = "0..*",
        description = "Overrides, such as psm.gradientSteps=5000 or fb.learningRate=1e-3.")
    private List<String> overrides = List.of();

    @Override
    public Integer call() {
      Destination.folder("--out", folder);
      List<GridWorld> maps = new ArrayList<>();
      files.forEach(file -> maps.add(new GridWorld(GridMap.read(file))));
      List<String> names =
          environments.isEmpty() && files.isEmpty()
              ? List.of("gridworld", "four-rooms")
              : environments;
      names.forEach(name -> maps.add(new GridWorld(GridMap.named(name))));
      List<String> mapNames = maps.stream().map(GridWorld::name).toList();
      if (mapNames.stream().distinct().count() < mapNames.size()) {
        throw UserError.invalid("two maps share a name: %s", mapNames);
      }
      Optional<List<GridResult>> runs =
          run(
              new ReproduceGrids.Plan(maps, agents, seeds, preset, overrides, folder),
              workers.open(false, folder),
              output);
      if (runs.isEmpty()) {
        if (!workers.isQueued()) {
          output.say("not all runs are finished; the same command goes on");
        }
        output.finish(Json.object().put("finished", false));
        return workers.isQueued() ? 0 : 1;
      }
      GridTable table = new GridTable(runs.get());
      output.say(table.text());
      output.say(
          "report in %s, table.csv and results.json beside it"
              .formatted(folder.resolve("report.html")));
      ObjectNode document = table.json();
      document.put("out", folder.toString());
      output.finish(document);
      return 0;
    }

    /** Empty where it was stopped before its end. */
    static Optional<List<GridResult>> run(
        ReproduceGrids.Plan plan, Workers workers, Output output) {
      try (workers;
          Interruption interruption =
              new Interruption(() -> output.note("stopping after this step, and saving it"))) {
        Optional<List<GridResult>> runs =
            interruption.tell(
                () ->
                    ReproduceGrids.run(
                        plan,
                        Device.CPU,
                        workers,
                        new WorkContext(output.progress(), output::note, interruption)),
                output::note);
        if (runs.isEmpty() && interruption.getAsBoolean()) {
          output.say("stopped, and saved; the same command goes on where it was");
        }
        return runs;
      }
    }
  }
}
