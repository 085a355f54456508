package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.TrainingData;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.Evaluator;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.RunContext;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.RunFolder;
import dev.psm.lab.run.TrainingOutcome;
import dev.psm.lab.run.TrainingRun;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import dev.psm.zeroshot.AgentFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code pretrain}, on a dataset or on a world whose transitions are all known: in as many goes as
 * it takes.
 */
final class Pretraining {
  private final PretrainRequest request;
  private final MapOption where;
  private final RunOptions options;
  private final Output output;

  Pretraining(PretrainRequest request, MapOption where, RunOptions options, Output output) {
    this.request = request;
    this.where = where;
    this.options = options;
    this.output = output;
  }

  int run() {
    if (options.fromStep != null && !options.resume) {
      throw UserError.invalid("--from-step is for a run that is there already: add --resume");
    }
    if (request.seed() != null && options.seeds != null) {
      throw UserError.invalid("give either --seed or --seeds, not both");
    }
    if (request.out() == null && !request.onlySettings()) {
      throw UserError.invalid(
          options.resume
              ? "which run? Give its folder as --out DIR --resume"
              : "where should the run go? Give --out DIR");
    }
    if (!options.resume && !request.onlySettings()) {
      Destination.folder("--out", request.out());
    }
    requireOneNumberOfSteps();
    return options.resume ? resume() : start();
  }

  private void requireOneNumberOfSteps() {
    for (String setting : request.settings()) {
      if (request.steps() != null && setting.startsWith("gradientSteps=")) {
        throw UserError.invalid(
            "the gradient steps are given twice, as --steps %d and %s", request.steps(), setting);
      }
    }
  }

  private int start() {
    if (where.isGiven()) {
      FiniteWorld world = where.world();
      return start(new TrainingData.Complete(world), RunDescription.Data.of(world));
    }
    try (Dataset dataset = Dataset.open(options.data)) {
      RunDescription.Data data = RunDescription.Data.of(options.data, dataset);
      return start(new TrainingData.Recorded(dataset.description().world(), dataset), data);
    }
  }

  private int start(TrainingData data, RunDescription.Data described) {
    World world = data.world();
    Agent agent = Agents.named(request.agent() == null ? "psm" : request.agent(), world);
    String preset = request.preset() == null ? agent.defaultPreset(world) : request.preset();
    Record settings = agent.settings(preset, world, request.steps(), request.settings());
    List<Long> seeds = seeds().orElse(List.of(0L));
    Cadence cadence = options.cadence(Cadence.usual(agent, settings, world));
    RunDescription run =
        new RunDescription(agent, preset, settings, described, seeds, cadence, Json.object());
    if (request.onlySettings()) {
      return describe(run);
    }
    new RunFolder(request.out()).requireFree(request.replace());
    Device device = device(agent, world);
    describe(run);
    RunDescription begun =
        run.begun(Provenance.software(device, world).put("started", Provenance.now()));
    return train(
        begun,
        device,
        context -> TrainingRun.start(begun, request.out(), request.replace(), data, context));
  }

  /** Before anything else of libtorch, which decides once whether there is a GPU. */
  private Device device(Agent agent, World world) {
    if (!(world instanceof FiniteWorld)) {
      return options.device.open(output);
    }
    if (options.device.asksForCuda() && !agent.trainsOnGpu()) {
      throw UserError.invalid(
          "--device cuda: agent %s learns %s on the CPU only; give --device cpu",
          agent.id(), world.name());
    }
    return options
        .device
        .without(Precision.BFLOAT16, "too coarse for a grid's measures; give tf32 or float32")
        .openIfAsked(Precision.FLOAT32, "a grid's steps are small, so auto is the CPU", output);
  }

  private int resume() {
    if (request.replace()) {
      throw UserError.invalid("--force starts over, --resume goes on: give one of them");
    }
    if (request.out() == null) {
      throw UserError.invalid("which run? Give its folder as --out");
    }
    RunFolder folder = new RunFolder(request.out());
    RunDescription stored = folder.description();
    RunDescription wanted = new ResumeCheck(stored, request, options).wanted();
    if (request.onlySettings()) {
      return describe(wanted);
    }
    if (wanted.world() instanceof FiniteWorld world) {
      if (options.data != null) {
        throw UserError.invalid(
            "--data: the run in %s learns all transitions of %s, and no dataset",
            request.out(), wanted.environment());
      }
      FiniteWorld given = where.isGiven() ? where.world() : world;
      if (!given.name().equals(world.name())) {
        throw UserError.invalid(
            "--env and --map: the run in %s learns %s, found %s; leave it out to go on, or start a"
                + " new run",
            request.out(), world.name(), given.name());
      }
      return resume(wanted, folder, () -> new TrainingData.Complete(given));
    }
    if (where.isGiven()) {
      throw UserError.invalid(
          "--env and --map mean all transitions of a world, but the run in %s learns a dataset",
          request.out());
    }
    Path path = options.data == null ? wanted.data().folder().orElseThrow() : options.data;
    if (options.data == null && !Files.exists(path) && !isFinished(folder, wanted)) {
      throw UserError.invalid(
          "the data that the run learns from is not in %s; say where it is by --data DIR", path);
    }
    // A finished run may be asked about where its data is gone.
    try (Dataset dataset = Files.exists(path) || options.data != null ? Dataset.open(path) : null) {
      return resume(
          wanted.withFolder(path),
          folder,
          () -> new TrainingData.Recorded(wanted.world(), dataset));
    }
  }

  private boolean isFinished(RunFolder folder, RunDescription wanted) {
    Optional<Long> end = folder.finishedAt();
    return end.isPresent()
        && end.get() >= wanted.gradientSteps()
        && options.fromStep == null
        && folder.seedsWithoutModel().isEmpty();
  }

  private int resume(RunDescription run, RunFolder folder, Supplier<TrainingData> data) {
    if (options.data != null || where.isGiven()) {
      run.data().requireSame(data.get());
    }
    if (isFinished(folder, run)) {
      long end = folder.finishedAt().orElseThrow();
      output.say(
          "%s: the run is finished after %s%s"
              .formatted(
                  request.out(),
                  Wording.count(end, "step"),
                  run.canBeExtended() ? "; more would be --resume gradientSteps=" + 2 * end : ""));
      output.finish(document(run).put("step", end).put("finished", true));
      return 0;
    }
    OptionalLong from =
        options.fromStep == null ? OptionalLong.empty() : OptionalLong.of(options.fromStep);
    Device device = device(run.agent(), run.world());
    return train(
        run, device, context -> TrainingRun.resume(run, request.out(), from, data.get(), context));
  }

  private Optional<List<Long>> seeds() {
    return request.seed() != null
        ? Optional.of(List.of(request.seed()))
        : Optional.ofNullable(options.seeds);
  }

  private int describe(RunDescription run) {
    output.say(
        "agent %s, preset %s, on %s of %s by %s"
            .formatted(
                run.agent().id(),
                run.preset(),
                Wording.count(run.data().transitions(), "transition"),
                run.environment(),
                run.data().collector()));
    output.say(Settings.describe(run.settings()));
    if (request.onlySettings()) {
      output.finish(Settings.toJson(run.settings()));
    }
    return 0;
  }

  private int train(RunDescription run, Device device, Function<RunContext, TrainingOutcome> work) {
    try (Interruption interruption = options.stop.interruption(output)) {
      RunContext context =
          new RunContext(device, output.progress(), output::note, interruption, Evaluator::of);
      TrainingOutcome outcome =
          interruption.tell(() -> resumable(() -> work.apply(context)), output::note);
      say(run, outcome);
      ObjectNode document = document(run);
      document.put("step", outcome.step()).put("finished", outcome.finished());
      document.put("trainingSeconds", outcome.trainingSeconds());
      document.put("checkpointSeconds", outcome.checkpointSeconds());
      document.put("evaluationSeconds", outcome.evaluationSeconds());
      document.put("device", device.describe());
      ObjectNode grades = document.putObject(outcome.grade().plural());
      outcome
          .grades()
          .forEach(
              (seed, found) -> {
                ObjectNode node = grades.putObject(Long.toString(seed));
                found.forEach(node::put);
              });
      output.finish(document);
      return outcome.finished() ? 0 : 1;
    }
  }

  /** After a failure of the disk, not the same command goes on, but the one that resumes. */
  private <T> T resumable(Supplier<T> work) {
    try {
      return work.get();
    } catch (UserError e) {
      boolean goesOn =
          e.kind() == UserError.Kind.FAILED
              && e.remedy().isEmpty()
              && e.getCause() instanceof IOException
              && AgentFolder.isRun(request.out());
      throw goesOn ? e.with(Remedy.RESUME, request.out()) : e;
    }
  }

  private void say(RunDescription run, TrainingOutcome outcome) {
    output.say(
        String.format(
            Locale.ROOT,
            "%s: %,d of %,d gradient steps; %,d of them now, in %.1f s, %.1f a second; %.1f s on"
                + " checkpoints, %.1f s on evaluation",
            run.title(),
            outcome.step(),
            run.gradientSteps(),
            outcome.addedSteps(),
            outcome.addedSeconds(),
            outcome.addedSteps() / Math.max(1e-9, outcome.addedSeconds()),
            outcome.checkpointSeconds(),
            outcome.evaluationSeconds()));
    Map<String, Double> means = new TreeMap<>();
    outcome
        .grades()
        .values()
        .forEach(
            found ->
                found.forEach(
                    (name, value) ->
                        means.merge(name, value / outcome.grades().size(), Double::sum)));
    means.forEach((name, mean) -> output.say(line(outcome.grade(), name, mean)));
    output.say(
        outcome.finished()
            ? "run in " + request.out() + next(run)
            : "stopped, and saved; go on with: ./psm pretrain --out "
                + Wording.shell(request.out())
                + " --resume");
  }

  private static String line(Grade grade, String name, double mean) {
    return switch (grade) {
      case GOALS -> Wording.format("  %-24s %10.4f", name, mean);
      case RETURNS -> Wording.format("  %-24s %8.1f", name, mean);
      case ERRORS ->
          Wording.format(
              name.equals(grade.headline())
                  ? "  wrong actions, over all goals %6.2f %%"
                  : "  value lost on other rewards   %6.2f %%",
              mean);
    };
  }

  private String next(RunDescription run) {
    return run.world() instanceof FiniteWorld world
        ? "; try: ./psm solve %s --goal %s"
            .formatted(Wording.shell(request.out()), word(world, world.stateCount() - 1))
        : "";
  }

  /** A state's name where a shell takes it as it is, else its number. */
  private static String word(FiniteWorld world, int state) {
    String name = world.stateName(state);
    return name.matches("[\\w,.-]+") ? name : Integer.toString(state);
  }

  private ObjectNode document(RunDescription run) {
    ObjectNode document = Json.object();
    document.put("out", request.out().toString());
    document.put("agent", run.agent().id());
    document.put("preset", run.preset());
    document.put("environment", run.environment());
    ArrayNode seeds = document.putArray("seeds");
    run.seeds().forEach(seeds::add);
    document.set("settings", Settings.toJson(run.settings()));
    return document;
  }
}
