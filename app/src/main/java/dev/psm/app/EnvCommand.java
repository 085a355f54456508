package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.lab.Provenance;
import dev.psm.lab.Replay;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "env",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    description = "The environments: what there is, random episodes, replays, films.",
    subcommands = {
      EnvCommand.ListAll.class,
      EnvRandomCommand.class,
      EnvCommand.ReplayControls.class,
      EnvFilmCommand.class
    })
final class EnvCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "what to do is missing");
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description =
          "Environments with their tasks and sizes; with a NAME, also every quantity that a reward may use.")
  static final class ListAll implements Callable<Integer> {
    @Mixin private Output output;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "One environment, in full.")
    private String name;

    @Override
    public Integer call() {
      List<DomainFacts> shown = name == null ? DomainFacts.all() : List.of(DomainFacts.named(name));
      ObjectNode document = Json.object();
      ArrayNode environments = document.putArray("environments");
      for (DomainFacts facts : shown) {
        say(facts);
        environments.add(json(facts));
      }
      if (name == null) {
        output.say("Quantities with unit and meaning: psm env list NAME");
        output.say("Grids: gridworld, four-rooms and others; see psm pretrain --help");
      }
      engine(document);
      output.finish(document);
      return 0;
    }

    /** A machine without it can still be told what there is. */
    private void engine(ObjectNode document) {
      try {
        MujocoLibrary library = MujocoLibrary.load();
        output.say(
            "Engine: %s, %s, %s".formatted(library.engine(), library.file(), library.source()));
        document
            .putObject(Provenance.ENGINE)
            .put("version", library.version())
            .put("file", library.file())
            .put("source", library.source());
      } catch (UserError e) {
        output.say("Engine: none. " + e.getMessage());
        document.putNull(Provenance.ENGINE);
      }
    }

    private void say(DomainFacts facts) {
      output.say(
          "%s: %s%n  observation %d, action %s, %d steps of %s s (%d of the engine each)"
              .formatted(
                  facts.name(),
                  facts.title(),
                  facts.observationSize(),
                  facts.discreteActions() > 0
                      ? facts.discreteActions() + " numbered"
                      : facts.actionSize() + " in [-1, 1]",
                  facts.episodeSteps(),
                  facts.controlTimestep(),
                  facts.substeps()));
      if (name == null) {
        output.say("  tasks       " + join(facts.tasks().stream().map(Task::name).toList()));
        output.say(
            "  quantities  " + join(facts.quantities().stream().map(Quantity::name).toList()));
        output.say("");
        return;
      }
      output.say("  tasks");
      facts
          .tasks()
          .forEach(
              task -> {
                output.say(row(task.name(), "", task.meaning()));
                output.say(row("", "", "= " + task.formula()));
              });
      output.say("  quantities");
      facts.quantities().forEach(each -> output.say(row(each.name(), each.unit(), each.meaning())));
    }

    private static String row(String name, String unit, String meaning) {
      return String.format(Locale.ROOT, "    %-27s %-9s %s", name, unit, meaning);
    }

    /** Wrapped under its heading. */
    private static String join(List<String> names) {
      StringBuilder text = new StringBuilder();
      int width = 0;
      for (String each : names) {
        if (width > 0 && width + each.length() > 100) {
          text.append(",\n").append(" ".repeat(14));
          width = 0;
        } else if (width > 0) {
          text.append(", ");
        }
        text.append(each);
        width += each.length() + 2;
      }
      return text.toString();
    }

    private static ObjectNode json(DomainFacts facts) {
      ObjectNode node = Json.object();
      node.put("name", facts.name());
      node.put("title", facts.title());
      node.put("observationSize", facts.observationSize());
      node.put("actionSize", facts.actionSize());
      node.put("discreteActions", facts.discreteActions());
      node.put("episodeSteps", facts.episodeSteps());
      node.put("controlTimestep", facts.controlTimestep());
      node.put("substeps", facts.substeps());
      node.put("physicsSize", facts.physicsSize());
      ArrayNode tasks = node.putArray("tasks");
      facts
          .tasks()
          .forEach(
              task ->
                  tasks
                      .addObject()
                      .put("name", task.name())
                      .put("meaning", task.meaning())
                      .put("formula", task.formula()));
      ArrayNode quantities = node.putArray("quantities");
      facts
          .quantities()
          .forEach(
              each ->
                  quantities
                      .addObject()
                      .put("name", each.name())
                      .put("unit", each.unit())
                      .put("meaning", each.meaning()));
      return node;
    }
  }

  @Command(
      name = "replay",
      mixinStandardHelpOptions = true,
      description = {
        "Drive an environment through given controls and write down every step with 17 digits:"
            + " positions, velocities, observation, the reward of every task, every quantity.",
        "",
        "FILE is JSON: {\"initial\": {\"qpos\": [...], \"qvel\": [...], \"act\": [...]}, \"controls\": [[...], ...]}, where"
            + " controls are raw actuator values. FetchReach takes \"actions\" instead: four numbers, or the number of"
            + " a discrete action. Where FILE also holds recorded \"frames\" (as this command writes them), the largest"
            + " differences from them are told."
      })
  static final class ReplayControls implements Callable<Integer> {
    @Mixin private Output output;

    @Option(names = "--env", required = true, paramLabel = "NAME", description = "See env list.")
    private String name;

    @Option(names = "--in", required = true, paramLabel = "FILE", description = "What to replay.")
    private Path in;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "What to write.")
    private Path out;

    @Override
    public Integer call() {
      Destination.file("--out", out);
      DomainFacts facts = DomainFacts.named(name);
      Replay.Result result = Replay.run(facts, in, out);
      output.say(
          "replayed %s of %s into %s"
              .formatted(Wording.count(result.steps(), "control step"), facts.name(), out));
      ObjectNode document =
          Json.object()
              .put("env", facts.name())
              .put(Provenance.ENGINE, Provenance.engine())
              .put("steps", result.steps())
              .put("file", out.toString());
      for (Replay.Deviation deviation : result.deviations()) {
        output.say(
            Wording.format(
                "up to step %d, %s strays from the recorded frames by at most %.1e in positions, %.1e"
                    + " in velocities, %.1e in observations",
                deviation.step(),
                Provenance.engine(),
                deviation.positions(),
                deviation.velocities(),
                deviation.observation()));
        document
            .withArray("deviations")
            .addObject()
            .put("step", deviation.step())
            .put("positions", deviation.positions())
            .put("velocities", deviation.velocities())
            .put("observation", deviation.observation());
      }
      output.finish(document);
      return 0;
    }
  }
}
