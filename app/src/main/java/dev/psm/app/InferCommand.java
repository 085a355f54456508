package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.reward.Task;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.infer.Inference;
import dev.psm.lab.infer.InferenceResult;
import dev.psm.lab.infer.InferredTask;
import dev.psm.lab.run.TaskList;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "infer",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Task vectors of many rewards by one pass over a dataset of any size, each with its standard error. What solve says"
          + " from a model's 10,000 states, from all states of the data.",
      "",
      "The result is the same to the bit for any number of workers, wherever they are.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./psm infer runs/walker --data data/walker --rewards rewards.txt --out vectors.json",
      "  ./psm solve runs/walker --vectors vectors.json --task backwards --film backwards.gif"
    })
final class InferCommand implements Callable<Integer> {
  /** More lines would not be read. */
  private static final int SHOWN = 20;

  private static final int NAME_WIDTH = 40;

  @Mixin private Output output;
  @Mixin private WorkersOption workers;

  @Parameters(paramLabel = "DIR", description = "The folder that pretrain or export wrote.")
  private Path folder;

  @Option(names = "--data", required = true, paramLabel = "DATASET", description = "The dataset.")
  private Path data;

  @Option(
      names = "--rewards",
      required = true,
      paramLabel = "FILE",
      description =
          "The rewards, one a line: a formula, a task's name, or 'name: formula'; # begins a remark. A file named .json"
              + " holds {\"name\": \"formula\", …}.")
  private Path rewards;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Where the vectors go: .json, or .safetensors, which is shorter (default: vectors.json).")
  private Path out = Path.of("vectors.json");

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Which of a run's models (default: the lowest seed's).")
  private Long seed;

  @Option(names = "--force", description = "Replace a file that is there.")
  private boolean force;

  @Override
  public Integer call() {
    Destination.file("--out", out, ".json", ".safetensors");
    Destination.unused("--out", out, force);
    AgentFolder models = AgentFolder.open(folder);
    Path agent = seed == null ? models.agent() : models.agent(seed);
    List<Task> tasks = TaskList.of("all", rewards, models.world());
    InferenceResult result;
    try (Workers open = workers.open(false);
        Interruption interruption = new Interruption(() -> output.note("stopping"))) {
      result =
          interruption.tell(
              () ->
                  Inference.run(
                          agent,
                          data,
                          tasks,
                          open,
                          new WorkContext(output.progress(), output::note, interruption))
                      .orElseThrow(
                          () ->
                              UserError.failed(
                                  null, "stopped before the end of the data; nothing was written")),
              output::note);
    }
    result.write(out);
    tell(result);
    return 0;
  }

  private void tell(InferenceResult result) {
    double seconds = result.seconds();
    output.say(
        Wording.format(
            "%s on %s: %s in %s (%s for the errors) in %.1f s, %,.0f states a second",
            result.model().agent(),
            result.model().environment(),
            Wording.count(result.tasks().size(), "reward"),
            Wording.count(result.states(), "state"),
            Wording.count(result.units(), "unit"),
            seconds,
            result.states() / seconds));
    result.tasks().stream().limit(SHOWN).map(InferCommand::line).forEach(output::say);
    if (result.tasks().size() > SHOWN) {
      output.say("and %,d more".formatted(result.tasks().size() - SHOWN));
    }
    result.tasks().stream()
        .filter(InferredTask::isConstant)
        .forEach(
            task ->
                output.note(
                    "'%s' is %s in every state, so no behaviour is better than another"
                        .formatted(task.name(), task.meanReward() + 0.0)));
    output.say("vectors in " + out);
    ObjectNode document = result.toJson();
    document.put("out", out.toString());
    document.put("seconds", seconds).put("pilotSeconds", result.pilotSeconds());
    output.finish(document);
  }

  private static String line(InferredTask task) {
    String name =
        task.name().length() <= NAME_WIDTH
            ? task.name()
            : task.name().substring(0, NAME_WIDTH - 1) + "…";
    return Wording.format("  %-" + NAME_WIDTH + "s mean %.4g, ", name, task.meanReward())
        + (task.isConstant()
            ? "no direction"
            : Wording.format("direction ± %.2g°", Math.toDegrees(task.directionError())));
  }
}
