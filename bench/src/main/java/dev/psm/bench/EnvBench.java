package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.mujoco.suite.RobotWorld;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Control steps per second of the physics environments, observation and reward included, beside the
 * bare engine driven from C; two threads beside one; a call into the engine; memory.
 *
 * <p>Rounds of the contestants alternate and every ratio is a median over neighbouring rounds, so
 * that other work on the machine falls on both.
 */
public final class EnvBench {
  private static final double THREADS_BAR = 1.8;
  private static final int CROSSINGS = 500_000;
  private static final int CROSSING_ROUNDS = 9;
  private static final int STEPS_PER_RESET = 100;

  private final MujocoLibrary library = MujocoLibrary.load();
  private final ObjectNode document = Json.object();
  private final StringBuilder text = new StringBuilder();
  private final Settings settings;
  private final Progress progress;

  /**
   * An environment to measure.
   *
   * @param bar the least share of C's speed that is good enough; 0 where none was set
   */
  private record Contest(String name, String task, double bar) {
    World world() {
      return Worlds.named(name);
    }
  }

  private static final List<Contest> CONTESTS =
      List.of(
          new Contest("walker", "walk", 0.9),
          new Contest("cheetah", "run", 0.6),
          new Contest("quadruped", "walk", 0.9),
          new Contest("point_mass_maze", "reach_top_left", 0.6),
          new Contest("fetchreach", "reach", 0));

  /**
   * What to measure.
   *
   * @param environments names as {@link Worlds#named} takes them; all when empty
   * @param seconds how long each environment's contest lasts, warm-up apart
   * @param memorySteps steps over which resident memory is watched; 0 for none
   */
  public record Settings(List<String> environments, double seconds, int memorySteps) {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  private EnvBench(Settings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  public static Result run(Settings settings, Progress progress) {
    List<Contest> contests = chosen(settings.environments());
    EnvBench bench = new EnvBench(settings, progress);
    bench.describe();
    try (EnvPeer peer = EnvPeer.build(bench.library)) {
      bench.document.put("peer", "C, cc -O2");
      bench.measure(contests, peer);
    } catch (EnvPeer.Missing e) {
      bench.document.put("peer", "none: " + e.getMessage());
      bench.line("no peer in C: %s", e.getMessage());
      bench.measure(contests, null);
    }
    return new Result(bench.document, bench.text.toString().stripTrailing());
  }

  private static List<Contest> chosen(List<String> names) {
    if (names.isEmpty()) {
      return CONTESTS;
    }
    List<Contest> chosen = new ArrayList<>();
    for (String name : names) {
      String full = Worlds.named(name).name();
      chosen.add(
          CONTESTS.stream()
              .filter(contest -> contest.name().equals(full))
              .findFirst()
              .orElseThrow(
                  () ->
                      UserError.invalid(
                          "there is no contest for %s; there are %s",
                          full, String.join(", ", CONTESTS.stream().map(Contest::name).toList()))));
    }
    return chosen;
  }

  private void describe() {
    String java = System.getProperty("java.vm.name") + " " + Runtime.version();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    document.put("machine", Machine.cpu());
    document.put("loadAverage", load);
    document.put("java", java);
    document.putObject("engine").put("version", library.version()).put("file", library.file());
    line("%s, load %.1f before this; %s; MuJoCo %s", Machine.cpu(), load, java, library.version());
  }

  private void measure(List<Contest> contests, EnvPeer peer) {
    line("");
    line(
        "%-16s %12s %12s %7s %7s %5s",
        "one thread", "psm steps/s", "C steps/s", "ratio", "of CPU", "bar");
    ObjectNode environments = document.putObject("environments");
    contests.forEach(contest -> contest(contest, peer, environments.putObject(contest.name())));
    threads(contests, peer);
    crossing();
    if (settings.memorySteps() > 0) {
      memory();
    }
  }

  private void contest(Contest contest, EnvPeer peer, ObjectNode node) {
    World world = contest.world();
    EnvContest.Result result =
        EnvContest.run(world, contest.task(), peer, settings.seconds(), progress);
    node.put("task", contest.task()).put("substeps", ((RobotWorld) world).sizes().substeps());
    node.put("seconds", result.seconds()).put("rounds", result.rounds());
    node.put("stepsPerRound", result.stepsPerRound()).put("meanReward", result.meanReward());
    node.put("shareOfCore", result.share()).put("busy", result.busy());
    node.put("stepsPerSecond", result.speed());
    String row = String.format(Locale.ROOT, "%-16s %,12.0f", contest.name(), result.speed());
    if (peer != null) {
      node.put("peerStepsPerSecond", result.peerSpeed());
      node.put("ratio", result.ratio()).put("cpuRatio", result.cpuRatio());
      node.put("sameStates", result.same());
      row +=
          String.format(
              Locale.ROOT,
              " %,12.0f %7.3f %7.3f",
              result.peerSpeed(),
              result.ratio(),
              result.cpuRatio());
      if (contest.bar() > 0) {
        boolean met = result.judged() >= contest.bar();
        node.put("bar", contest.bar()).put("judgedBy", result.busy() ? "cpu" : "wall");
        node.put("met", met);
        row += String.format(Locale.ROOT, " %5.1f%s", contest.bar(), met ? "" : " missed");
      }
      row += result.same() ? "" : "  (the states differ: not the same work)";
    }
    line("%s", row);
  }

  private void threads(List<Contest> contests, EnvPeer peer) {
    line("");
    line(
        "%-16s %12s %12s %7s %7s %10s %7s",
        "two threads", "one", "two", "speedup", "of CPU", "quiet", "in C");
    ObjectNode node = document.putObject("threads");
    node.put("cores", Runtime.getRuntime().availableProcessors()).put("bar", THREADS_BAR);
    ObjectNode environments = node.putObject("environments");
    double share = 1;
    for (Contest contest : contests) {
      EnvThreads.Result result;
      EnvVector.Result together;
      try (Progress.Bar bar = progress.start("threads, " + contest.name(), 2);
          EnvThreads pair = new EnvThreads(contest.world(), contest.task(), peer)) {
        result = pair.measure(settings.seconds() / 3);
        bar.update(1, "");
        together = EnvVector.measure(contest.world(), contest.task(), settings.seconds() / 5);
        bar.update(2, "");
      }
      ObjectNode each = environments.putObject(contest.name());
      each.put("oneThreadStepsPerSecond", result.one())
          .put("twoThreadsStepsPerSecond", result.two());
      each.put("speedup", result.speedup());
      if (result.undisturbed()) {
        each.put("met", result.speedup() >= THREADS_BAR);
      }
      each.put("cpuSpeedup", result.cpuSpeedup()).put("rounds", result.rounds());
      each.put("quietRounds", result.quietRounds()).put("shareOfTwoCores", result.share());
      String row =
          String.format(
              Locale.ROOT,
              "%-16s %,12.0f %,12.0f %7.2f %7.2f %6d/%d",
              contest.name(),
              result.one(),
              result.two(),
              result.speedup(),
              result.cpuSpeedup(),
              result.quietRounds(),
              result.rounds());
      if (peer != null) {
        each.put("peerSpeedup", result.peerSpeedup());
        row += String.format(Locale.ROOT, " %7.2f", result.peerSpeedup());
      }
      each.putObject("together")
          .put("environments", EnvVector.COUNT)
          .put("oneThreadStepsPerSecond", together.one())
          .put("twoThreadsStepsPerSecond", together.two())
          .put("speedup", together.speedup());
      line("%s", row);
      line(
          "%-16s %,12.0f %,12.0f %7.2f",
          "  %d together".formatted(EnvVector.COUNT),
          together.one(),
          together.two(),
          together.speedup());
      share = Math.min(share, result.share());
    }
    node.put("busy", share < EnvContest.QUIET);
    if (share < EnvContest.QUIET) {
      line(
          "the machine was busy, two threads got as little as %.0f %% of two cores: take CPU time",
          100 * share);
    }
  }

  /** What a call into the engine costs that does nothing there. */
  private void crossing() {
    List<Double> nanoseconds = new ArrayList<>();
    long sum = 0;
    for (int round = -1; round < CROSSING_ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < CROSSINGS; i++) {
        sum += library.versionNumber();
      }
      if (round >= 0) {
        nanoseconds.add((System.nanoTime() - start) / (double) CROSSINGS);
      }
    }
    if (sum <= 0) {
      throw new IllegalStateException("a version number is positive");
    }
    document.put("crossingNanoseconds", EnvContest.median(nanoseconds));
    line("");
    line("an empty call into the engine: %.0f ns", EnvContest.median(nanoseconds));
  }

  /** Resident memory over many steps and resets of the maze and the walker. */
  private void memory() {
    long cycles = Math.max(1, settings.memorySteps() / (2L * STEPS_PER_RESET));
    long warmUp = (cycles + 9) / 10;
    long before = Machine.residentBytes();
    long settled = before;
    long peak = before;
    try (Progress.Bar bar = progress.start("memory", cycles);
        EnvRunner maze = new EnvRunner(Worlds.named("maze"), "reach_top_left");
        EnvRunner walker = new EnvRunner(Worlds.named("walker"), "walk")) {
      for (long cycle = 1; cycle <= cycles; cycle++) {
        for (EnvRunner each : List.of(maze, walker)) {
          each.reset();
          each.run(STEPS_PER_RESET);
        }
        if (cycle == warmUp) {
          settled = Machine.residentBytes();
        }
        if (cycle % 100 == 0) {
          peak = Math.max(peak, Machine.residentBytes());
          bar.update(cycle, "at most %d MB resident".formatted(peak / 1_000_000));
        }
      }
    }
    long after = Machine.residentBytes();
    document
        .putObject("memory")
        .put("steps", 2 * STEPS_PER_RESET * cycles)
        .put("resets", 2 * cycles)
        .put("residentMegabytesBefore", before / 1e6)
        .put("residentMegabytesAfterATenth", settled / 1e6)
        .put("residentMegabytesAfter", after / 1e6)
        .put("peakMegabytes", Math.max(peak, after) / 1e6)
        .put("growthMegabytes", (after - settled) / 1e6);
    line(
        "memory over %,d steps and %,d resets: %.1f MB before, %.1f MB after a tenth, %.1f MB after all",
        2 * STEPS_PER_RESET * cycles, 2 * cycles, before / 1e6, settled / 1e6, after / 1e6);
  }

  private void line(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
