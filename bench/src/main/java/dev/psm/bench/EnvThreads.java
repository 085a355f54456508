package dev.psm.bench;

import dev.psm.mujoco.suite.DomainFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two environments on two threads beside one on one thread; and two processes of the peer. */
final class EnvThreads implements AutoCloseable {
  private final List<ExecutorService> threads = new ArrayList<>();
  private final List<EnvRunner> runners = new ArrayList<>();
  private final List<EnvPeer.Run> peers = new ArrayList<>();

  /**
   * What it came to.
   *
   * @param one steps per second on one thread, and {@code two} on two
   * @param cpuSpeedup what the speedup would be if both threads always had a core
   * @param share of two cores that the two threads got
   * @param peerSpeedup the same with two processes of the peer, the best this machine gave just
   *     then; NaN without a peer
   */
  record Result(
      double one,
      double two,
      double speedup,
      double cpuSpeedup,
      double share,
      double peerSpeedup) {}

  EnvThreads(DomainFacts facts, String task, EnvPeer peer) {
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
      runners.add(wait(thread.submit(() -> new EnvRunner(facts, task))));
      if (peer != null) {
        peers.add(peer.start(facts, runners.get(i).engineStart()));
      }
    }
  }

  Result measure(double seconds) {
    double spent = 0;
    double speed = 0;
    for (long steps = 1; spent < seconds / 4; steps *= 2) {
      long asked = speed > 0 ? Math.min(steps, EnvBench.perRound(speed)) : steps;
      double took = run(2, asked).wall;
      spent += took;
      speed = asked / took;
    }
    long steps = EnvBench.perRound(speed);
    int rounds = EnvBench.rounds(seconds / (peers.isEmpty() ? 2 : 4));
    double[] one = new double[rounds];
    double[] two = new double[rounds];
    double[] speedups = new double[rounds];
    double[] cpuSpeedups = new double[rounds];
    double[] shares = new double[rounds];
    double[] peerSpeedups = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      Round alone = run(1, steps);
      Round both = run(2, steps);
      one[round] = alone.wall;
      two[round] = both.wall;
      speedups[round] = 2 * alone.wall / both.wall;
      cpuSpeedups[round] = 2 * alone.longestCpu / both.longestCpu;
      shares[round] = both.allCpu / (2 * both.wall);
      peerSpeedups[round] =
          peers.isEmpty() ? Double.NaN : 2 * runPeers(1, steps) / runPeers(2, steps);
    }
    return new Result(
        steps / EnvBench.median(one),
        2 * steps / EnvBench.median(two),
        EnvBench.median(speedups),
        EnvBench.median(cpuSpeedups),
        EnvBench.median(shares),
        EnvBench.median(peerSpeedups));
  }

  private record Round(double wall, double longestCpu, double allCpu) {}

  /** Wall time runs from the first thread's order to the last one's answer. */
  private Round run(int count, long steps) {
    long start = System.nanoTime();
    List<Future<EnvRunner.Timing>> asked = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EnvRunner runner = runners.get(i);
      Callable<EnvRunner.Timing> work = () -> runner.run(steps);
      asked.add(threads.get(i).submit(work));
    }
    double longest = 0;
    double all = 0;
    for (Future<EnvRunner.Timing> each : asked) {
      double cpu = wait(each).cpuSeconds();
      longest = Math.max(longest, cpu);
      all += cpu;
    }
    return new Round((System.nanoTime() - start) / 1e9, longest, all);
  }

  private double runPeers(int count, long steps) {
    long start = System.nanoTime();
    peers.subList(0, count).forEach(peer -> peer.ask(steps));
    peers.subList(0, count).forEach(EnvPeer.Run::answer);
    return (System.nanoTime() - start) / 1e9;
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
