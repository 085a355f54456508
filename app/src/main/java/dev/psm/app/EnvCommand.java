package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.lab.Provenance;
import dev.psm.lab.Replay;
import dev.psm.mujoco.MujocoLibrary;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class EnvCommand extends CommandGroup {
  EnvCommand() {
    super("what to do");
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
      List<World> shown = name == null ? Worlds.all() : List.of(Worlds.named(name));
      ObjectNode document = Json.object();
      ArrayNode environments = document.putArray("environments");
      for (World world : shown) {
        say(world);
        environments.add(json(world));
      }
      if (name == null) {
        output.say("Quantities with unit and meaning: psm env list NAME");
      }
      if (shown.stream().anyMatch(ListAll::isSimulated)) {
        engine(document);
      }
      output.finish(document);
      return 0;
    }

    private static boolean isSimulated(World world) {
      try {
        return !world.engine().equals(World.JAVA);
      } catch (UserError noEngine) {
        return true;
      }
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
        output.say("Engine: none. " + CommandErrors.message(e));
        document.putNull(Provenance.ENGINE);
      }
    }

    private void say(World world) {
      output.say(
          "%s: %s%n  observation %d, action %s, %d steps of %s s"
              .formatted(
                  world.name(),
                  world.title(),
                  world.observationSize(),
                  world.actionSpace() instanceof Space.Discrete numbered
                      ? numbered.count() + " numbered"
                      : world.actionSize() + " in [-1, 1]",
                  world.episodeSteps(),
                  world.stepSeconds()));
      if (name == null) {
        if (!world.tasks().isEmpty()) {
          output.say("  tasks       " + join(names(world.tasks())));
        }
        if (!world.furtherTasks().isEmpty()) {
          output.say("  further     " + join(names(world.furtherTasks())));
        }
        output.say(
            "  quantities  " + join(world.quantities().stream().map(Quantity::name).toList()));
        output.say("");
        return;
      }
      say("  tasks", world.tasks());
      say("  further tasks, in no average", world.furtherTasks());
      output.say("  quantities");
      world.quantities().forEach(each -> output.say(row(each.name(), each.unit(), each.meaning())));
    }

    private void say(String heading, List<Task> tasks) {
      if (!tasks.isEmpty()) {
        output.say(heading);
      }
      for (Task task : tasks) {
        output.say(row(task.name(), "", task.meaning()));
        output.say(row("", "", "= " + task.formula()));
        for (Milestone milestone : task.milestones()) {
          output.say(
              row("", "", "milestone %s: %s".formatted(milestone.name(), milestone.condition())));
        }
      }
    }

    private static List<String> names(List<Task> tasks) {
      return tasks.stream().map(Task::name).toList();
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

    private static ObjectNode json(World world) {
      ObjectNode node = Json.object();
      node.put("name", world.name());
      node.put("title", world.title());
      node.put("observationSize", world.observationSize());
      node.put("actionSize", world.actionSize());
      node.put(
          "discreteActions",
          world.actionSpace() instanceof Space.Discrete numbered ? numbered.count() : 0);
      node.put("episodeSteps", world.episodeSteps());
      node.put("stepSeconds", world.stepSeconds());
      node.put("stateSize", world.stateSize());
      ArrayNode tasks = node.putArray("tasks");
      world.tasks().forEach(task -> tasks.add(describe(task)));
      world.furtherTasks().forEach(task -> node.withArray("furtherTasks").add(describe(task)));
      ArrayNode quantities = node.putArray("quantities");
      world.quantities().forEach(each -> quantities.add(each.toJson()));
      return node;
    }
  }

  /** With the milestones that it has. */
  private static ObjectNode describe(Task task) {
    ObjectNode node = task.toJson();
    for (Milestone milestone : task.milestones()) {
      node.withObject("milestones").put(milestone.name(), milestone.condition());
    }
    return node;
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
      World world = Worlds.named(name);
      Replay.Result result = Replay.run(world, in, out);
      output.say(
          "replayed %s of %s into %s"
              .formatted(Wording.count(result.steps(), "control step"), world.name(), out));
      ObjectNode document =
          Json.object()
              .put("env", world.name())
              .put(Provenance.ENGINE, world.engine())
              .put("steps", result.steps())
              .put("file", out.toString());
      for (Replay.Deviation deviation : result.deviations()) {
        output.say(
            Wording.format(
                "up to step %d, %s strays from the recorded frames by at most %.1e in positions, %.1e"
                    + " in velocities, %.1e in observations",
                deviation.step(),
                world.engine(),
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
