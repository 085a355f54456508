package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.rnd.RndSettings;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.study.AgentOverrides;
import dev.psm.lab.study.ControlStudy;
import dev.psm.lab.study.ControlStudy.Variant;
import dev.psm.lab.study.StudyForecast;
import dev.psm.lab.study.StudyTable;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The paper's tables on continuous control. */
final class ReproduceControl {
  private ReproduceControl() {}

  @Command(
      name = "dmc",
      mixinStandardHelpOptions = true,
      description = {
        "The paper's Table 1: returns of its agents, and of others if wanted, on all tasks of walker, cheetah, quadruped and the"
            + " point-mass maze, over seeds.",
        "Finished runs are kept in --out; the same command again goes on where it was, and with more domains, agents or"
            + " seeds only does what is missing."
      })
  static final class Dmc implements Callable<Integer> {
    @Mixin private Options options;
    @Mixin private Output output;

    @Option(
        names = "--domains",
        paramLabel = "NAME",
        split = ",",
        defaultValue = "walker,cheetah,quadruped,maze",
        description = "Which domains (default: ${DEFAULT-VALUE}).")
    private List<String> domains;

    @Option(
        names = "--agents",
        paramLabel = "NAME",
        split = ",",
        completionCandidates = AgentNames.class,
        description =
            "Which agents, of ${COMPLETION-CANDIDATES}; the others are tested against the first (default: those of the"
                + " paper's table).")
    private List<String> agents;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        defaultValue = "runs/dmc",
        description = "Where runs and results go (default: ${DEFAULT-VALUE}).")
    private Path out;

    @Override
    public Integer call() {
      List<Agent> chosen =
          agents == null
              ? ControlStudy.agentsOfThePaper()
              : agents.stream().map(id -> (Agent) Agents.control(id)).toList();
      List<Variant> variants =
          chosen.stream()
              .map(
                  agent ->
                      Variant.of(agent, options.overrides().of(agent, chosen, Agents::control)))
              .toList();
      List<String> own = options.overrides().owned();
      String lead =
          "Every agent learned once from the same reward-free experience, with "
              + (own.isEmpty()
                  ? "the same networks and number of steps."
                  : "settings of its own: " + String.join(", ", own) + ".");
      return options.run(
          "Zero-shot returns on continuous control", lead, domains, variants, out, output);
    }
  }

  @Command(
      name = "ablation",
      mixinStandardHelpOptions = true,
      description = {
        "The paper's ablation: PSM's returns on walker and cheetah for several dimensions d of the features, over seeds.",
        "Finished runs are kept in --out; the same command again goes on where it was."
      })
  static final class Ablation implements Callable<Integer> {
    @Mixin private Options options;
    @Mixin private Output output;

    @Option(
        names = "--domains",
        paramLabel = "NAME",
        split = ",",
        defaultValue = "walker,cheetah",
        description = "Which domains (default: ${DEFAULT-VALUE}).")
    private List<String> domains;

    @Option(
        names = "--dimensions",
        paramLabel = "D",
        split = ",",
        defaultValue = "32,50,128,256",
        description =
            "Which dimensions; the others are tested against the first (default: ${DEFAULT-VALUE}).")
    private List<Integer> dimensions;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        defaultValue = "runs/ablation",
        description = "Where runs and results go (default: ${DEFAULT-VALUE}).")
    private Path out;

    @Override
    public Integer call() {
      List<String> overrides =
          options.overrides().of(FactoredPsm.AGENT, List.of(FactoredPsm.AGENT), Agents::control);
      if (overrides.stream().anyMatch(text -> text.startsWith("featureDimension="))) {
        throw UserError.invalid("the dimension is what this table varies: give it as --dimensions");
      }
      List<Variant> variants =
          dimensions.stream().map(d -> Variant.ofDimension(d, overrides)).toList();
      String lead =
          "PSM learned once for each dimension d of its features from the same reward-free"
              + " experience; all else is equal.";
      return options.run(
          "PSM by the dimension of its features", lead, domains, variants, out, output);
    }
  }

  /** What both tables take. */
  static final class Options {
    @Mixin private DeviceOption devices;
    @Mixin private WorkersOption workers;
    @Mixin private StopAfter stop;

    @Option(
        names = {"--seeds", "--seed"},
        paramLabel = "N",
        split = ",",
        defaultValue = "0,1,2,3,4",
        description = "Seeds (default: ${DEFAULT-VALUE}).")
    private List<Long> seeds;

    @Option(
        names = "--together",
        negatable = true,
        description =
            "Train seeds of an agent side by side, in one run that ends with the first seed that diverges, or (--no-together)"
                + " each in a run of its own (default: side by side on a GPU). Seeds that have a run in --out stay in it.")
    private Boolean together;

    @Option(
        names = "--dry-run",
        description =
            "Only say what would be done, what is finished, and how long it may take where that is known.")
    private boolean dryRun;

    @Option(
        names = "--preset",
        paramLabel = "NAME",
        defaultValue = "small",
        description =
            "Settings of all agents: small, paper or released (default: ${DEFAULT-VALUE}).")
    private String preset;

    @Option(
        names = "--steps",
        paramLabel = "N",
        description =
            "Gradient steps of every run, its phases keeping their shares (default: the preset's).")
    private Integer steps;

    @Option(
        names = "--data",
        paramLabel = "DIR",
        defaultValue = "data",
        description =
            "The folder that holds a dataset per domain, by name (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Option(
        names = "--collect",
        paramLabel = "N",
        description = "Collect N transitions by RND for each domain that has no data, or fewer.")
    private Long collect;

    @Option(
        names = "--evaluations",
        paramLabel = "N",
        defaultValue = "10",
        description = "Points on the learning curves (default: ${DEFAULT-VALUE}).")
    private int evaluations;

    @Option(
        names = "--episodes",
        paramLabel = "N",
        defaultValue = "" + Cadence.EPISODES,
        description = "Episodes per task and evaluation (default: ${DEFAULT-VALUE}).")
    private int episodes;

    @Parameters(
        paramLabel = "KEY=VALUE",
        arity = "0..*",
        description =
            "Overrides of the preset for every run, such as batchSize=512, or for one agent's alone,"
                + " such as psm.protoSteps=5000.")
    private List<String> overrides = List.of();

    private AgentOverrides overrides() {
      return new AgentOverrides(overrides);
    }

    private int run(
        String title,
        String lead,
        List<String> domains,
        List<Variant> variants,
        Path out,
        Output output) {
      stop.check(workers);
      Destination.folder("--out", out);
      List<World> worlds = domains.stream().map(Worlds::named).toList();
      Device device = workers.device(devices, output);
      ControlStudy.Plan plan =
          new ControlStudy.Plan(
              title,
              lead,
              worlds,
              variants,
              seeds,
              together == null ? device.isCuda() : together,
              preset,
              steps,
              evaluations,
              episodes,
              data,
              out);
      if (collect != null) {
        Range.check("--collect", collect, 1, Integer.MAX_VALUE);
      }
      // A wrong setting is refused before hours of collecting, not after.
      ControlStudy.check(plan);
      if (dryRun) {
        StudyForecast forecast = ControlStudy.forecast(plan, device);
        output.say(forecast.text());
        output.finish(forecast.json());
        return 0;
      }
      try (Workers open = workers.open(device.isCuda(), out);
          Interruption interruption = stop.interruption(output)) {
        WorkContext context = new WorkContext(output.progress(), output::note, interruption);
        if (collect != null && !worlds.stream().allMatch(world -> collect(plan, world, context))) {
          output.say("stopped while data was collected; the same command goes on");
          output.finish(Json.object().put("out", out.toString()).put("runs", plan.cells().size()));
          return 1;
        }
        ControlStudy.requireData(plan);
        output.say(ControlStudy.forecast(plan, device).text());
        ControlStudy.Outcome outcome =
            interruption.tell(() -> ControlStudy.run(plan, device, open, context), output::note);
        return tell(plan, outcome, output);
      }
    }

    private int tell(ControlStudy.Plan plan, ControlStudy.Outcome outcome, Output output) {
      StudyTable table = new StudyTable(plan, outcome);
      int finished = outcome.finished();
      int failed = outcome.failures().size();
      int wanted = plan.cells().size();
      if (!outcome.runs().isEmpty()) {
        output.say(table.text());
        output.say(
            "report in %s, table.csv and results.json beside it"
                .formatted(plan.out().resolve("report.html")));
      }
      if (finished + failed < wanted) {
        output.say(
            "%d of %d runs are finished; the same command goes on".formatted(finished, wanted));
      }
      ObjectNode document = table.json();
      document.put("out", plan.out().toString());
      document.put("finishedRuns", finished).put("runs", wanted);
      output.finish(document);
      for (ControlStudy.Failure failure : outcome.failures()) {
        output.note(failure.cell().title() + ": " + failure.reason() + advice(plan, failure));
      }
      return workers.exitCode(finished, failed, wanted);
    }

    /** One seed of several suffices to end their run. */
    private static String advice(ControlStudy.Plan plan, ControlStudy.Failure failure) {
      return failure.cell().seeds().size() == 1
          ? ""
          : "; to have its seeds each in a run of its own, delete %s and give --no-together"
              .formatted(plan.folder(failure.cell()));
    }

    /**
     * Data that was made elsewhere is taken as it is.
     *
     * @return whether the data is there; false where somebody wanted it to stop before
     */
    private boolean collect(ControlStudy.Plan plan, World world, WorkContext context) {
      Path folder = plan.dataOf(world);
      if (ControlStudy.hasData(plan, world) && !ControlStudy.isCollected(folder)) {
        return true;
      }
      int threads = Runtime.getRuntime().availableProcessors();
      return Collection.byCuriosity(
              world,
              new Collection.Plan(collect, CollectCommand.ENVIRONMENTS, threads, 0),
              RndSettings.presets().get(RndSettings.usualPreset(world)),
              Device.CPU,
              folder,
              context)
          .finished();
    }
  }
}
