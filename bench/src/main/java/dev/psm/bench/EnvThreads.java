package dev.psm.bench;

import dev.psm.core.env.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Two environments on two threads beside one on one thread; and two processes of the peer. */
final class EnvThreads implements AutoCloseable {
  // Short, so that some rounds fit between the time slices of other work on the machine.
  private static final double ROUND_SECONDS = 0.005;
  private static final int ENOUGH_QUIET_ROUNDS = 5;

  private final List<ExecutorService> threads = new ArrayList<>();
  private final List<EnvRunner> runners = new ArrayList<>();
  private final List<EnvPeer.Run> peers = new ArrayList<>();

  /**
   * What it came to.
   *
   * @param one steps per second on one thread, and {@code two} on two
   * @param speedup in rounds while the threads had whole cores, or in all where those are too few
   * @param quietRounds how many of {@code rounds} those are
   * @param cpuSpeedup what CPU time alone says: waiting for a core does not count
   * @param share of two cores that the two threads got
   * @param peerSpeedup the same with two processes of the peer, the best this machine gave just
   *     then; NaN without a peer
   */
  record Result(
      double one,
      double two,
      double speedup,
      int rounds,
      int quietRounds,
      double cpuSpeedup,
      double share,
      double peerSpeedup) {

    /** Whether there were rounds enough while the threads had whole cores. */
    boolean undisturbed() {
      return quietRounds >= ENOUGH_QUIET_ROUNDS;
    }
  }

  EnvThreads(World world, String task, EnvPeer peer) {
    for (int i = 0; i < 2; i++) {
      ExecutorService thread =
          Executors.newSingleThreadExecutor(
              work -> {
                Thread made = new Thread(work, "bench");
                made.setDaemon(true);
                return made;
              });
      threads.add(thread);
      // An environment belongs to the thread that made it.
      runners.add(wait(thread.submit(() -> new EnvRunner(world, task))));
      if (peer != null) {
        peers.add(peer.start(world, runners.get(i).engineStart()));
      }
    }
  }

  Result measure(double seconds) {
    long steps = EnvContest.settle(seconds / 4, ROUND_SECONDS, count -> run(2, count).wall);
    int rounds = EnvContest.rounds(seconds / (peers.isEmpty() ? 2 : 4), ROUND_SECONDS);
    Tally ours = new Tally();
    Tally theirs = new Tally();
    for (int round = 0; round < rounds; round++) {
      ours.add(run(1, steps), run(2, steps));
      if (!peers.isEmpty()) {
        theirs.add(runPeers(1, steps), runPeers(2, steps));
      }
    }
    return new Result(
        steps / EnvContest.median(ours.one),
        2 * steps / EnvContest.median(ours.two),
        ours.speedup(),
        rounds,
        ours.quiet.size(),
        EnvContest.median(ours.cpuSpeedups),
        EnvContest.median(ours.shares),
        theirs.speedup());
  }

  private static final class Tally {
    private final List<Double> one = new ArrayList<>();
    private final List<Double> two = new ArrayList<>();
    private final List<Double> speedups = new ArrayList<>();
    private final List<Double> quiet = new ArrayList<>();
    private final List<Double> cpuSpeedups = new ArrayList<>();
    private final List<Double> shares = new ArrayList<>();

    void add(Round alone, Round both) {
      double speedup = 2 * alone.wall / both.wall;
      one.add(alone.wall);
      two.add(both.wall);
      speedups.add(speedup);
      if (Math.min(alone.share, both.share) >= EnvContest.QUIET) {
        quiet.add(speedup);
      }
      cpuSpeedups.add(2 * alone.longestCpu / both.longestCpu);
      shares.add(both.share);
    }

    double speedup() {
      return EnvContest.median(quiet.size() < ENOUGH_QUIET_ROUNDS ? speedups : quiet);
    }
  }

  /** Of the time that its threads could have had on cores of their own, they got a share. */
  private record Round(double wall, double longestCpu, double share) {}

  /** Wall time runs from the first thread's order to the last one's answer. */
  private Round run(int count, long steps) {
    long start = System.nanoTime();
    List<Future<EnvRunner.Timing>> asked = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EnvRunner runner = runners.get(i);
      Callable<EnvRunner.Timing> work = () -> runner.run(steps);
      asked.add(threads.get(i).submit(work));
    }
    return round(start, asked.stream().map(EnvThreads::wait));
  }

  private Round runPeers(int count, long steps) {
    List<EnvPeer.Run> chosen = peers.subList(0, count);
    long start = System.nanoTime();
    chosen.forEach(peer -> peer.ask(steps));
    return round(start, chosen.stream().map(EnvPeer.Run::answer));
  }

  private static Round round(long start, Stream<EnvRunner.Timing> answers) {
    double[] cpu = answers.mapToDouble(EnvRunner.Timing::cpuSeconds).toArray();
    double wall = (System.nanoTime() - start) / 1e9;
    DoubleSummaryStatistics all = Arrays.stream(cpu).summaryStatistics();
    return new Round(wall, all.getMax(), all.getSum() / (cpu.length * wall));
  }

  private static <T> T wait(Future<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < runners.size(); i++) {
      wait(threads.get(i).submit(runners.get(i)::close));
    }
    threads.forEach(ExecutorService::shutdown);
    peers.forEach(EnvPeer.Run::close);
  }
}
