package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.JsonField;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.sweep.Sweep;
import dev.psm.lab.sweep.SweepForecast;
import dev.psm.lab.sweep.SweepOutcome;
import dev.psm.lab.sweep.SweepPlan;
import dev.psm.lab.sweep.SweepStudy;
import dev.psm.lab.sweep.SweepTable;
import dev.psm.torch.Device;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Train agents × worlds × settings × seeds, each an ordinary run in a folder of its own, and compare them: a table and"
          + " a page that grow as runs end.",
      "",
      "What is swept over is said by a FILE, by options of the same names as its fields, or by both, where an option replaces the field. The"
          + " same command again does only what is missing.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./psm sweep --agents psm,fb --env gridworld,four-rooms --seeds 0,1,2 --out runs/rates fb.learningRate=3e-4,1e-3",
      "  ./psm sweep --agents psm --env spiral --draws 20 psm.basisLearningRate=log-uniform:1e-4:1e-2 --dry-run",
      "  ./psm sweep my-sweep.json --on spark://host:7077"
    })
final class SweepCommand implements Callable<Integer> {
  @Mixin private SweepOptions options;
  @Mixin private DeviceOption devices;
  @Mixin private WorkersOption workers;
  @Mixin private StopAfter stop;
  @Mixin private Output output;

  @Option(
      names = "--dry-run",
      description = "Only say what would be done, and how long it may take where that is known.")
  private boolean dryRun;

  @Override
  public Integer call() {
    JsonField document = options.document();
    stop.check(workers);
    Sweep sweep = Sweep.read(document);
    Destination.folder("--out", sweep.out());
    SweepPlan plan = new SweepPlan(sweep);
    if (dryRun) {
      SweepForecast forecast = new SweepForecast(new SweepStudy(plan, Device.CPU).outcome());
      output.say(forecast.text());
      output.finish(forecast.json());
      return 0;
    }
    Device device = device(plan);
    SweepStudy study = new SweepStudy(plan, device);
    try (Workers open = workers.open(device.isCuda(), sweep.out());
        Interruption interruption = stop.interruption(output)) {
      return tell(
          plan,
          interruption.tell(
              () ->
                  study.run(
                      open,
                      new WorkContext(output.progress(), output::note, interruption),
                      output::note),
              output::note));
    }
  }

  private Device device(SweepPlan plan) {
    if (plan.hasDatasets()) {
      return workers.device(devices, output);
    }
    if (devices.asksForCuda()) {
      throw UserError.invalid(
          "--device cuda: steps of worlds of few states are too small for a GPU; leave it out");
    }
    return Device.CPU;
  }

  private int tell(SweepPlan plan, SweepOutcome outcome) {
    SweepTable table = new SweepTable(outcome);
    output.say(table.text());
    output.say(
        "report in %s; table.csv, trials.csv and results.json beside it"
            .formatted(plan.sweep().out().resolve("report.html")));
    if (outcome.finished() + outcome.failed() < plan.size()) {
      output.say(
          "%d of %d runs are finished; the same command goes on"
              .formatted(outcome.finished(), plan.size()));
    }
    if (outcome.failed() > 0) {
      output.say(
          "%d of %d runs failed, with their reasons in trials.csv; the same command tries them again"
              .formatted(outcome.failed(), plan.size()));
    }
    ObjectNode json = table.json();
    json.put("out", plan.sweep().out().toString());
    output.finish(json);
    return workers.exitCode(outcome.finished(), outcome.failed(), plan.size());
  }
}
