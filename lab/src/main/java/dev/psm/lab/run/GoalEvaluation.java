package dev.psm.lab.run;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.core.env.EpisodeGoal;
import dev.psm.core.env.VectorEnvironment;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Progress;
import dev.psm.lab.RandomEpisodes;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * How an agent does with the goals that episodes draw for themselves. All episodes begin, their
 * goals are solved in one batch, and then they are played at once, each to its end.
 *
 * @param reached whether an episode was ever within the goal's radius after an action, the paper's
 *     success
 * @param held whether it was there at the end
 * @param finalDistances from the goal, after the last action
 * @param returns per task of the world, one per episode
 * @param solveSeconds from all goals to the first action for each; 0 where nothing was solved
 * @param divergences episodes cut short because the simulation blew up
 */
@SuppressWarnings("ArrayRecordComponent")
public record GoalEvaluation(
    boolean[] reached,
    boolean[] held,
    double[] finalDistances,
    Map<String, double[]> returns,
    double solveSeconds,
    long divergences) {
  /** Share of goals that were ever reached. */
  public static final String SUCCESS = "success";

  /** Share of goals at which episodes ended. */
  public static final String SUCCESS_AT_END = "success_at_end";

  /** Mean distance from the goal after the last action. */
  public static final String FINAL_DISTANCE = "final_distance";

  /** Seconds from all goals together to the first action for each. */
  public static final String SOLVE_SECONDS = "solve_seconds";

  /** What there is beside the returns of tasks, by name. */
  static final List<String> NAMES = List.of(SUCCESS, SUCCESS_AT_END, FINAL_DISTANCE, SOLVE_SECONDS);

  /**
   * Plays.
   *
   * @param seed draws starts and goals, the same for every agent: those of {@link RandomEpisodes}
   * @param threads only change the speed
   * @param stop asked before every step
   * @return empty where it was stopped
   */
  public static Optional<GoalEvaluation> run(
      ZeroShotAgent agent,
      int goals,
      long seed,
      int threads,
      Progress progress,
      BooleanSupplier stop) {
    if (!agent.takesEpisodeGoals()) {
      throw UserError.invalid(
          "the episodes of %s draw no goals that a model of %s takes",
          agent.environment().name(), agent.name());
    }
    EpisodeGoal drawn = agent.environment().episodeGoal().orElseThrow();
    agent.prepare();
    return play(
        agent.environment(),
        goals,
        seed,
        threads,
        (environments, solving) -> {
          float[] places = flat(environments.ask(state -> place(drawn, state)));
          long start = System.nanoTime();
          UnaryOperator<float[]> policy = agent.solveGoals(places);
          return observations -> {
            float[] actions = policy.apply(observations);
            // Some models do all of their work when they act.
            solving[0] = solving[0] > 0 ? solving[0] : (System.nanoTime() - start) / 1e9;
            return actions;
          };
        },
        progress,
        stop);
  }

  /** The same of uniformly random actions, which are those of {@link RandomEpisodes}. */
  public static GoalEvaluation random(
      World world, int goals, long seed, int threads, Progress progress) {
    List<RandomGenerator> generators = new ArrayList<>();
    for (int i = 0; i < goals; i++) {
      generators.add(Seeds.generator(Seeds.mix(seed, i, "actions")));
    }
    float[] action = new float[world.actionSize()];
    UnaryOperator<float[]> policy =
        observations -> {
          float[] actions = new float[goals * action.length];
          for (int i = 0; i < goals; i++) {
            RandomEpisodes.draw(world, generators.get(i), action);
            System.arraycopy(action, 0, actions, i * action.length, action.length);
          }
          return actions;
        };
    return play(
            world, goals, seed, threads, (environments, solving) -> policy, progress, () -> false)
        .orElseThrow();
  }

  /** Where an episode's goal is. */
  public static float[] place(EpisodeGoal goal, Readings state) {
    float[] place = new float[goal.place().size()];
    for (int i = 0; i < place.length; i++) {
      Quantity axis = goal.place().get(i);
      place[i] = (float) state.get(axis);
    }
    return place;
  }

  private static float[] flat(List<float[]> rows) {
    int width = rows.get(0).length;
    float[] flat = new float[rows.size() * width];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, flat, i * width, width);
    }
    return flat;
  }

  @FunctionalInterface
  private interface Solver {
    /**
     * The policy for goals that were drawn; the seconds that solving takes go to the first place.
     */
    UnaryOperator<float[]> solve(VectorEnvironment<Environment> drawn, double[] seconds);
  }

  private static Optional<GoalEvaluation> play(
      World world,
      int goals,
      long seed,
      int threads,
      Solver solver,
      Progress progress,
      BooleanSupplier stop) {
    EpisodeGoal goal = world.episodeGoal().orElseThrow();
    List<Task> tasks = world.tasks();
    boolean[] reached = new boolean[goals];
    boolean[] held = new boolean[goals];
    double[] distances = new double[goals];
    double[][] totals = new double[tasks.size()][goals];
    double[] solving = new double[1];
    OptionalLong divergences =
        new EpisodeBatch(world, goals, threads)
            .play(
                seed,
                i -> i,
                environments -> {
                  List<Double> first = environments.ask(state -> state.get(goal.distance()));
                  for (int i = 0; i < goals; i++) {
                    distances[i] = first.get(i);
                  }
                  return solver.solve(environments, solving);
                },
                (i, state) -> {
                  distances[i] = state.get(goal.distance());
                  held[i] = distances[i] <= goal.within();
                  reached[i] |= held[i];
                  for (int task = 0; task < totals.length; task++) {
                    totals[task][i] += tasks.get(task).reward(state);
                  }
                },
                progress,
                stop);
    if (divergences.isEmpty()) {
      return Optional.empty();
    }
    Map<String, double[]> returns = new LinkedHashMap<>();
    for (int task = 0; task < totals.length; task++) {
      returns.put(tasks.get(task).name(), totals[task]);
    }
    return Optional.of(
        new GoalEvaluation(reached, held, distances, returns, solving[0], divergences.getAsLong()));
  }

  public int goals() {
    return reached.length;
  }

  /** Share of goals that were ever reached. */
  public double success() {
    return share(reached);
  }

  /** Share of goals at which episodes ended. */
  public double successAtEnd() {
    return share(held);
  }

  public double meanFinalDistance() {
    return Summary.of(finalDistances).mean();
  }

  private static double share(boolean[] each) {
    int count = 0;
    for (boolean one : each) {
      count += one ? 1 : 0;
    }
    return (double) count / each.length;
  }

  /** Everything by its name in a log, where no task can be taken for a grade. */
  public Map<String, Double> summary() {
    Map<String, Double> summary = new LinkedHashMap<>();
    summary.put(SUCCESS, success());
    summary.put(SUCCESS_AT_END, successAtEnd());
    summary.put(FINAL_DISTANCE, meanFinalDistance());
    returns.forEach(
        (task, each) -> summary.put(Grade.RETURNS.metric(task), Summary.of(each).mean()));
    summary.put(SOLVE_SECONDS, solveSeconds);
    return summary;
  }
}
