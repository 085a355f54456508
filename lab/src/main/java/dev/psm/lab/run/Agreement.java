package dev.psm.lab.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much a copy of an agent does as the agent would: each is given the same prompts and acts in
 * the same states, those of the original's {@link InferenceSample}.
 *
 * @param states how many of them
 * @param numbered whether actions are numbers of actions, so that they are equal or not
 * @param vectors whether prompts become task vectors, which can be compared
 * @param tasks every task of the environment that states tell of; none where the data has no
 *     physics
 * @param goals some of the states, all of them together
 */
public record Agreement(
    int states, boolean numbered, boolean vectors, Map<String, Part> tasks, Part goals) {
  private static final int GOALS = 8;
  private static final int STATES_PER_GOAL = 100;
  private static final int BATCH = 1000;

  /**
   * For one prompt, or several.
   *
   * @param cosine of the task vectors, the least; NaN where both are zero, as for a reward that is
   *     paid nowhere in the sample, and where there are no task vectors
   * @param most the largest difference of any number of an action, which are in [−1, 1]
   * @param mean of those differences
   * @param equal the share of states in which both do the very same
   */
  public record Part(double cosine, double most, double mean, double equal) {
    ObjectNode toJson(boolean numbered, boolean vectors) {
      ObjectNode node = Json.object();
      if (vectors && Double.isNaN(cosine)) {
        node.putNull("cosine");
      } else if (vectors) {
        node.put("cosine", cosine);
      }
      return numbered
          ? node.put("equalActions", equal)
          : node.put("maxActionDifference", most).put("meanActionDifference", mean);
    }
  }

  static Agreement of(ZeroShotAgent original, ZeroShotAgent copy) {
    World world = original.environment();
    Map<String, Part> tasks = new LinkedHashMap<>();
    if (original.sample().quantities().isPresent()) {
      for (Task task : world.tasks()) {
        if (!original.takesEpisodeGoals() || !world.concernsEpisodeGoal(task)) {
          tasks.put(task.name(), onTask(original, copy, task));
        }
      }
    }
    int states = original.sample().states(world);
    boolean numbered = world.actionSpace() instanceof Space.Discrete;
    Part goals = onGoals(original, copy, states);
    return new Agreement(states, numbered, original.hasTaskVectors(), tasks, goals);
  }

  /** The largest difference of actions for any prompt. */
  public double maxDifference() {
    return tasks.values().stream().mapToDouble(Part::most).reduce(goals.most, Math::max);
  }

  /** The least share of states with the very same action, for any prompt. */
  public double leastEqual() {
    return tasks.values().stream().mapToDouble(Part::equal).reduce(goals.equal, Math::min);
  }

  private static Part onTask(ZeroShotAgent original, ZeroShotAgent copy, Task task) {
    float[] z = original.solve(task).taskVector();
    float[] copied = copy.solve(task).taskVector();
    Differences differences = new Differences(original);
    float[] observations = original.sample().observations();
    int width = original.environment().observationSize();
    for (int begin = 0; begin < observations.length; begin += BATCH * width) {
      float[] batch =
          Arrays.copyOfRange(
              observations, begin, Math.min(observations.length, begin + BATCH * width));
      int count = batch.length / width;
      differences.add(
          original.model().act(batch, repeated(z, count)),
          copy.model().act(batch, repeated(copied, count)));
    }
    return differences.part(original.hasTaskVectors() ? cosine(z, copied) : Double.NaN);
  }

  private static Part onGoals(ZeroShotAgent original, ZeroShotAgent copy, int states) {
    Differences differences = new Differences(original);
    double least = Double.NaN;
    for (int goal = 0; goal < Math.min(GOALS, states); goal++) {
      ZeroShotPolicy policy = original.solveGoal(state(original, goal));
      ZeroShotPolicy copied = copy.solveGoal(state(original, goal));
      if (original.hasTaskVectors()) {
        double cosine = cosine(policy.taskVector(), copied.taskVector());
        least = Double.isNaN(least) ? cosine : Math.min(least, cosine);
      }
      for (int row = 0; row < Math.min(STATES_PER_GOAL, states); row++) {
        differences.add(
            policy.actUnscaled(state(original, row)), copied.actUnscaled(state(original, row)));
      }
    }
    return differences.part(least);
  }

  private static float[] state(ZeroShotAgent agent, int row) {
    int width = agent.environment().observationSize();
    return Arrays.copyOfRange(agent.sample().observations(), row * width, (row + 1) * width);
  }

  private static float[] repeated(float[] z, int count) {
    float[] all = new float[z.length * count];
    for (int i = 0; i < count; i++) {
      System.arraycopy(z, 0, all, i * z.length, z.length);
    }
    return all;
  }

  static double cosine(float[] a, float[] b) {
    double product = 0;
    double squareA = 0;
    double squareB = 0;
    for (int i = 0; i < a.length; i++) {
      product += (double) a[i] * b[i];
      squareA += (double) a[i] * a[i];
      squareB += (double) b[i] * b[i];
    }
    if (squareA == 0 && squareB == 0) {
      return Double.NaN;
    }
    return squareA == 0 || squareB == 0 ? 0 : product / Math.sqrt(squareA * squareB);
  }

  private static final class Differences {
    private final int actionSize;
    private double most;
    private double sum;
    private long equal;
    private long states;

    Differences(ZeroShotAgent agent) {
      this.actionSize = agent.environment().actionSize();
    }

    void add(float[] a, float[] b) {
      for (int from = 0; from < a.length; from += actionSize) {
        double largest = 0;
        for (int i = from; i < from + actionSize; i++) {
          double difference = Math.abs((double) a[i] - b[i]);
          largest = Math.max(largest, difference);
          sum += difference;
        }
        most = Math.max(most, largest);
        equal += largest == 0 ? 1 : 0;
        states++;
      }
    }

    Part part(double cosine) {
      return new Part(
          cosine,
          most,
          states == 0 ? 0 : sum / (states * actionSize),
          states == 0 ? 1 : (double) equal / states);
    }
  }

  ObjectNode toJson() {
    ObjectNode node = Json.object().put("states", states);
    if (numbered) {
      node.put("leastEqualActions", leastEqual());
    } else {
      node.put("maxActionDifference", maxDifference());
    }
    ObjectNode each = node.putObject("tasks");
    tasks.forEach((name, part) -> each.set(name, part.toJson(numbered, vectors)));
    node.set("goals", goals.toJson(numbered, vectors));
    return node;
  }
}
