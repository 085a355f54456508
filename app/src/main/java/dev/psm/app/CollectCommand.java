package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.rnd.DqnSettings;
import dev.psm.agents.rnd.ExplorerSettings;
import dev.psm.agents.rnd.RndSettings;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.collect.Coverage;
import dev.psm.lab.collect.Footage;
import dev.psm.lab.collect.PartedCollection;
import dev.psm.lab.collect.WanderSettings;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "collect",
    mixinStandardHelpOptions = true,
    description = {
      "Gather reward-free experience as a dataset. Interrupted or killed, the same command goes on where it was; with a"
          + " larger --steps it adds to what is there.",
      ""
    })
final class CollectCommand implements Callable<Integer> {
  /** Played at once when nobody says otherwise; part of what a seed means. */
  static final int ENVIRONMENTS = 16;

  /** The same for {@code dqn-rnd}: its episodes are short, and calls of a small network dear. */
  static final int NUMBERED_ENVIRONMENTS = 64;

  private static final String RND = "rnd";
  static final String DQN_RND = "dqn-rnd";
  private static final List<String> POLICIES = List.of("random", "wander", RND, DQN_RND);

  @Mixin private Output output;
  @Mixin private DeviceOption device;
  @Mixin private WorkersOption workers;

  @Option(names = "--env", required = true, paramLabel = "NAME", description = "See env list.")
  private String name;

  @Option(
      names = "--policy",
      paramLabel = "random|wander|rnd|dqn-rnd",
      description =
          "Uniformly random actions; random actions that change slowly; or RND exploration on the error of predicting a"
              + " random network, by DDPG (rnd) or, where actions are numbered, by DQN (dqn-rnd) (default: rnd, or dqn-rnd"
              + " where actions are numbered).")
  private String policy;

  @Option(
      names = "--steps",
      required = true,
      paramLabel = "N",
      description = "Transitions in the finished dataset; whole episodes are stored.")
  private long steps;

  @Option(names = "--out", required = true, paramLabel = "DIR", description = "The dataset.")
  private Path folder;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "Of rnd: small or small-slow, for a few processor cores, fast, for a GPU, or urlb, as published (default:"
              + " small; small-slow where an observation has at most 4 numbers). Of dqn-rnd: small.")
  private String preset;

  @Option(
      names = "--environments",
      paramLabel = "N",
      description =
          "Environments that are played at once; with another number, a seed gives other data (default: "
              + ENVIRONMENTS
              + ", of dqn-rnd "
              + NUMBERED_ENVIRONMENTS
              + ").")
  private Integer environments;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads for the physics; they change only the speed (default: all cores; with --parts 1 for each part).")
  private Integer threads;

  @Option(
      names = "--parts",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Collect in N parts that many workers can collect at once, each with an explorer of its own, and gather them;"
              + " part of what a seed means (default: ${DEFAULT-VALUE}).")
  private int parts;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Decides every random draw (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--film", paramLabel = "FILE.gif", description = "Film what was found.")
  private Path film;

  @Parameters(
      paramLabel = "KEY=VALUE",
      arity = "0..*",
      description =
          "Overrides, such as width=512 or stepsPerUpdate=8 for rnd and dqn-rnd. For wander: memory=100 in steps, scale=1 and"
              + " noise=0.5, the standard deviations of its slow part and of independent noise.")
  private List<String> overrides = List.of();

  @Override
  public Integer call() {
    World world = Worlds.named(name);
    int atOnce = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    Destination.file("--film", film, ".gif");
    policy = policy == null ? usualPolicy(world) : policy;
    Range.check("--parts", parts, 1, PartedCollection.MAX_PARTS);
    if (parts == 1 && workers.isElsewhere()) {
      throw UserError.invalid(
          "--on: one explorer collects on one machine; say with --parts in how many parts to collect"
              + " on others");
    }
    int own = parts == 1 ? atOnce : threads == null ? 1 : threads;
    Collection.Plan plan = new Collection.Plan(steps, environments(), own, seed);
    if (!Dataset.isIn(folder)) {
      Destination.folder("--out", folder);
    }
    try (Interruption interruption =
        new Interruption(
            () -> output.note("stopping; the round that is being played is not kept"))) {
      WorkContext context = new WorkContext(output.progress(), output::note, interruption);
      Collection.Result result =
          interruption.tell(() -> collect(world, plan, context), output::note);
      if (result.finished()) {
        finish(world, result, atOnce);
      } else {
        stopped(world, result);
      }
    }
    return 0;
  }

  private void stopped(World world, Collection.Result result) {
    long stored = result.stored() + result.added();
    output.say(
        parts > 1
            ? "stopped; what the parts have stored in %s is kept, and the same command goes on"
                .formatted(folder)
            : stored == 0
                ? "stopped before anything was stored; the same command begins anew"
                : "stopped: %,d of %s are stored in %s; the same command goes on"
                    .formatted(stored, Wording.count(steps, "step"), folder));
    output.finish(json(world, result));
  }

  private void finish(World world, Collection.Result result, int atOnce) {
    say(world, result);
    try (Dataset dataset = Dataset.open(folder)) {
      Coverage coverage = Coverage.of(dataset, atOnce);
      output.say(coverage.text());
      output.say("dataset in %s%s".formatted(folder, report(coverage, world, result)));
      if (film != null) {
        Footage.film(dataset, world, film, output.progress());
        output.say("film in " + film);
      }
      ObjectNode document = json(world, result);
      document.set("coverage", coverage.json());
      output.finish(document);
    }
  }

  private static String usualPolicy(World world) {
    return world.actionSpace() instanceof Space.Discrete ? DQN_RND : RND;
  }

  private int environments() {
    int usual = policy.equals(DQN_RND) ? NUMBERED_ENVIRONMENTS : ENVIRONMENTS;
    return environments == null ? usual : environments;
  }

  private boolean isCurious() {
    return policy.equals(RND) || policy.equals(DQN_RND);
  }

  /** A dataset that got nothing new may lie where nothing can be written, and keeps its report. */
  private String report(Coverage coverage, World world, Collection.Result result) {
    Path report = folder.resolve("report.html");
    if (result.added() > 0 || (!Files.exists(report) && Files.isWritable(folder))) {
      coverage.writeReport(report, Json.pretty(json(world, result)));
    }
    return Files.exists(report) ? ", coverage in " + report : "";
  }

  private Collection.Result collect(World world, Collection.Plan plan, WorkContext context) {
    if (!POLICIES.contains(policy)) {
      throw UserError.invalid(
          "--policy: expected one of %s, found '%s'; %s",
          POLICIES, policy, Nearest.hint(policy, POLICIES));
    }
    if (isCurious()) {
      return byCuriosity(world, plan, explorer(world), context);
    }
    if (preset != null) {
      throw UserError.invalid("%s has no presets, but --preset %s was given", policy, preset);
    }
    if (!device.given().isEmpty()) {
      throw UserError.invalid(
          "%s has no networks, but %s was given", policy, device.given().get(0));
    }
    if (policy.equals("wander")) {
      WanderSettings settings = Settings.override(WanderSettings.USUAL, overrides);
      if (parts > 1) {
        return inParts(world, plan, Optional.of(settings), Optional.empty(), context);
      }
      return Collection.byWandering(world, plan, settings, folder, context);
    }
    if (!overrides.isEmpty()) {
      throw UserError.invalid("random has no settings, but %s was given", overrides.get(0));
    }
    return parts > 1
        ? inParts(world, plan, Optional.empty(), Optional.empty(), context)
        : Collection.atRandom(world, plan, folder, context);
  }

  private Collection.Result inParts(
      World world,
      Collection.Plan plan,
      Optional<Record> settings,
      Optional<Precision> precision,
      WorkContext context) {
    PartedCollection collection =
        new PartedCollection(world, plan, parts, settings, precision, folder);
    try (Workers open = workers.open(precision.isPresent())) {
      return collection.run(open, context);
    }
  }

  private ExplorerSettings explorer(World world) {
    return policy.equals(RND)
        ? settings(RndSettings.presets(), RndSettings.usualPreset(world))
        : settings(DqnSettings.presets(), "small");
  }

  private Collection.Result byCuriosity(
      World world, Collection.Plan plan, ExplorerSettings settings, WorkContext context) {
    device.without(
        Precision.BFLOAT16,
        "exploration is computed in tf32 or float32; bfloat16 is for the networks of pretrain");
    if (parts > 1) {
      Device opened = workers.device(device, output);
      return inParts(
          world,
          plan,
          Optional.of((Record) settings),
          opened.isCuda() ? Optional.of(opened.precision()) : Optional.empty(),
          context);
    }
    return Collection.byCuriosity(world, plan, settings, device.open(output), folder, context);
  }

  private <S extends Record> S settings(Map<String, S> presets, String usual) {
    String wanted = preset == null ? usual : preset;
    if (!presets.containsKey(wanted)) {
      throw UserError.invalid("--preset: expected one of %s, found '%s'", presets.keySet(), wanted);
    }
    return Settings.override(presets.get(wanted), overrides);
  }

  private void say(World world, Collection.Result result) {
    if (result.added() == 0) {
      output.say(
          String.format(
              Locale.ROOT,
              "%s: all %s were there already",
              world.name(),
              Wording.count(result.stored(), "step")));
      return;
    }
    double seconds = result.seconds();
    output.say(
        String.format(
            Locale.ROOT,
            "%s: %s in %.1f s, %,.0f a second (physics %.0f %%, %s %.0f %%, writing %.0f %%); %,d in"
                + " all; %s blew up",
            world.name(),
            Wording.count(result.added(), "step"),
            seconds,
            result.added() / seconds,
            100 * result.physicsSeconds() / seconds,
            choosing(),
            100 * result.explorerSeconds() / seconds,
            100 * result.writingSeconds() / seconds,
            result.stored() + result.added(),
            Wording.count(result.divergences(), "episode")));
  }

  /** What the time between two steps of the physics goes to. */
  private String choosing() {
    return isCurious() ? "networks" : "actions";
  }

  private ObjectNode json(World world, Collection.Result result) {
    ObjectNode document = Json.object();
    document.put("out", folder.toString());
    document.put("env", world.name()).put("policy", policy).put("seed", seed);
    if (parts > 1) {
      document.put("parts", parts);
    }
    document.put("steps", result.stored() + result.added()).put("added", result.added());
    document.put("finished", result.finished());
    document.put("seconds", result.seconds());
    if (result.added() > 0) {
      document.put("stepsPerSecond", result.added() / result.seconds());
      document.put("physicsShare", result.physicsSeconds() / result.seconds());
      document.put(choosing() + "Share", result.explorerSeconds() / result.seconds());
      document.put("writingShare", result.writingSeconds() / result.seconds());
    }
    document.put("divergences", result.divergences());
    ObjectNode metrics = document.putObject("metrics");
    result.metrics().forEach(metrics::put);
    return document;
  }
}
