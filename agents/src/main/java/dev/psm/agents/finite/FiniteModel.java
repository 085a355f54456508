package dev.psm.agents.finite;

import dev.psm.agents.Model;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * A pretrained agent of a world of few states: any reward becomes action values, with no further
 * data. As a {@link Model}, a state's features say which one it is (a one in its place), a task is
 * the action values of every state, and acting is greedy.
 */
public abstract class FiniteModel implements Model {
  private final TransitionTable data;
  private final Map<List<Float>, Integer> states = new HashMap<>();

  /**
   * @param data as observed in the world
   */
  protected FiniteModel(TransitionTable data) {
    this.data = data;
    for (int state = 0; state < data.stateCount(); state++) {
      states.put(key(data.observations()[state], 0, observationSize()), state);
    }
  }

  /**
   * Solves several rewards at once.
   *
   * @param rewards one row per prompt: the reward of entering each state
   * @return Q of the {@link CanonicalReward} by prompt, state and action, up to a positive factor
   *     per prompt; act greedily on it
   */
  public abstract double[][][] actionValues(double[][] rewards);

  /** The same by a way of solving that is quick enough to repeat during training. */
  public double[][][] quickActionValues(double[][] rewards) {
    return actionValues(rewards);
  }

  /**
   * Functions of s⁺ that its measures are made of: Φ(s,a,·) where they belong to a pair, else
   * features.
   *
   * @return functions × states
   */
  public abstract double[][] basis(int pair);

  /**
   * The successor measure that answers a reward, as learned.
   *
   * @param measure of every s⁺, counted from the next state on; exact ones sum to 1
   * @param policy whose measure it is, one action per state
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record LearnedMeasure(double[] measure, int[] policy) {}

  /**
   * Where the model believes that a first pair and then the policy for a reward lead.
   *
   * @param reward of entering each state
   */
  public abstract LearnedMeasure measure(int pair, double[] reward);

  protected static double[][] rows(Tensor matrix) {
    float[] flat = Tensors.toFloats(matrix.contiguous());
    int width = (int) matrix.size(1);
    double[][] rows = new double[(int) matrix.size(0)][width];
    for (int i = 0; i < flat.length; i++) {
      rows[i / width][i % width] = flat[i];
    }
    return rows;
  }

  /** Takes what {@link #tensors()} gave; what is missing or misshapen is refused by name. */
  public abstract void load(Map<String, TensorData> tensors, String fileName);

  /**
   * Answers that are numbers. Finite weights may still overflow, and the greedy action of a NaN
   * would be the first.
   */
  protected static double[][][] finite(double[][][] q) {
    for (double[][] prompt : q) {
      for (double[] row : prompt) {
        for (double value : row) {
          if (!Double.isFinite(value)) {
            throw UserError.invalid(
                "an action value is %s: the model is damaged, or its training diverged; train it"
                    + " again",
                value);
          }
        }
      }
    }
    return q;
  }

  /** The greedy action in every state of one prompt's Q; the first of several equals. */
  public static int[] greedy(double[][] q) {
    int[] actions = new int[q.length];
    for (int state = 0; state < q.length; state++) {
      for (int action = 1; action < q[state].length; action++) {
        if (q[state][action] > q[state][actions[state]]) {
          actions[state] = action;
        }
      }
    }
    return actions;
  }

  /** That its measures or values were learned with. */
  public final double discount() {
    return data.mdp().discount();
  }

  @Override
  public final int observationSize() {
    return data.observations()[0].length;
  }

  @Override
  public final int featureDimension() {
    return data.stateCount();
  }

  @Override
  public final int taskSize() {
    return data.pairCount();
  }

  /** A one in the place of the state; what looks like no state is refused. */
  @Override
  public final float[] features(float[] observations) {
    int count = observations.length / observationSize();
    float[] features = new float[Math.multiplyExact(count, data.stateCount())];
    for (int row = 0; row < count; row++) {
      features[row * data.stateCount() + state(observations, row)] = 1;
    }
    return features;
  }

  private int state(float[] observations, int row) {
    int width = observationSize();
    Integer state = states.get(key(observations, row * width, width));
    if (state == null) {
      throw UserError.invalid(
          "observation %d (from 0), %s, is that of no state; expected that of one of the world's %d,"
              + " of which the nearest is %s",
          row,
          Arrays.toString(Arrays.copyOfRange(observations, row * width, (row + 1) * width)),
          data.stateCount(),
          Arrays.toString(nearest(observations, row * width, width)));
    }
    return state;
  }

  /** The first of several that are as near, or where nothing is. */
  private float[] nearest(float[] observations, int from, int width) {
    float[] nearest = data.observations()[0];
    double least = Double.POSITIVE_INFINITY;
    for (float[] each : data.observations()) {
      double square = 0;
      for (int i = 0; i < width; i++) {
        double apart = (double) each[i] - observations[from + i];
        square += apart * apart;
      }
      if (square < least) {
        least = square;
        nearest = each;
      }
    }
    return nearest;
  }

  /** Zeros are equal whatever their sign. */
  private static List<Float> key(float[] observations, int from, int width) {
    Float[] key = new Float[width];
    for (int i = 0; i < width; i++) {
      key[i] = observations[from + i] + 0f;
    }
    return List.of(key);
  }

  /** States that are not in the sample count as ordinary: they pay its offset. */
  @Override
  public final float[] taskVector(float[] phi, double[] rewards) {
    double[] canonical = CanonicalReward.of(rewards).values();
    double[] sums = new double[data.stateCount()];
    int[] counts = new int[data.stateCount()];
    for (int row = 0; row < rewards.length; row++) {
      for (int state = 0; state < sums.length; state++) {
        if (phi[row * sums.length + state] == 1) {
          sums[state] += canonical[row];
          counts[state]++;
        }
      }
    }
    for (int state = 0; state < sums.length; state++) {
      sums[state] /= Math.max(1, counts[state]);
    }
    return flat(actionValues(new double[][] {sums}));
  }

  /** Features of several states at once are rewards of being in any of them. */
  @Override
  public final float[] goalVectors(float[] phi, float[] goals) {
    double[][] rewards = new double[goals.length / data.stateCount()][data.stateCount()];
    for (int i = 0; i < goals.length; i++) {
      rewards[i / data.stateCount()][i % data.stateCount()] = goals[i];
    }
    return flat(actionValues(rewards));
  }

  private static float[] flat(double[][][] q) {
    int states = q[0].length;
    int actions = q[0][0].length;
    float[] flat = new float[q.length * states * actions];
    int next = 0;
    for (double[][] prompt : q) {
      for (double[] row : prompt) {
        for (double value : row) {
          flat[next++] = (float) value;
        }
      }
    }
    return flat;
  }

  @Override
  public final float[] act(float[] observations, float[] tasks) {
    int count = observations.length / observationSize();
    int actions = data.actionCount();
    float[] chosen = new float[count];
    for (int row = 0; row < count; row++) {
      int from = row * taskSize() + state(observations, row) * actions;
      int best = 0;
      for (int action = 1; action < actions; action++) {
        if (tasks[from + action] > tasks[from + best]) {
          best = action;
        }
      }
      chosen[row] = best;
    }
    return chosen;
  }
}
