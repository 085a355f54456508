package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.mujoco.suite.DomainFacts;
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
  static final double ROUND_SECONDS = 0.05;
  private static final double THREADS_BAR = 1.8;
  private static final double BUSY = 0.95;
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
    DomainFacts facts() {
      return DomainFacts.named(name);
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
   * @param environments names as {@link DomainFacts#named} takes them; all when empty
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
      String full = DomainFacts.named(name).name();
      chosen.add(
          CONTESTS.stream()
              .filter(contest -> contest.name().equals(full))
              .findFirst()
              .orElseThrow(
                  () ->
                      UserError.usage(
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
    DomainFacts facts = contest.facts();
    try (EnvRunner ours = new EnvRunner(facts, contest.task());
        EnvPeer.Run theirs = peer == null ? null : peer.start(facts, ours.engineStart())) {
      long steps = warmUp(ours, theirs);
      double share = theirs == null ? 1 : 2;
      int rounds = rounds(settings.seconds() / share);
      double[] seconds = new double[rounds];
      double[] peerSeconds = new double[rounds];
      double[] ratios = new double[rounds];
      double[] cpuRatios = new double[rounds];
      boolean same = true;
      long start = System.nanoTime();
      try (Progress.Bar bar = progress.start(contest.name(), rounds)) {
        for (int round = 0; round < rounds; round++) {
          EnvRunner.Timing mine = ours.run(steps);
          seconds[round] = mine.wallSeconds();
          if (theirs != null) {
            theirs.ask(steps);
            EnvRunner.Timing other = theirs.answer();
            peerSeconds[round] = other.wallSeconds();
            ratios[round] = other.wallSeconds() / mine.wallSeconds();
            cpuRatios[round] = other.cpuSeconds() / mine.cpuSeconds();
            same &= other.sum() == mine.sum();
          }
          bar.update(round + 1, "");
        }
      }
      node.put("task", contest.task()).put("substeps", facts.substeps());
      node.put("seconds", (System.nanoTime() - start) / 1e9).put("rounds", rounds);
      node.put("stepsPerRound", steps).put("meanReward", ours.meanReward());
      double speed = steps / median(seconds);
      node.put("stepsPerSecond", speed);
      String row = String.format(Locale.ROOT, "%-16s %,12.0f", contest.name(), speed);
      if (theirs != null) {
        double ratio = median(ratios);
        node.put("peerStepsPerSecond", steps / median(peerSeconds));
        node.put("ratio", ratio).put("cpuRatio", median(cpuRatios)).put("sameStates", same);
        row +=
            String.format(
                Locale.ROOT,
                " %,12.0f %7.3f %7.3f",
                steps / median(peerSeconds),
                ratio,
                median(cpuRatios));
        if (contest.bar() > 0) {
          node.put("bar", contest.bar()).put("met", ratio >= contest.bar());
          row +=
              String.format(
                  Locale.ROOT, " %5.1f%s", contest.bar(), ratio >= contest.bar() ? "" : " missed");
        }
        row += same ? "" : "  (the states differ: not the same work)";
      }
      line("%s", row);
    }
  }

  /**
   * Runs until compiled code has settled.
   *
   * @return how many steps make a round
   */
  private long warmUp(EnvRunner ours, EnvPeer.Run theirs) {
    double wanted = settings.seconds() / 4;
    double spent = 0;
    double speed = 0;
    for (long steps = 1; spent < wanted; steps = Math.max(2 * steps, 1)) {
      long asked = speed > 0 ? Math.min(steps, perRound(speed)) : steps;
      double took = ours.run(asked).wallSeconds();
      if (theirs != null) {
        theirs.ask(asked);
        theirs.answer();
      }
      spent += took;
      speed = asked / took;
    }
    return perRound(speed);
  }

  static long perRound(double stepsPerSecond) {
    return Math.max(1, Math.round(stepsPerSecond * ROUND_SECONDS));
  }

  /** How many rounds fill that time; odd, so that a median is one of them. */
  static int rounds(double seconds) {
    return Math.max(1, (int) (seconds / ROUND_SECONDS)) | 1;
  }

  static double median(double[] values) {
    return Summary.of(values).median();
  }

  private void threads(List<Contest> contests, EnvPeer peer) {
    line("");
    line("%-16s %12s %12s %7s %7s", "two threads", "one", "two", "speedup", "in C");
    ObjectNode node = document.putObject("threads");
    node.put("cores", Runtime.getRuntime().availableProcessors()).put("bar", THREADS_BAR);
    ObjectNode environments = node.putObject("environments");
    double share = 1;
    for (Contest contest : contests) {
      EnvThreads.Result result;
      try (Progress.Bar bar = progress.start("threads, " + contest.name(), 1);
          EnvThreads pair = new EnvThreads(contest.facts(), contest.task(), peer)) {
        result = pair.measure(settings.seconds() / 3);
        bar.update(1, "");
      }
      ObjectNode each = environments.putObject(contest.name());
      each.put("oneThreadStepsPerSecond", result.one())
          .put("twoThreadsStepsPerSecond", result.two());
      each.put("speedup", result.speedup()).put("met", result.speedup() >= THREADS_BAR);
      each.put("cpuSpeedup", result.cpuSpeedup()).put("shareOfTwoCores", result.share());
      String row =
          String.format(
              Locale.ROOT,
              "%-16s %,12.0f %,12.0f %7.2f",
              contest.name(),
              result.one(),
              result.two(),
              result.speedup());
      if (peer != null) {
        each.put("peerSpeedup", result.peerSpeedup());
        row += String.format(Locale.ROOT, " %7.2f", result.peerSpeedup());
      }
      line("%s", row);
      share = Math.min(share, result.share());
    }
    node.put("busy", share < BUSY);
    if (share < BUSY) {
      line("the machine was busy: two threads got as little as %.0f %% of two cores", 100 * share);
    }
  }

  /** What a call into the engine costs that does nothing there. */
  private void crossing() {
    double[] nanoseconds = new double[CROSSING_ROUNDS];
    long sum = 0;
    for (int round = -1; round < CROSSING_ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < CROSSINGS; i++) {
        sum += library.versionNumber();
      }
      if (round >= 0) {
        nanoseconds[round] = (System.nanoTime() - start) / (double) CROSSINGS;
      }
    }
    if (sum <= 0) {
      throw new IllegalStateException("a version number is positive");
    }
    document.put("crossingNanoseconds", median(nanoseconds));
    line("");
    line("an empty call into the engine: %.0f ns", median(nanoseconds));
  }

  /** Resident memory over many steps and resets of the maze and the walker. */
  private void memory() {
    long cycles = Math.max(1, settings.memorySteps() / (2L * STEPS_PER_RESET));
    long warmUp = (cycles + 9) / 10;
    long before = Machine.residentBytes();
    long settled = before;
    long peak = before;
    try (Progress.Bar bar = progress.start("memory", cycles);
        EnvRunner maze = new EnvRunner(DomainFacts.named("maze"), "reach_top_left");
        EnvRunner walker = new EnvRunner(DomainFacts.named("walker"), "walk")) {
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
