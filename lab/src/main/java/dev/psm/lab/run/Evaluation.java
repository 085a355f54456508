package dev.psm.lab.run;

import dev.psm.core.env.World;
import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Progress;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * What an agent earns: every task is solved from the inference sample and played for some episodes.
 * All episodes of all tasks are played at once, and the actor sees them as one batch.
 *
 * @param returns per task, one per episode
 * @param milestones per task that has some
 * @param divergences episodes cut short because the simulation blew up
 */
public record Evaluation(
    Map<String, double[]> returns, Map<String, List<MilestoneCount>> milestones, long divergences) {
  private static final String MILESTONE = "milestone/";

  /**
   * Plays.
   *
   * @param seed draws the starts, one per episode: the same for every agent and every task,
   *     whichever others are asked for, and those of {@link dev.psm.lab.RandomEpisodes}
   * @param threads only change the speed
   */
  public static Evaluation run(
      ZeroShotAgent agent,
      List<Task> tasks,
      int episodes,
      long seed,
      int threads,
      Progress progress) {
    return run(agent, tasks, episodes, seed, threads, progress, () -> false).orElseThrow();
  }

  /**
   * The same for somebody who may want it to stop.
   *
   * @param stop asked before every step
   * @return empty where it was stopped
   */
  public static Optional<Evaluation> run(
      ZeroShotAgent agent,
      List<Task> tasks,
      int episodes,
      long seed,
      int threads,
      Progress progress,
      BooleanSupplier stop) {
    World world = agent.environment();
    int count = tasks.size() * episodes;
    int d = agent.model().taskSize();
    float[] vectors = new float[count * d];
    for (int i = 0; i < count; i++) {
      if (i % episodes == 0) {
        System.arraycopy(agent.solve(tasks.get(i / episodes)).taskVector(), 0, vectors, i * d, d);
      } else {
        System.arraycopy(vectors, (i - 1) * d, vectors, i * d, d);
      }
    }
    return play(
        world,
        tasks,
        episodes,
        seed,
        threads,
        observations -> agent.model().act(observations, vectors),
        progress,
        stop);
  }

  /**
   * The same for any policy.
   *
   * @param policy from the observations of all episodes of the first task, then of the second and
   *     so on, row by row, to their actions
   */
  public static Optional<Evaluation> play(
      World world,
      List<Task> tasks,
      int episodes,
      long seed,
      int threads,
      UnaryOperator<float[]> policy,
      Progress progress,
      BooleanSupplier stop) {
    int count = tasks.size() * episodes;
    double[] totals = new double[count];
    List<List<MilestoneTally>> tallies =
        tasks.stream()
            .map(
                task ->
                    task.milestones().stream()
                        .map(milestone -> new MilestoneTally(milestone, episodes))
                        .toList())
            .toList();
    OptionalLong divergences =
        new EpisodeBatch(world, count, threads)
            .play(
                seed,
                i -> i % episodes,
                environments -> policy,
                (i, state) -> {
                  totals[i] += tasks.get(i / episodes).reward(state);
                  tallies.get(i / episodes).forEach(tally -> tally.see(i % episodes, state));
                },
                progress,
                stop);
    if (divergences.isEmpty()) {
      return Optional.empty();
    }
    Map<String, double[]> returns = new LinkedHashMap<>();
    Map<String, List<MilestoneCount>> milestones = new LinkedHashMap<>();
    for (int task = 0; task < tasks.size(); task++) {
      double[] own = new double[episodes];
      System.arraycopy(totals, task * episodes, own, 0, episodes);
      returns.put(tasks.get(task).name(), own);
      if (!tallies.get(task).isEmpty()) {
        milestones.put(
            tasks.get(task).name(), tallies.get(task).stream().map(MilestoneTally::count).toList());
      }
    }
    return Optional.of(new Evaluation(returns, milestones, divergences.getAsLong()));
  }

  /** Shares of milestones as they are logged, as in "milestone/stand/upright/at_end". */
  Map<String, Double> milestoneMetrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    milestones.forEach(
        (task, counts) ->
            counts.forEach(
                count ->
                    count
                        .shares()
                        .forEach(
                            (share, value) ->
                                metrics.put(
                                    milestoneMetric(task, count.milestone(), share), value))));
    return metrics;
  }

  /** The name in a log of a share of {@link MilestoneCount#shares}. */
  public static String milestoneMetric(String task, Milestone milestone, String share) {
    return MILESTONE + task + "/" + milestone.name().replace(' ', '_') + "/" + share;
  }

  static boolean isMilestoneMetric(String metric) {
    return metric.startsWith(MILESTONE);
  }

  /** Mean return of a task. */
  public double mean(String task) {
    return Summary.of(returns.get(task)).mean();
  }

  /** The mean over tasks of their mean returns. */
  public double average() {
    return returns.keySet().stream().mapToDouble(this::mean).average().orElse(Double.NaN);
  }
}
