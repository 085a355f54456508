package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.rnd.DqnSettings;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.study.AgentOverrides;
import dev.psm.lab.study.ControlStudy.Variant;
import dev.psm.lab.study.GoalStudy;
import dev.psm.lab.study.GoalStudyTable;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "fetch",
    mixinStandardHelpOptions = true,
    description = {
      "The paper's Figure 4: how many goals of FetchReach with numbered actions are reached, over the gradient steps, by"
          + " PSM, FB and Laplacian, over seeds.",
      "All seeds of an agent train side by side. Runs are kept in --out; the same command again goes on where it was."
    })
final class ReproduceFetch implements Callable<Integer> {
  private static final String WORLD = "fetchreach_discrete";

  @Spec private CommandSpec spec;
  @Mixin private Output output;
  @Mixin private DeviceOption devices;
  @Mixin private WorkersOption workers;

  @Option(
      names = "--agents",
      paramLabel = "NAME",
      split = ",",
      description = "Which agents (default: those of the paper's figure).")
  private List<String> agents;

  @Option(
      names = {"--seeds", "--seed"},
      paramLabel = "N",
      split = ",",
      defaultValue = "0,1,2",
      description = "Seeds, side by side (default: ${DEFAULT-VALUE}).")
  private List<Long> seeds;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      defaultValue = "small",
      description = "Settings of all agents: small or paper (default: ${DEFAULT-VALUE}).")
  private String preset;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Gradient steps of every agent (default: the preset's).")
  private Integer steps;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data/fetch",
      description =
          "The dataset (default: ${DEFAULT-VALUE}, which is collected by dqn-rnd where it is missing or incomplete).")
  private Path data;

  @Option(
      names = "--collect-steps",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Transitions to collect by dqn-rnd; together with --data, there (default: ${DEFAULT-VALUE}).")
  private long collectSteps;

  @Option(
      names = "--evaluations",
      paramLabel = "N",
      defaultValue = "20",
      description = "Points on the curves (default: ${DEFAULT-VALUE}).")
  private int evaluations;

  @Option(
      names = "--goals",
      paramLabel = "N",
      defaultValue = "" + Cadence.GOALS,
      description = "Goals per evaluation and seed (default: ${DEFAULT-VALUE}).")
  private int goals;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/fetch",
      description = "Where runs and results go (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Parameters(
      paramLabel = "KEY=VALUE",
      arity = "0..*",
      description =
          "Overrides of the preset for every agent, such as batchSize=512, or for one alone, such as fb.discount=0.9.")
  private List<String> overrides = List.of();

  @Override
  public Integer call() {
    Destination.folder("--out", out);
    Range.check("--collect-steps", collectSteps, 1, Integer.MAX_VALUE);
    Range.check("--goals", goals, 1, Range.MAX_EPISODES);
    World world = Worlds.named(WORLD);
    List<Agent> chosen =
        agents == null
            ? GoalStudy.agentsOfThePaper(world)
            : agents.stream().map(id -> Agents.named(id, world)).toList();
    AgentOverrides changes = new AgentOverrides(overrides);
    List<Variant> variants =
        chosen.stream()
            .map(
                agent ->
                    Variant.of(agent, changes.of(agent, chosen, id -> Agents.named(id, world))))
            .toList();
    GoalStudy.Plan plan =
        new GoalStudy.Plan(world, variants, seeds, preset, steps, evaluations, goals, data, out);
    // A wrong setting is refused before hours of collecting, not after.
    GoalStudy.check(plan);
    boolean collects = collects();
    if (collects) {
      GoalStudy.requireNoRunsIfDataGrows(plan, collectSteps);
      devices.without(
          Precision.BFLOAT16,
          "exploration is computed in tf32 or float32; to train in bfloat16, collect first and name"
              + " the dataset by --data alone");
    }
    if (collects) {
      collect(plan, devices.open(output));
    }
    Device device = workers.device(devices, output);
    describe(plan, GoalStudy.describe(plan));
    try (Workers open = workers.open(device.isCuda(), out);
        Interruption interruption =
            new Interruption(() -> output.note("stopping after this step, and saving it"))) {
      GoalStudy.Outcome outcome =
          interruption.tell(
              () ->
                  GoalStudy.run(
                      plan,
                      device,
                      open,
                      new WorkContext(output.progress(), output::note, interruption),
                      grown -> output.note("so far:\n" + new GoalStudyTable(plan, grown).text())),
              output::note);
      return tell(plan, outcome);
    }
  }

  /** What was made elsewhere is taken as it is, and so is a dataset that somebody names. */
  private boolean collects() {
    boolean asked = new MatchedOptions(spec).has("--collect-steps");
    if (!asked && new MatchedOptions(spec).has("--data")) {
      return false;
    }
    // One that was only begun has no episode and goes on, if it is the same.
    if (!Dataset.isIn(data) || Dataset.episodesIn(data) == 0) {
      return true;
    }
    String collector = collector(data);
    if (collector.equals(CollectCommand.DQN_RND)) {
      return true;
    }
    if (asked) {
      throw UserError.invalid(
          "--collect-steps: %s was collected by %s, and %s cannot go on with it; leave the option"
              + " out to take the data as it is, or give another --data",
          data, collector, CollectCommand.DQN_RND);
    }
    return false;
  }

  private void collect(GoalStudy.Plan plan, Device device) {
    int threads = Runtime.getRuntime().availableProcessors();
    Collection.byCuriosity(
        plan.world(),
        new Collection.Plan(collectSteps, CollectCommand.NUMBERED_ENVIRONMENTS, threads, 0),
        DqnSettings.presets().values().iterator().next(),
        device,
        data,
        new WorkContext(output.progress(), output::note, () -> false));
  }

  private static String collector(Path folder) {
    try (Dataset dataset = Dataset.open(folder)) {
      return dataset.description().collector();
    }
  }

  private void describe(GoalStudy.Plan plan, RunDescription.Data described) {
    output.say(
        "%s: %s by %s in %s"
            .formatted(
                plan.world().name(),
                Wording.count(described.transitions(), "transition"),
                described.collector(),
                data));
    for (Variant variant : plan.variants()) {
      output.say(
          "  %s, %s: %s, %s of %s"
              .formatted(
                  variant.title(),
                  seedsInWords(),
                  Wording.count(plan.gradientSteps(variant), "gradient step"),
                  Wording.count(plan.evaluations(variant), "evaluation"),
                  Wording.count(goals, "goal")));
    }
  }

  private String seedsInWords() {
    return seeds.size() == 1
        ? "seed " + seeds.get(0)
        : "seeds %s side by side"
            .formatted(seeds.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  private int tell(GoalStudy.Plan plan, GoalStudy.Outcome outcome) {
    GoalStudyTable table = new GoalStudyTable(plan, outcome);
    int wanted = plan.variants().size();
    long finished = outcome.finished();
    int failed = outcome.failures().size();
    output.say(table.text());
    if (finished > 0) {
      output.say(
          "report in %s; figure.svg, table.csv and results.json beside it"
              .formatted(out.resolve("report.html")));
    }
    if (finished + failed < wanted) {
      output.say(
          "%d of %d runs are finished; the same command goes on".formatted(finished, wanted));
    }
    ObjectNode document = table.json();
    document.put("out", out.toString());
    document.put("finishedRuns", finished).put("runs", wanted);
    output.finish(document);
    return failed > 0 ? 1 : 0;
  }
}
