package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Provenance;
import dev.psm.lab.control.AgentEvaluator;
import dev.psm.lab.control.Cadence;
import dev.psm.lab.control.RunContext;
import dev.psm.lab.control.RunDescription;
import dev.psm.lab.control.RunFolder;
import dev.psm.lab.control.TrainingOutcome;
import dev.psm.lab.control.TrainingRun;
import dev.psm.torch.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** {@code pretrain} on a dataset: hours, in as many goes as it takes. */
final class DataPretraining {
  private final PretrainRequest request;
  private final RunOptions options;
  private final Output output;

  DataPretraining(PretrainRequest request, RunOptions options, Output output) {
    this.request = request;
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
      throw UserError.invalid("where should the run go? Give --out DIR");
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
    Agent agent = request.agent() == null ? FactoredPsm.AGENT : Agents.named(request.agent());
    String preset = request.preset() == null ? Agent.DEFAULT_PRESET : request.preset();
    try (Dataset dataset = Dataset.open(options.data)) {
      RunDescription.Data data = RunDescription.Data.of(options.data, dataset);
      Record settings =
          agent.settings(
              preset, dataset.description().world(), request.steps(), request.settings());
      Cadence cadence = options.cadence(agent.common(settings).gradientSteps());
      List<Long> seeds = seeds().orElse(List.of(0L));
      RunDescription run =
          new RunDescription(agent, preset, settings, data, seeds, cadence, Json.object());
      if (request.onlySettings()) {
        return describe(run);
      }
      new RunFolder(request.out()).requireFree(request.replace());
      describe(run);
      // Before anything else of libtorch, which decides once whether there is a GPU.
      Device device = options.device.open(output);
      RunDescription begun =
          run.begun(Provenance.software(device, run.world()).put("started", Provenance.now()));
      return train(
          begun,
          device,
          around -> TrainingRun.start(begun, request.out(), request.replace(), dataset, around));
    }
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
    Path path = options.data == null ? wanted.data().folder() : options.data;
    RunDescription run = wanted.withFolder(path);
    if (options.data != null) {
      try (Dataset given = Dataset.open(path)) {
        run.data().requireSame(given);
      }
    }
    Optional<Long> end = folder.finishedAt();
    if (end.isPresent() && end.get() >= wanted.gradientSteps() && options.fromStep == null) {
      output.say(
          "%s: the run is finished after %s%s"
              .formatted(
                  request.out(),
                  Wording.count(end.get(), "step"),
                  wanted.canBeExtended()
                      ? "; more would be --resume gradientSteps=" + 2 * end.get()
                      : ""));
      output.finish(document(wanted).put("step", end.get()).put("finished", true));
      return 0;
    }
    if (!Files.exists(path)) {
      throw UserError.invalid(
          "the data that the run learns from is not in %s; say where it is by --data DIR", path);
    }
    try (Dataset dataset = Dataset.open(path)) {
      OptionalLong from =
          options.fromStep == null ? OptionalLong.empty() : OptionalLong.of(options.fromStep);
      Device device = options.device.open(output);
      return train(
          run, device, around -> TrainingRun.resume(run, request.out(), from, dataset, around));
    }
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
    try (Interruption interruption =
        new Interruption(() -> output.note("stopping after this step, and saving it"))) {
      TrainingOutcome outcome =
          interruption.tell(
              () ->
                  work.apply(
                      new RunContext(
                          device,
                          output.progress(),
                          output::note,
                          interruption,
                          AgentEvaluator::new)),
              output::note);
      say(run, outcome);
      ObjectNode document = document(run);
      document.put("step", outcome.step()).put("finished", outcome.finished());
      document.put("trainingSeconds", outcome.trainingSeconds());
      document.put("checkpointSeconds", outcome.checkpointSeconds());
      document.put("evaluationSeconds", outcome.evaluationSeconds());
      ObjectNode returns = document.putObject("returns");
      outcome
          .returns()
          .forEach(
              (seed, tasks) -> {
                ObjectNode node = returns.putObject(Long.toString(seed));
                tasks.forEach(node::put);
              });
      output.finish(document);
      return 0;
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
        .returns()
        .values()
        .forEach(
            tasks ->
                tasks.forEach(
                    (task, value) ->
                        means.merge(task, value / outcome.returns().size(), Double::sum)));
    means.forEach((task, mean) -> output.say(Wording.format("  %-24s %8.1f", task, mean)));
    output.say(
        outcome.finished()
            ? "run in " + request.out()
            : "stopped, and saved; go on with: ./psm pretrain --out "
                + Wording.shell(request.out())
                + " --resume");
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
