package dev.psm.app;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "pretrain",
    mixinStandardHelpOptions = true,
    description = {
      "Learn from reward-free experience, once; the model can then be asked for any reward.",
      "",
      "With --data it learns from a dataset, with --env or --map from all transitions of a grid or of another world"
          + " whose states are few and known. Either is a run that may be stopped or killed at any moment and goes on by"
          + " --resume as if it had not been.",
      ""
    })
final class PretrainCommand implements Callable<Integer> {
  @Mixin private MapOption map;
  @Mixin private RunOptions run;
  @Mixin private Output output;

  @Spec
  void listAgents(CommandSpec spec) {
    List<String> lines = new ArrayList<>();
    Agents.all().stream()
        .collect(Collectors.groupingBy(Agent::learnable, LinkedHashMap::new, Collectors.toList()))
        .forEach(
            (learnable, agents) -> {
              lines.addAll(List.of("", "Agents that learn " + learnable + ":"));
              agents.forEach(
                  agent -> lines.add("  %-10s %s".formatted(agent.id(), agent.summary())));
            });
    spec.usageMessage().footer(lines.toArray(String[]::new));
  }

  @Option(
      names = "--agent",
      paramLabel = "NAME",
      completionCandidates = AgentNames.class,
      description = "One of ${COMPLETION-CANDIDATES}; see below (default: psm).")
  private String agent;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "Named, complete settings. From data: small (default), paper or released; psm and fb also small-far, for targets"
              + " hundreds of steps away; hilp also authors-walker and the like. On a grid: tabular, large (psm only) or paper (default: by the number of states).")
  private String preset;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides every random draw (default: 0).")
  private Long seed;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description =
          "Gradient steps in all; from data, the phases of a two-phase agent keep their shares.")
  private Integer steps;

  @Option(names = "--out", paramLabel = "DIR", description = "Where the model or the run goes.")
  private Path folder;

  @Option(
      names = "--force",
      description =
          "Replace a run that is already there. It is kept, as DIR/.replaced, until the new one has a"
              + " checkpoint, and comes back if that one fails before.")
  private boolean force;

  @Option(
      names = "--settings",
      description =
          "Only print the settings for the --env, --map or --data given, each with what it means,"
              + " and stop.")
  private boolean onlySettings;

  @Parameters(
      paramLabel = "KEY=VALUE",
      arity = "0..*",
      description = "Overrides of the preset, such as gradientSteps=5000 or discount=0.95.")
  private List<String> overrides = List.of();

  @Override
  public Integer call() {
    PretrainRequest request =
        new PretrainRequest(agent, preset, seed, folder, force, onlySettings, steps, overrides);
    boolean onData = run.data != null || run.resume;
    if (!map.isGiven() && !onData) {
      throw onlySettings
          ? UserError.invalid(
              "--settings: they depend on what is learned from; add --env gridworld (or another map)"
                  + " for a grid, --data DIR for a dataset, or --resume --out DIR for a run")
          : UserError.invalid(
              "what should it learn from? Give --data DIR for a dataset, or --env NAME or --map FILE"
                  + " for a grid");
    }
    if (map.isGiven() && run.data != null) {
      throw UserError.invalid(
          "--env and --map mean all transitions of a world, --data means a dataset: give one of"
              + " them");
    }
    run.stop.check();
    return new Pretraining(request, map, run, output).run();
  }
}
