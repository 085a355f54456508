package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.AgentKind;
import dev.psm.lab.GridProblem;
import dev.psm.lab.ModelFolder;
import dev.psm.lab.Pretrainer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "pretrain",
    mixinStandardHelpOptions = true,
    description =
        "Learn from reward-free experience, once; the model can then be asked for any reward.")
final class PretrainCommand implements Callable<Integer> {
  @Mixin private MapOption map;
  @Mixin private Output output;

  @Option(
      names = "--agent",
      paramLabel = "NAME",
      defaultValue = "psm",
      description = "psm, fb or laplacian (default: ${DEFAULT-VALUE}).")
  private String agentName;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "Named, complete settings: tabular, large (psm only) or paper (default: by the map's size).")
  private String preset;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Decides every random draw (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--out", paramLabel = "DIR", description = "Where the model goes.")
  private Path folder;

  @Option(names = "--force", description = "Replace a model that is already there.")
  private boolean force;

  @Option(
      names = "--settings",
      description = "Only print the settings, each with what it means, and stop.")
  private boolean onlySettings;

  @Parameters(
      paramLabel = "KEY=VALUE",
      arity = "0..*",
      description = "Overrides of the preset, such as gradientSteps=5000 or basisDimension=16.")
  private List<String> overrides = List.of();

  @Override
  public Integer call() {
    AgentKind agent = AgentKind.parse(agentName);
    GridMap grid = map.required();
    String presetName = preset != null ? preset : agent.defaultPreset(grid.freeCellCount());
    Record settings = Settings.override(agent.preset(presetName), overrides);
    output.say("agent " + agent.id() + ", preset " + presetName + ", seed " + seed);
    output.say(Settings.describe(settings));
    if (onlySettings) {
      output.finish(Settings.toJson(settings));
      return 0;
    }
    if (folder == null) {
      throw UserError.usage("where should the model go? Give --out DIR");
    }
    if (ModelFolder.isComplete(folder) && !force) {
      throw UserError.usage(
          "%s already holds a model; choose another --out, or replace it with --force", folder);
    }
    Pretrainer.Result result =
        ModelFolder.pretrain(
            new Pretrainer.Request(new GridProblem(grid), agent, presetName, settings, seed),
            folder,
            output.progress());
    Pretrainer.Point last = result.curve().get(result.curve().size() - 1);
    output.say(
        "%s learned %s in %.1f s: greedy policies%s are wrong in %.2f %% of cells over all %d goals"
            .formatted(
                agent.title(),
                grid.name(),
                result.seconds(),
                agent == AgentKind.PSM ? " (gpi)" : "",
                last.policyError(),
                grid.freeCellCount()));
    output.say("model in " + folder + "; try: ./psm solve " + folder + " --goal ROW,COL");
    ObjectNode document = Json.object();
    document.put("out", folder.toString());
    document.put("agent", agent.id());
    document.put("preset", presetName);
    document.put("seed", seed);
    document.put("seconds", result.seconds());
    document.set("settings", Settings.toJson(settings));
    ObjectNode metrics = document.putObject("metrics");
    last.metrics().forEach(metrics::put);
    output.finish(document);
    return 0;
  }
}
