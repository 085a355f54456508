package dev.psm.agents;

import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridOracle;
import dev.psm.core.env.Space;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.reward.Quantity;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/** Environments small enough for every answer to be known. */
public final class SmallWorlds {
  public static final GridMap ROOM = GridMap.parse("room", "....\n....\n....\n....\n");

  /** A world with vectors as actions and the usual discount, of which only data is known. */
  public static final World BODY = body(World.DEFAULT_DISCOUNT);

  private SmallWorlds() {}

  /** The same with another discount. */
  public static World body(double discount) {
    Quantity speed = new Quantity("speed", "m/s", "how fast it goes");
    return new StoredWorld(
        "body",
        "something that moves",
        1,
        Space.Box.uniform(-1, 1, 1),
        List.of(speed),
        true,
        List.of(),
        List.of(),
        List.of(),
        100,
        0.1,
        discount,
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** An open room of 4 × 4 cells. */
  public static TransitionTable room(double discount) {
    return of(ROOM, discount);
  }

  public static TransitionTable of(GridMap map, double discount) {
    float[][] observations = new float[map.freeCellCount()][];
    for (int state = 0; state < observations.length; state++) {
      observations[state] = map.observation(state);
    }
    return new TransitionTable(map.toMdp(discount), observations);
  }

  /** Four states; no two pairs of a state lead to the same place, and ρ is not uniform. */
  public static TransitionTable deterministic(double discount) {
    return observed(
        FiniteMdp.deterministic(new int[][] {{1, 0}, {2, 0}, {3, 1}, {3, 0}}, discount));
  }

  /** Four states and two actions with dense random transitions. */
  public static TransitionTable stochastic(double discount) {
    Random random = new Random(17);
    FiniteMdp.Builder builder = FiniteMdp.builder(4, 2, discount);
    for (int pair = 0; pair < 8; pair++) {
      double[] chance = new double[4];
      double sum = 0;
      for (int next = 0; next < 4; next++) {
        chance[next] = Math.pow(random.nextDouble(), 3) + 0.01;
        sum += chance[next];
      }
      for (int next = 0; next < 4; next++) {
        chance[next] /= sum;
      }
      builder.row(pair / 2, pair % 2, new int[] {0, 1, 2, 3}, chance);
    }
    return observed(builder.build());
  }

  private static TransitionTable observed(FiniteMdp mdp) {
    float[][] observations = new float[mdp.stateCount()][2];
    for (int state = 0; state < observations.length; state++) {
      observations[state] = new float[] {state, (float) Math.cos(state)};
    }
    return new TransitionTable(mdp, observations);
  }

  /** Rewards that pay for entering one cell of the room, one row per cell. */
  public static double[][] roomGoals() {
    return goals(ROOM);
  }

  public static double[][] goals(GridMap map) {
    double[][] rewards = new double[map.freeCellCount()][map.freeCellCount()];
    for (int goal = 0; goal < rewards.length; goal++) {
      rewards[goal][goal] = 1;
    }
    return rewards;
  }

  /** Mean over all goals of the percentage of cells with a wrong action; about 60 by chance. */
  public static double roomError(double[][][] actionValues) {
    return error(ROOM, actionValues);
  }

  public static double error(GridMap map, double[][][] actionValues) {
    GridOracle oracle = new GridOracle(map);
    double error = 0;
    for (int goal = 0; goal < actionValues.length; goal++) {
      int[] greedy = new int[map.freeCellCount()];
      for (int state = 0; state < greedy.length; state++) {
        for (int action = 1; action < GridMap.ACTION_COUNT; action++) {
          if (actionValues[goal][state][action] > actionValues[goal][state][greedy[state]]) {
            greedy[state] = action;
          }
        }
      }
      error += oracle.error(goal, greedy) / actionValues.length;
    }
    return error;
  }

  /** Replaces every value by a normal draw, so that nothing is near zero by initialisation. */
  public static void randomise(Parameters parameters, long seed) {
    Random random = new Random(seed);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      for (Tensor tensor : parameters.asMap().values()) {
        tensor.copy_(Tensors.gaussian(random, tensor.sizes().vec().get()));
      }
    }
  }

  /** The first place where target ≠ rate · online + (1 − rate) · before, or null. */
  public static String notAveraged(
      Parameters before, Parameters online, Parameters target, double rate) {
    for (String name : online.asMap().keySet()) {
      float[] was = Tensors.toFloats(before.get(name));
      float[] now = Tensors.toFloats(online.get(name));
      float[] is = Tensors.toFloats(target.get(name));
      for (int i = 0; i < was.length; i++) {
        double expected = rate * now[i] + (1 - rate) * was[i];
        if (Math.abs(is[i] - expected) > 1e-6 * (1 + Math.abs(expected))) {
          return "%s[%d] is %s, expected %s".formatted(name, i, is[i], expected);
        }
      }
    }
    return null;
  }
}
