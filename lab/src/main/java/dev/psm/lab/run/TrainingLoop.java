package dev.psm.lab.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Trainer;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Steps, and what is done between them: metrics, then a checkpoint, then an evaluation. The
 * evaluation comes last because it takes long, and can be held again from the checkpoint; so every
 * step that is evaluated has one.
 */
final class TrainingLoop implements AutoCloseable {
  private final RunDescription run;
  private final RunFolder folder;
  private final Trainer trainer;
  private final Evaluator evaluator;
  private final RunContext context;
  private final Checkpoints checkpoints;
  private final Map<Long, MetricsLog> logs = new LinkedHashMap<>();
  private final Clock clock;
  private final int total;
  private long savedStep;
  private String note = "";

  TrainingLoop(
      RunDescription run,
      RunFolder folder,
      Trainer trainer,
      double seconds,
      Evaluator evaluator,
      RunContext context) {
    this.run = run;
    this.folder = folder;
    this.trainer = trainer;
    this.evaluator = evaluator;
    this.context = context;
    this.checkpoints = new Checkpoints(folder, run);
    this.total = run.gradientSteps();
    this.savedStep = trainer.stepsDone();
    this.clock = new Clock(seconds);
    try {
      for (long seed : run.seeds()) {
        logs.put(seed, MetricsLog.open(folder.seed(seed), trainer.stepsDone()));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  TrainingOutcome train() {
    long start = trainer.stepsDone();
    String label = run.title() + (start > 0 ? ", from step " + start : "");
    try (Progress.Bar bar = context.progress().start(label, total - start)) {
      boolean evaluated = evaluateWhenDue();
      while (evaluated && trainer.stepsDone() < total && !stopping()) {
        trainer.step();
        clock.training();
        long step = trainer.stepsDone();
        if (step == total || step % run.cadence().logEvery() == 0) {
          log(step);
          clock.training();
        }
        if (step == total || step % run.cadence().checkpointEvery() == 0) {
          save();
        }
        evaluated = evaluateWhenDue();
        bar.update(step - start, note);
      }
      if (savedStep < trainer.stepsDone()) {
        save();
      }
      boolean finished = evaluated && trainer.stepsDone() >= total;
      if (finished) {
        folder.finish(result());
      } else if (trainer.stepsDone() > 0) {
        saveModels();
      }
      return outcome(start, finished);
    }
  }

  private boolean stopping() {
    return context.stop().getAsBoolean();
  }

  private void log(long step) {
    context.device().synchronise();
    requireFinite();
    Map<String, double[]> metrics = trainer.metrics();
    for (int i = 0; i < run.seeds().size(); i++) {
      Map<String, Double> own = new LinkedHashMap<>();
      for (Map.Entry<String, double[]> metric : metrics.entrySet()) {
        double value = metric.getValue()[i];
        if (!Double.isFinite(value)) {
          throw diverged(
              "metric %s of seed %d is %s".formatted(metric.getKey(), run.seeds().get(i), value));
        }
        own.put(metric.getKey(), value);
      }
      logs.get(run.seeds().get(i)).add(step, clock.trainingSoFar(), own);
    }
  }

  private void save() {
    context.device().synchronise();
    clock.training();
    requireFinite();
    logs.values().forEach(MetricsLog::force);
    checkpoints.write(trainer, clock.trainingSoFar());
    savedStep = trainer.stepsDone();
    new ReplacedRun(folder).drop();
    clock.checkpoint();
  }

  /** For whoever wants to use the agents before the run goes on. */
  private void saveModels() {
    run.seeds().forEach(seed -> evaluator.saveModel(trainer, seed, folder.seed(seed)));
    clock.checkpoint();
  }

  private void requireFinite() {
    Optional<Trainer.NotFinite> bad = trainer.firstNotFinite();
    if (bad.isPresent()) {
      throw diverged(
          "tensor %s of seed %d holds a NaN or an infinity"
              .formatted(bad.get().tensor(), bad.get().seed()));
    }
  }

  private UserError diverged(String what) {
    NavigableSet<Long> steps = checkpoints.steps();
    String last =
        steps.isEmpty()
            ? "no checkpoint had been written yet"
            : "the last good checkpoint is of step %d, %s"
                .formatted(steps.last(), checkpoints.file(run.seeds().get(0), steps.last()));
    return new Diverged(
        "training diverged: %s after step %d; %s; lower the learning rate or the discount",
        what, trainer.stepsDone(), last);
  }

  /**
   * Evaluates every seed that is due and was not evaluated at this step, before an interruption or
   * now.
   *
   * @return whether none is left that is due
   */
  private boolean evaluateWhenDue() {
    long step = trainer.stepsDone();
    if (step == 0 || (step != total && step % run.cadence().evaluateEvery() != 0)) {
      return true;
    }
    if (savedStep < step) {
      save();
    }
    List<Double> headlines = new ArrayList<>();
    for (long seed : run.seeds()) {
      MetricsLog log = logs.get(seed);
      if (log.evaluatedStep() != step) {
        if (stopping() || !evaluate(seed, log)) {
          clock.evaluation();
          return false;
        }
      } else if (!folder.hasModel(seed)) {
        context.notes().accept("seed %d has lost its model, which is saved anew".formatted(seed));
        evaluator.saveModel(trainer, seed, folder.seed(seed));
      }
      Double headline = log.evaluated().get(evaluator.grade().headline());
      if (headline != null) {
        headlines.add(headline);
      }
    }
    if (!headlines.isEmpty()) {
      double mean = headlines.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
      note = evaluator.grade().words(mean);
    }
    clock.evaluation();
    return true;
  }

  /**
   * The model is saved before its grades are logged: where they stand, the model does too.
   *
   * @return whether it came to its end before a wish to stop
   */
  private boolean evaluate(long seed, MetricsLog log) {
    Optional<Map<String, Double>> found =
        evaluator.evaluate(trainer, seed, folder.seed(seed), context.stop());
    if (found.isEmpty()) {
      return false;
    }
    if (!found.get().isEmpty()) {
      Map<String, Double> named = evaluator.grade().logged(found.get());
      log.add(trainer.stepsDone(), clock.trainingSoFar(), named);
    }
    return true;
  }

  private Map<Long, Map<String, Double>> grades() {
    Map<Long, Map<String, Double>> grades = new LinkedHashMap<>();
    logs.forEach((seed, log) -> grades.put(seed, log.evaluated()));
    return grades;
  }

  private ObjectNode result() {
    ObjectNode result = Json.object();
    result.put("steps", trainer.stepsDone());
    result.put("trainingSeconds", clock.trainingSoFar());
    ObjectNode seeds = result.putObject(evaluator.grade().plural());
    grades()
        .forEach(
            (seed, grades) -> {
              ObjectNode node = seeds.putObject(Long.toString(seed));
              grades.forEach(node::put);
            });
    result.put(Provenance.ENGINE, run.world().engine());
    result.put("finished", Provenance.now());
    return result;
  }

  private TrainingOutcome outcome(long start, boolean finished) {
    return new TrainingOutcome(
        trainer.stepsDone(),
        trainer.stepsDone() - start,
        finished,
        clock.trainingSoFar(),
        clock.trainingSeconds,
        clock.checkpointSeconds,
        clock.evaluationSeconds,
        evaluator.grade(),
        grades());
  }

  @Override
  public void close() {
    logs.values().forEach(MetricsLog::close);
  }

  /** Where the time goes. */
  private static final class Clock {
    private final double before;
    private long mark = System.nanoTime();
    private double trainingSeconds;
    private double checkpointSeconds;
    private double evaluationSeconds;

    Clock(double before) {
      this.before = before;
    }

    double trainingSoFar() {
      return before + trainingSeconds;
    }

    void training() {
      trainingSeconds += lap();
    }

    void checkpoint() {
      checkpointSeconds += lap();
    }

    void evaluation() {
      evaluationSeconds += lap();
    }

    private double lap() {
      long now = System.nanoTime();
      double seconds = (now - mark) / 1e9;
      mark = now;
      return seconds;
    }
  }
}
