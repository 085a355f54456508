package dev.psm.lab.sweep;

import dev.psm.agents.Agent;
import dev.psm.core.UserError;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.study.Trial;
import dev.psm.lab.study.Trials;
import dev.psm.torch.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All trials that a sweep means, known before the first begins: what is wrong is told at once. */
public final class SweepPlan {
  static final String FILE = "sweep.json";

  private final Sweep sweep;
  private final List<SweptWorld> worlds;
  private final List<SweepCell> cells = new ArrayList<>();
  private final Map<String, SweepCell> baselines = new LinkedHashMap<>();

  /**
   * One run of a sweep.
   *
   * @param seeds several where they train side by side
   */
  record Run(SweepCell cell, List<Long> seeds, Path folder) {
    /** No two runs of a sweep share a folder. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Run run && run.folder.equals(folder);
    }

    @Override
    public int hashCode() {
      return folder.hashCode();
    }
  }

  public SweepPlan(Sweep sweep) {
    this.sweep = sweep;
    Trials.requireDistinct("agent", sweep.agents());
    Trials.requireDistinct("seed", sweep.seeds());
    OutputFolder.holds(sweep.out(), "a sweep", folder -> Files.isRegularFile(folder.resolve(FILE)));
    worlds = SweptWorld.of(sweep);
    for (SweptWorld world : worlds) {
      world.agents().forEach(agent -> cells.addAll(new SettingGrid(sweep, world, agent).cells()));
      baselines.put(world.label(), baseline(world));
    }
  }

  public Sweep sweep() {
    return sweep;
  }

  List<SweptWorld> worlds() {
    return worlds;
  }

  /** In the order in which they are given: by world, agent and settings. */
  List<SweepCell> cells() {
    return cells;
  }

  /** What the others on a world are tested against. */
  SweepCell baseline(String world) {
    return baselines.get(world);
  }

  /** How many runs there are. */
  public int size() {
    return cells.size() * (sweep.together() ? 1 : sweep.seeds().size());
  }

  /** Whether any of them can be trained by a GPU. */
  public boolean hasDatasets() {
    return worlds.stream().anyMatch(world -> !world.isFinite());
  }

  private SweepCell baseline(SweptWorld world) {
    List<SweepCell> own = cells.stream().filter(cell -> cell.isOn(world)).toList();
    if (sweep.baseline().isEmpty()) {
      return own.get(0);
    }
    List<String> words = List.of(sweep.baseline().get().strip().split("\\s+"));
    List<SweepCell> meant = own.stream().filter(cell -> isMeant(cell, words)).toList();
    if (meant.size() == 1) {
      return meant.get(0);
    }
    throw UserError.argument(
        "baseline",
        "'%s' is %s of this sweep's settings on %s; expected one of them, such as '%s'",
        sweep.baseline().get(),
        meant.isEmpty() ? "none" : Integer.toString(meant.size()),
        world.label(),
        (meant.isEmpty() ? own : meant).get(0).name());
  }

  /** The agent, and as many of its settings as it takes to tell it from the others. */
  private static boolean isMeant(SweepCell cell, List<String> words) {
    List<String> all = List.of((cell.agent().id() + " " + cell.setting()).split(" "));
    return words.get(0).equals(cell.agent().id()) && all.containsAll(words);
  }

  /** The runs of a setting, in the order of their seeds. */
  List<Run> runs(SweepCell cell) {
    return runSeeds().stream().map(seeds -> new Run(cell, seeds, folder(cell, seeds))).toList();
  }

  private List<List<Long>> runSeeds() {
    return sweep.together()
        ? List.of(sweep.seeds())
        : sweep.seeds().stream().map(List::of).toList();
  }

  /** Seed by seed over all settings, so that a table of few seeds is whole early. */
  Map<Trial, Run> trials(Device device) {
    Map<Trial, Run> trials = new LinkedHashMap<>();
    for (List<Long> seeds : runSeeds()) {
      for (SweepCell cell : cells) {
        Run run = new Run(cell, seeds, folder(cell, seeds));
        trials.put(new Trial(run.folder(), describe(cell, seeds, device(cell, device))), run);
      }
    }
    return trials;
  }

  /** Steps of finite worlds are too small for a GPU. */
  static Device device(SweepCell cell, Device device) {
    return cell.world().isFinite() ? Device.CPU : device;
  }

  private Path folder(SweepCell cell, List<Long> seeds) {
    return sweep
        .out()
        .resolve(cell.world().label())
        .resolve(cell.agent().id())
        .resolve(cell.folder())
        .resolve(Trials.folder(seeds));
  }

  private RunDescription describe(SweepCell cell, List<Long> seeds, Device device) {
    Agent agent = cell.agent();
    SweptWorld world = cell.world();
    Cadence usual = Cadence.usual(agent, cell.settings(), world.world());
    Optional<Integer> every =
        sweep.evaluations().map(times -> Math.max(1, cell.gradientSteps() / times));
    return new RunDescription(
        agent,
        sweep.preset().orElseGet(() -> agent.defaultPreset(world.world())),
        cell.settings(),
        world.data(),
        seeds,
        new Cadence(
            usual.logEvery(),
            every.orElse(usual.evaluateEvery()),
            sweep.episodes().orElse(usual.episodes()),
            usual.checkpointEvery(),
            usual.keep()),
        Provenance.software(device, world.world()));
  }
}
