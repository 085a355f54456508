package dev.psm.lab;

import dev.psm.agents.finite.FiniteModel;
import dev.psm.agents.finite.FiniteTrainer;
import dev.psm.core.UserError;
import dev.psm.core.stats.Summary;
import dev.psm.torch.Device;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pretrains one agent on one grid, watching what it learns. */
public final class Pretrainer {
  /** Points on a learning curve, the last of them after the last step. */
  private static final int CURVE_POINTS = 20;

  private Pretrainer() {}

  /** Everything that decides a run; the device only its last digits. */
  public record Request(
      GridProblem problem,
      AgentKind agent,
      String preset,
      Record settings,
      long seed,
      Device device) {

    /** On the CPU. */
    public Request(
        GridProblem problem, AgentKind agent, String preset, Record settings, long seed) {
      this(problem, agent, preset, settings, seed, Device.CPU);
    }
  }

  /**
   * One look at a run.
   *
   * @param seconds of training alone, evaluation excluded
   */
  public record Point(int step, double seconds, Map<String, Double> metrics) {
    public double policyError() {
      return metrics.get("policy_error");
    }
  }

  /** A finished run. */
  public record Result(Request request, FiniteModel model, List<Point> curve) {
    public double seconds() {
      return curve.get(curve.size() - 1).seconds();
    }
  }

  /** Where points go as they are seen. */
  public interface Watcher {
    void seen(Point point);
  }

  public static Result run(Request request, Progress progress, Watcher watcher) {
    double discount = AgentKind.discount(request.settings());
    try (FiniteTrainer trainer =
        request
            .agent()
            .trainer(
                request.settings(),
                request.problem().data(discount),
                request.seed(),
                request.device())) {
      List<Point> curve = train(request, trainer, progress, watcher);
      return new Result(request, trainer.model(), curve);
    }
  }

  private static List<Point> train(
      Request request, FiniteTrainer trainer, Progress progress, Watcher watcher) {
    GridProblem problem = request.problem();
    int steps = trainer.gradientSteps();
    int interval = Math.max(1, steps / CURVE_POINTS);
    List<Point> curve = new ArrayList<>();
    long trainingNanos = 0;
    String label =
        "%s on %s, seed %d"
            .formatted(request.agent().title(), problem.map().name(), request.seed());
    try (Progress.Bar bar = progress.start(label, steps)) {
      String note = "";
      while (trainer.stepsDone() < steps) {
        long start = System.nanoTime();
        trainer.step();
        int done = trainer.stepsDone();
        boolean looks = done == steps || (done % interval == 0 && steps - done >= interval);
        if (looks) {
          trainer.synchronise();
        }
        trainingNanos += System.nanoTime() - start;
        if (looks) {
          Point point = look(problem, trainer, trainingNanos / 1e9);
          curve.add(point);
          watcher.seen(point);
          note = "error %.2f %%".formatted(point.policyError());
        }
        bar.update(done, note);
      }
    }
    return curve;
  }

  private static Point look(GridProblem problem, FiniteTrainer trainer, double seconds) {
    Map<String, Double> metrics = new LinkedHashMap<>(trainer.metrics());
    for (Map.Entry<String, Double> metric : metrics.entrySet()) {
      if (!Double.isFinite(metric.getValue())) {
        throw UserError.failed(
            null,
            "training diverged: %s is %s after step %d; lower the learning rate or the discount",
            metric.getKey(),
            metric.getValue(),
            trainer.stepsDone());
      }
    }
    int[] goals = problem.allGoals();
    metrics.put(
        "policy_error",
        Summary.of(problem.errors(goals, trainer.watchedActionValues(problem.goalRewards(goals))))
            .mean());
    return new Point(trainer.stepsDone(), seconds, metrics);
  }
}
