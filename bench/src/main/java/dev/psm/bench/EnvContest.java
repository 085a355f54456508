package dev.psm.bench;

import dev.psm.core.env.World;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/** One environment on one thread, in turns with the peer. */
final class EnvContest {
  private static final double ROUND_SECONDS = 0.05;

  /** Threads that got less of their cores than this were disturbed by other work. */
  static final double QUIET = 0.95;

  private EnvContest() {}

  /**
   * What it came to; without a peer, what is about it is NaN.
   *
   * @param speed steps per second, and {@code peerSpeed} those of the peer
   * @param ratio of the two by wall time, and {@code cpuRatio} by CPU time
   * @param share of a core that the thread got
   * @param same whether both ended every round in the same state
   */
  record Result(
      double seconds,
      int rounds,
      long stepsPerRound,
      double speed,
      double peerSpeed,
      double ratio,
      double cpuRatio,
      double share,
      boolean same,
      double meanReward) {

    boolean busy() {
      return share < QUIET;
    }

    /** Wall time on a busy machine measures the others' work. */
    double judged() {
      return busy() ? cpuRatio : ratio;
    }
  }

  static Result run(World world, String task, EnvPeer peer, double seconds, Progress progress) {
    try (EnvRunner ours = new EnvRunner(world, task);
        EnvPeer.Run theirs = peer == null ? null : peer.start(world, ours.engineStart())) {
      long steps =
          settle(
              seconds / 4,
              ROUND_SECONDS,
              count -> {
                if (theirs != null) {
                  theirs.ask(count);
                  theirs.answer();
                }
                return ours.run(count).wallSeconds();
              });
      int rounds = rounds(theirs == null ? seconds : seconds / 2, ROUND_SECONDS);
      List<Double> ourSeconds = new ArrayList<>();
      List<Double> peerSeconds = new ArrayList<>();
      List<Double> ratios = new ArrayList<>();
      List<Double> cpuRatios = new ArrayList<>();
      List<Double> shares = new ArrayList<>();
      boolean same = true;
      long start = System.nanoTime();
      try (Progress.Bar bar = progress.start(world.name(), rounds)) {
        for (int round = 0; round < rounds; round++) {
          EnvRunner.Timing mine = ours.run(steps);
          ourSeconds.add(mine.wallSeconds());
          shares.add(mine.cpuSeconds() / mine.wallSeconds());
          if (theirs != null) {
            theirs.ask(steps);
            EnvRunner.Timing other = theirs.answer();
            peerSeconds.add(other.wallSeconds());
            ratios.add(other.wallSeconds() / mine.wallSeconds());
            cpuRatios.add(other.cpuSeconds() / mine.cpuSeconds());
            same &= other.sum() == mine.sum();
          }
          bar.update(round + 1, "");
        }
      }
      return new Result(
          (System.nanoTime() - start) / 1e9,
          rounds,
          steps,
          steps / median(ourSeconds),
          steps / median(peerSeconds),
          median(ratios),
          median(cpuRatios),
          median(shares),
          same,
          ours.meanReward());
    }
  }

  /**
   * Runs for that time, until compiled code has settled.
   *
   * @param timed does so many steps and says the seconds they took
   * @return how many steps make a round
   */
  static long settle(double seconds, double roundSeconds, LongToDoubleFunction timed) {
    double spent = 0;
    long asked = 1;
    long perRound;
    do {
      double took = timed.applyAsDouble(asked);
      spent += took;
      perRound = Math.max(1, Math.round(asked / took * roundSeconds));
      asked = Math.min(2 * asked, perRound);
    } while (spent < seconds);
    return perRound;
  }

  /** How many rounds fill that time; odd, so that a median is one of them. */
  static int rounds(double seconds, double roundSeconds) {
    return Math.max(1, (int) (seconds / roundSeconds)) | 1;
  }

  static double median(List<Double> values) {
    return Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray()).median();
  }
}
