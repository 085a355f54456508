package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.lab.RewardTrial;
import dev.psm.lab.WorldStates;
import dev.psm.lab.collect.StoredStates;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "reward",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    description = "The reward language: what a formula may say, and what it pays.",
    subcommands = {RewardCommand.Words.class, RewardCommand.Check.class})
final class RewardCommand extends CommandGroup {
  /** All states are held at once; two million tell all there is to know about a formula. */
  private static final int MAX_EPISODES = 2_000;

  private static final String ENV_HELP =
      "An environment (see env list), a built-in grid or a map file.";

  RewardCommand() {
    super("what to do");
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description =
          "Everything a reward in an environment may use: quantities with unit and meaning, functions, constants; and"
              + " its tasks as examples.")
  static final class Words implements Callable<Integer> {
    @Mixin private Output output;

    @Parameters(
        paramLabel = "ENV",
        arity = "0..1",
        description = ENV_HELP + " Without it: which there are.")
    private String name;

    @Override
    public Integer call() {
      if (name == null) {
        return environments();
      }
      World world = Worlds.named(name);
      ObjectNode document = Json.object().put("env", world.name());
      output.say("quantities of " + world.name());
      ArrayNode quantities = document.putArray("quantities");
      world
          .vocabulary()
          .quantities()
          .forEach(
              each -> {
                row(each.name(), each.unit(), each.meaning());
                quantities.add(each.toJson());
              });
      ArrayNode functions = document.putArray("functions");
      output.say("functions");
      world.vocabulary().functions().forEach(each -> word(functions, each.usage(), each.meaning()));
      Formula.functions().forEach((usage, meaning) -> word(functions, usage, meaning));
      output.say("constants");
      ArrayNode constants = document.putArray("constants");
      Formula.constants().forEach((constant, meaning) -> word(constants, constant, meaning));
      output.say("operators, loosest first");
      output.say("    a ? b : c    ||    &&    < <= > >= == !=    + -    * /    -a !a    ^");
      examples(world, document);
      output.finish(document);
      return 0;
    }

    private int environments() {
      ObjectNode document = Json.object();
      ArrayNode environments = document.putArray("environments");
      for (World world : Worlds.all()) {
        int quantities = world.vocabulary().quantities().size();
        output.say(
            String.format(
                Locale.ROOT,
                "%-20s %-14s %s",
                world.name(),
                quantities + " quantities",
                Wording.count(world.tasks().size(), "task")));
        environments
            .addObject()
            .put("name", world.name())
            .put("quantities", quantities)
            .put("tasks", world.tasks().size());
      }
      output.say("see what one of them has by ./psm reward list ENV");
      output.finish(document);
      return 0;
    }

    private void examples(World world, ObjectNode document) {
      tasks("tasks", world.tasks(), document.putArray("tasks"));
      if (!world.furtherTasks().isEmpty()) {
        tasks(
            "further tasks, in no average",
            world.furtherTasks(),
            document.putArray("furtherTasks"));
      }
      if (!world.examples().isEmpty()) {
        output.say("try");
      }
      ArrayNode examples = document.putArray("examples");
      for (String example : world.examples()) {
        output.say(
            "    ./psm reward check %s \"%s\"".formatted(Wording.shell(Path.of(name)), example));
        examples.add(example);
      }
    }

    private void tasks(String heading, List<Task> tasks, ArrayNode nodes) {
      if (!tasks.isEmpty()) {
        output.say(heading);
      }
      for (Task task : tasks) {
        row(task.name(), "", task.meaning());
        output.say("        " + task.formula());
        nodes.add(task.toJson());
      }
    }

    private void word(ArrayNode words, String usage, String meaning) {
      words.addObject().put("usage", usage).put("meaning", meaning);
      if (usage.length() > 37) {
        output.say("    " + usage);
        row("", "", meaning);
      } else {
        row(usage, "", meaning);
      }
    }

    private void row(String left, String middle, String right) {
      output.say(String.format(Locale.ROOT, "    %-27s %-9s %s", left, middle, right));
    }
  }

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = {
        "Reads a reward formula, evaluates it and shows what it pays: mean, quantiles and a histogram. The states are"
            + " those of random actions; on a grid, all free cells.",
        "",
        "A state in which the reward is not finite is an error: exit code 1. A formula that cannot be read: 2.",
        "",
        "Examples:",
        "  ./psm reward check walker \"upright * clip(velocity_x / 4, 0, 1)\"",
        "  ./psm reward check four-rooms \"exp(-distance(2, 2))\"",
        ""
      })
  static final class Check implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Output output;

    @Parameters(index = "0", paramLabel = "ENV", description = ENV_HELP)
    private String name;

    @Parameters(
        index = "1",
        paramLabel = "FORMULA",
        description = "A formula, or the name of a task; after -- if it begins with a minus.")
    private String text;

    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Take the states of this dataset instead of random actions'.")
    private Path data;

    @Option(
        names = "--episodes",
        paramLabel = "N",
        defaultValue = "5",
        description =
            "Of random actions, at most "
                + MAX_EPISODES
                + "; not for a grid (default: ${DEFAULT-VALUE}).")
    private int episodes;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "0",
        description = "Draws starts and actions; not for a grid (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    public Integer call() {
      Range.check("--episodes", episodes, 1, MAX_EPISODES);
      if (data != null) {
        new MatchedOptions(spec)
            .refuse("is for random actions, not for --data", "--episodes", "--seed");
      }
      World world = data == null ? Worlds.named(name) : ofData();
      if (world.allStates().isPresent()) {
        new MatchedOptions(spec)
            .refuse("is for random actions; a grid shows all its cells", "--episodes", "--seed");
      }
      Formula formula = Formula.parse(written(world), world.vocabulary());
      RewardTrial trial =
          data == null
              ? RewardTrial.of(formula, new WorldStates(world, episodes, seed, output.progress()))
              : onData(formula);
      output.say(trial.text());
      output.finish(trial.json().put("env", world.name()));
      if (trial.sound()) {
        return 0;
      }
      output.note(
          "the reward is NaN in %s and infinite in %,d; the first has %s; guard the formula, as in x != 0 ? 1 / x : 0"
              .formatted(
                  Wording.count(trial.notANumber(), "state"), trial.infinite(), trial.firstBad()));
      return 1;
    }

    /** Also one that only its data knows. */
    private World ofData() {
      try (Dataset dataset = Dataset.open(data)) {
        World world = dataset.description().world();
        String wanted = Worlds.lookup(name).map(World::name).orElse(name);
        if (!world.name().equals(wanted)) {
          throw UserError.invalid("%s holds data of %s, not of %s", data, world.name(), wanted);
        }
        return world;
      }
    }

    /** A task's own formula, where its name is given. */
    private String written(World world) {
      return world.namedTasks().stream()
          .filter(task -> task.name().equals(text.strip()) && !task.formula().isEmpty())
          .findFirst()
          .map(Task::formula)
          .orElse(text);
    }

    private RewardTrial onData(Formula formula) {
      try (Dataset dataset = Dataset.open(data)) {
        int cores = Runtime.getRuntime().availableProcessors();
        return RewardTrial.of(formula, new StoredStates(dataset, cores));
      }
    }
  }
}
