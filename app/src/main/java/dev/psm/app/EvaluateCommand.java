package dev.psm.app;

import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "evaluate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Grade a pretrained model. On a grid: policies for goals against shortest paths, and for other rewards against"
          + " value iteration. For continuous control: returns of every task, of every seed of a run, beside those of"
          + " random actions.",
      ""
    })
final class EvaluateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Output output;

  @Parameters(paramLabel = "DIR", description = "The folder that pretrain or export wrote.")
  private Path folder;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "On a grid, draws the goals (default: 0); for continuous control, grades only this seed's model.")
  private Long seed;

  @ArgGroup(validate = false, heading = "%nOn a grid:%n")
  private GridEvaluating onGrid = new GridEvaluating();

  @ArgGroup(validate = false, heading = "%nFor continuous control:%n")
  private ControlEvaluating control = new ControlEvaluating();

  @Override
  public Integer call() {
    MatchedOptions given = new MatchedOptions(spec);
    if (AgentFolder.isAgentFolder(folder)) {
      given.refuse(
          "is for grids; %s holds an agent of continuous control".formatted(folder),
          GridEvaluating.class);
      control.run(folder, seed, output);
    } else {
      given.refuse(
          "is for continuous control; " + AgentFolder.describeOther(folder),
          ControlEvaluating.class);
      onGrid.run(folder, seed == null ? 0 : seed, output);
    }
    return 0;
  }
}
