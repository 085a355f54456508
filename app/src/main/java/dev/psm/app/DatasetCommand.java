package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.ActionRange;
import dev.psm.lab.collect.Coverage;
import dev.psm.lab.collect.Drift;
import dev.psm.lab.collect.FileChecks;
import dev.psm.lab.collect.RelabelledData;
import dev.psm.lab.collect.StoredObservations;
import dev.psm.lab.collect.StoredRewards;
import dev.psm.lab.collect.StoredStates;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.mujoco.MujocoLibrary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "dataset",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    description = "Datasets of reward-free experience: look at, verify, convert, relabel, balance.",
    subcommands = {
      DatasetCommand.Info.class,
      DatasetCommand.Check.class,
      DatasetImportCommand.class,
      DatasetCommand.Relabel.class,
      DatasetBalanceCommand.class
    })
final class DatasetCommand extends CommandGroup {
  DatasetCommand() {
    super("what to do");
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Where the data comes from; empty where neither psm nor the data knows that. */
  private static Optional<World> world(Dataset dataset) {
    DatasetDescription description = dataset.description();
    return description.stored().isPresent() || Worlds.lookup(description.environment()).isPresent()
        ? Optional.of(description.world())
        : Optional.empty();
  }

  private static boolean canBeReplayed(Dataset dataset) {
    return dataset.columns().physics() > 0
        && world(dataset)
            .filter(world -> !(world instanceof StoredWorld) && world.stateSize() > 0)
            .isPresent();
  }

  @Command(
      name = "info",
      mixinStandardHelpOptions = true,
      description = "What a dataset holds and where it comes from.")
  static final class Info implements Callable<Integer> {
    @Mixin private Output output;

    @Parameters(paramLabel = "DIR", description = "The dataset.")
    private Path folder;

    @Option(
        names = "--coverage",
        description = "Also measure how much of the state space it covers.")
    private boolean coverage;

    @Override
    public Integer call() {
      try (Dataset dataset = Dataset.open(folder)) {
        DatasetDescription description = dataset.description();
        Columns columns = dataset.columns();
        output.say(
            String.format(
                Locale.ROOT,
                "%s: %s in %s, collected by %s on %s, seed %d",
                description.environment(),
                Wording.count(dataset.transitions(), "transition"),
                Wording.count(dataset.episodes(), "episode"),
                description.collector(),
                description.engine(),
                description.seed()));
        output.say(
            "per state: observation %d, action %d, physics %d%s"
                .formatted(
                    columns.observation(),
                    columns.action(),
                    columns.physics(),
                    columns.extras().isEmpty() ? "" : ", also " + columns.extras().keySet()));
        output.say("settings: " + Json.line(description.settings()));
        ObjectNode document = Json.object();
        description
            .stored()
            .ifPresent(
                world -> {
                  if (world.quantitiesObserved()) {
                    output.say("columns of an observation: " + StoredWorldText.columns(world));
                  }
                  StoredWorldText.actionUnits(world).ifPresent(output::say);
                  document.set("world", world.toJson());
                });
        document.put("environment", description.environment());
        document.put("transitions", dataset.transitions()).put("episodes", dataset.episodes());
        document.put("collector", description.collector()).put("engine", description.engine());
        document.put("seed", description.seed());
        document.set("settings", description.settings());
        document.put("observation", columns.observation()).put("action", columns.action());
        document.put("physics", columns.physics());
        if (coverage) {
          Coverage measured = Coverage.of(dataset, cores());
          output.say(measured.text());
          document.set("coverage", measured.json());
        }
        output.finish(document);
      }
      return 0;
    }
  }

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = {
        "Verify a dataset: every file against its hash, every episode's shape and numbers, actions against the"
            + " environment's range, observations against what the stored physics shows, and stored physics replayed"
            + " through the engine, which tells whose data it is. With --task also the rewards that came with imported"
            + " data.",
        "",
        "Exit code 1 when something is wrong with it, 2 when there is no dataset to check."
      })
  static final class Check implements Callable<Integer> {
    @Mixin private Output output;
    @Mixin private WorkersOption workers;

    @Parameters(paramLabel = "DIR", description = "The dataset.")
    private Path folder;

    @Option(
        names = "--task",
        paramLabel = "NAME",
        description =
            "Compare the stored rewards with this task's, computed from the stored physics.")
    private String task;

    @Option(
        names = "--replays",
        paramLabel = "N",
        defaultValue = "2000",
        description = "Transitions to replay through the engine (default: ${DEFAULT-VALUE}).")
    private int replays;

    @Override
    public Integer call() {
      Range.check("--replays", replays, 1, 10_000_000);
      if (task != null) {
        try (Dataset dataset = Dataset.open(folder)) {
          dataset.description().world().task(task);
        }
      }
      try (Workers open = workers.open(false);
          Interruption interruption = new Interruption(() -> output.note("stopping"))) {
        return check(open, new WorkContext(output.progress(), output::note, interruption));
      }
    }

    private int check(Workers open, WorkContext context) {
      ObjectNode document = Json.object();
      List<String> problems = new ArrayList<>(FileChecks.problems(folder, open, context));
      if (problems.isEmpty()) {
        try (Dataset dataset = Dataset.open(folder)) {
          output.say(
              String.format(
                  Locale.ROOT,
                  "intact: %s in %s, all hashes and shapes right, every number finite",
                  Wording.count(dataset.transitions(), "transition"),
                  Wording.count(dataset.episodes(), "episode")));
          world(dataset)
              .flatMap(world -> new ActionRange(world).problem(dataset))
              .ifPresent(problems::add);
          if (dataset.episodes() > 0) {
            replay(dataset, document, problems);
          }
          if (task != null) {
            rewards(dataset, open, context, document, problems);
          }
        }
      }
      problems.forEach(problem -> output.say("problem: " + problem));
      if (problems.isEmpty()) {
        output.say("sound");
      }
      problems.forEach(document.putArray("problems")::add);
      output.finish(document.put("sound", problems.isEmpty()));
      return problems.isEmpty() ? 0 : 1;
    }

    private void replay(Dataset dataset, ObjectNode document, List<String> problems) {
      if (!canBeReplayed(dataset)) {
        output.say("not replayed: %s".formatted(whyNotReplayed(dataset)));
        return;
      }
      try {
        drift(dataset, document, problems);
      } catch (UserError e) {
        problems.add(CommandErrors.message(e));
      }
    }

    private static String whyNotReplayed(Dataset dataset) {
      String name = dataset.description().environment();
      if (dataset.columns().physics() == 0) {
        return "the data came without physics";
      }
      return world(dataset).filter(world -> !(world instanceof StoredWorld)).isPresent()
          ? "'%s' keeps no state from which it could go on".formatted(name)
          : "psm has no environment '%s'".formatted(name);
    }

    private void drift(Dataset dataset, ObjectNode document, List<String> problems) {
      StoredStates states = new StoredStates(dataset, cores());
      observations(dataset, states, document, problems);
      Drift drift = Drift.of(dataset, states.world(), replays, 0);
      String collectedOn = dataset.description().engine();
      String replayedOn = states.world().engine();
      String verdict = drift.verdict(collectedOn, replayedOn);
      output.say(
          String.format(
              Locale.ROOT,
              "replayed %s on %s: the outcome strays by %.2g in the median, %.2g at the 99th percentile, at"
                  + " most %.2g (row %d), where another action makes a difference of %.2g: %s",
              Wording.count(drift.transitions(), "transition"),
              replayedOn,
              drift.median(),
              drift.high(),
              drift.largest(),
              drift.row(),
              drift.effect(),
              verdict));
      if (drift.origin() == Drift.Origin.FOREIGN) {
        problems.add(
            String.format(
                Locale.ROOT,
                "%.0f %% of the replayed transitions do not lead where the stored actions lead in %s: the actions or"
                    + " states are of another environment, unit, order or row%s",
                100 * drift.lost(),
                dataset.description().environment(),
                collectedOn.equals(replayedOn)
                        || collectedOn.equals(DatasetDescription.UNKNOWN_ENGINE)
                    ? ""
                    : ", or the engines differ by that much: check it with %s (%s)"
                        .formatted(collectedOn, MujocoLibrary.VARIABLE)));
      }
      if (drift.blownUp() > 0) {
        problems.add(
            "%d of %s blew up in the replay"
                .formatted(drift.blownUp(), Wording.count(drift.transitions(), "transition")));
      }
      document
          .putObject("drift")
          .put("collectedOn", collectedOn)
          .put("replayedOn", replayedOn)
          .put("transitions", drift.transitions())
          .put("median", drift.median())
          .put("percentile99", drift.high())
          .put("largest", drift.largest())
          .put("row", drift.row())
          .put("blownUp", drift.blownUp())
          .put("actionEffect", drift.effect())
          .put("lostShare", drift.lost())
          .put("origin", drift.origin().name().toLowerCase(Locale.ROOT));
    }

    private void observations(
        Dataset dataset, StoredStates states, ObjectNode document, List<String> problems) {
      StoredObservations observations = StoredObservations.compare(dataset, states);
      output.say(
          Wording.format(
              "observations of %s against their physics: largest difference %.2g",
              states.description(), observations.largest()));
      observations.problem().ifPresent(problems::add);
      document
          .putObject("observations")
          .put("states", observations.states())
          .put("wrong", observations.wrong())
          .put("largest", observations.largest())
          .put("row", observations.row());
    }

    private void rewards(
        Dataset dataset,
        Workers open,
        WorkContext context,
        ObjectNode document,
        List<String> problems) {
      StoredRewards rewards = StoredRewards.compare(dataset, task, open, context);
      output.say(
          String.format(
              Locale.ROOT,
              "stored rewards against %s: largest difference %.3g, mean %.3g (against the state one step earlier: mean %.3g,"
                  + " half an episode away: mean %.3g)",
              task,
              rewards.largest(),
              rewards.mean(),
              rewards.meanOneEarlier(),
              rewards.meanElsewhere()));
      if (rewards.areLate()) {
        problems.add(
            "the stored rewards fit the state before the one they are stored with: they are a step late");
      } else if (rewards.areUnrelated()) {
        problems.add(
            "the stored rewards fit the states they are stored with no better than states half an episode"
                + " away: they are not those of "
                + task);
      }
      document
          .putObject("rewards")
          .put("task", task)
          .put("largest", rewards.largest())
          .put("mean", rewards.mean())
          .put("meanOneEarlier", rewards.meanOneEarlier())
          .put("meanElsewhere", rewards.meanElsewhere());
    }
  }

  @Command(
      name = "relabel",
      mixinStandardHelpOptions = true,
      description =
          "Compute the reward of every stored state for a task or a formula and write them as an npz file: 'reward', one number per"
              + " row of the dataset, and 'episode_start', each episode's first row.")
  static final class Relabel implements Callable<Integer> {
    @Mixin private Output output;
    @Mixin private WorkersOption workers;

    @Parameters(paramLabel = "DIR", description = "The dataset.")
    private Path folder;

    @Option(
        names = "--reward",
        required = true,
        paramLabel = "TASK|FORMULA",
        description = "A task's name or a formula; see reward list.")
    private String reward;

    @Option(names = "--out", required = true, paramLabel = "FILE.npz", description = "The rewards.")
    private Path out;

    @Option(names = "--force", description = "Replace a file that is there.")
    private boolean force;

    @Override
    public Integer call() {
      Destination.file("--out", out, ".npz");
      Destination.unused("--out", out, force);
      try (Dataset dataset = Dataset.open(folder)) {
        // A wrong formula is told at once, not by whoever computes.
        Task task = new StoredStates(dataset, 1).world().taskOrFormula(reward);
        long start = System.nanoTime();
        RelabelledData done = relabel(dataset);
        double seconds = (System.nanoTime() - start) / 1e9;
        double mean = done.sum() / done.rows();
        output.say(
            Wording.format(
                "labelled %s with %s in %.2f s, %.4f on average: %s",
                Wording.count(done.rows(), "state"), task.name(), seconds, mean, out));
        output.finish(
            Json.object()
                .put("rows", done.rows())
                .put("seconds", seconds)
                .put("mean", mean)
                .put("out", out.toString()));
      }
      return 0;
    }

    private RelabelledData relabel(Dataset dataset) {
      try (Workers open = workers.open(false);
          Interruption interruption = new Interruption(() -> output.note("stopping"))) {
        WorkContext context = new WorkContext(output.progress(), output::note, interruption);
        return interruption.tell(
            () ->
                RelabelledData.run(dataset, reward, out, open, context)
                    .orElseThrow(
                        () ->
                            UserError.failed(null, "stopped before the end; nothing was written")),
            output::note);
      }
    }
  }
}
