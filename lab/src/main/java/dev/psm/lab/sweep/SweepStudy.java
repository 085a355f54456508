package dev.psm.lab.sweep;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.study.GrowingResults;
import dev.psm.lab.study.Study;
import dev.psm.lab.study.Trial;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A sweep as it is carried out: its runs are a study's, and whenever one ends, sweep.json,
 * table.csv, trials.csv, results.json and report.html are written anew.
 */
public final class SweepStudy {
  private final SweepPlan plan;
  private final Device device;
  private final Map<Trial, SweepPlan.Run> trials;
  private final Study<SweepPlan.Run> study;
  private final Map<SweepPlan.Run, List<SweepResult>> read = new HashMap<>();
  private final Map<SweepPlan.Run, String> unreadable = new HashMap<>();

  /** Looks for what is there; runs of another meaning in a trial's place are refused. */
  public SweepStudy(SweepPlan plan, Device device) {
    this.plan = plan;
    this.device = device;
    trials = plan.trials(device);
    study = new Study<>(trials);
  }

  /**
   * Does what is missing.
   *
   * @param ended is told of each run that has ended, in a line
   */
  public SweepOutcome run(Workers workers, WorkContext context, Consumer<String> ended) {
    Json.write(plan.sweep().out().resolve(SweepPlan.FILE), plan.sweep().toJson());
    SweepOutcome[] written = new SweepOutcome[1];
    try (GrowingResults results =
        new GrowingResults(
            () -> {
              written[0] = outcome();
              write(written[0]);
            })) {
      study.run(
          trial -> SweepPlan.device(trials.get(trial).cell(), device),
          plan.sweep().threads(),
          workers,
          context,
          run -> {
            ended.accept(line(run));
            results.writeIfTime();
          });
      results.write();
    }
    return written[0];
  }

  /** As in "12 of 36: psm learningRate=0.001 on gridworld, seed 0: error/goals 3.21". */
  private String line(SweepPlan.Run run) {
    String seeds = run.seeds().stream().map(String::valueOf).collect(Collectors.joining(", "));
    String result =
        results(run).isEmpty()
            ? "failed: " + reason(run)
            : run.cell().world().metric()
                + results(run).stream()
                    .map(each -> Wording.format(" %.4g", each.value()))
                    .collect(Collectors.joining(","));
    return "%d of %d: %s on %s, seed%s %s: %s"
        .formatted(
            study.size() - study.missing(),
            study.size(),
            run.cell().name(),
            run.cell().world().label(),
            run.seeds().size() > 1 ? "s" : "",
            seeds,
            result);
  }

  private String reason(SweepPlan.Run run) {
    return unreadable.getOrDefault(run, study.failures().getOrDefault(run, ""));
  }

  /** Of a finished run; none where its log does not tell. */
  private List<SweepResult> results(SweepPlan.Run run) {
    if (study.failures().containsKey(run) || unreadable.containsKey(run)) {
      return List.of();
    }
    try {
      return read.computeIfAbsent(run, SweepResult::read);
    } catch (UserError e) {
      unreadable.put(run, e.getMessage());
      return List.of();
    }
  }

  /** What has been found out so far. */
  public SweepOutcome outcome() {
    Map<SweepPlan.Run, List<SweepResult>> finished = new LinkedHashMap<>();
    study.finished().stream()
        .filter(run -> !results(run).isEmpty())
        .forEach(run -> finished.put(run, results(run)));
    Map<SweepPlan.Run, String> failures = new LinkedHashMap<>(study.failures());
    unreadable.forEach(failures::put);
    return new SweepOutcome(plan, finished, failures);
  }

  private void write(SweepOutcome outcome) {
    Path out = plan.sweep().out();
    SweepTable table = new SweepTable(outcome);
    AtomicFiles.writeText(out.resolve("table.csv"), table.csv());
    AtomicFiles.writeText(out.resolve("trials.csv"), table.trialsCsv());
    Json.write(out.resolve("results.json"), table.json());
    new SweepReport(outcome).writeTo(out.resolve("report.html"));
  }
}
