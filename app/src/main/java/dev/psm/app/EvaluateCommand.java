package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
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
          + " value iteration. Where episodes draw goals that the model takes: how many are reached. Else: returns of"
          + " every task. Every seed of a run is graded; goals reached and returns stand beside those of random actions.",
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
      description = "Grade only this seed's model of a run.")
  private Long seed;

  @Option(
      names = "--seeds",
      paramLabel = "all|N,M",
      description = "Which seeds' models of a run (default: all).")
  private String seeds = "all";

  @Option(
      names = "--start-seed",
      paramLabel = "N",
      description =
          "Draws where episodes begin, or which goals are tried, the same for all models (default: 0).")
  private long startSeed;

  @Option(
      names = "--goals",
      paramLabel = "all|N",
      description =
          "On a grid every goal, or N drawn at random by --start-seed (default: all); where episodes draw a goal, how"
              + " many episodes (default: 100).")
  private String goals;

  @Option(names = "--method", paramLabel = "NAME", description = Methods.HELP)
  private String method;

  @ArgGroup(validate = false, heading = "%nFor robots and other worlds:%n")
  private ControlEvaluating control = new ControlEvaluating();

  @Override
  public Integer call() {
    MatchedOptions given = new MatchedOptions(spec);
    AgentFolder models = AgentFolder.open(folder);
    if (models.world() instanceof FiniteWorld world) {
      given.refuse(
          "is for continuous control; %s holds a model of %s, whose states are known"
              .formatted(folder, world.name()),
          ControlEvaluating.class);
      new FiniteEvaluating(goals == null ? "all" : goals, method)
          .run(chosen(models), startSeed, output);
    } else {
      control.run(chosen(models), startSeed, goals, method, given, output);
    }
    return 0;
  }

  private Map<String, Path> chosen(AgentFolder folder) {
    Map<String, Path> models = new LinkedHashMap<>();
    if (seed != null) {
      if (!seeds.equals("all")) {
        throw UserError.invalid("give --seed or --seeds, not both");
      }
      models.put(seed.toString(), folder.agent(seed));
    } else if (!seeds.equals("all")) {
      for (String word : seeds.split(",", -1)) {
        long wanted = number(word.strip());
        if (models.put(Long.toString(wanted), folder.agent(wanted)) != null) {
          throw UserError.invalid("--seeds: %d is given twice", wanted);
        }
      }
    } else if (folder.seeds().isEmpty()) {
      models.put("", folder.agent());
    } else {
      folder.seeds().forEach(each -> models.put(each.toString(), folder.agent(each)));
    }
    return models;
  }

  private static long number(String word) {
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw UserError.invalid(
          "--seeds: expected 'all' or whole numbers with commas between them, found '%s'", word);
    }
  }
}
