package dev.psm.studio.grid;

import dev.psm.core.env.GridWorld;
import dev.psm.core.mdp.BellmanFlow;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Policy;
import dev.psm.core.mdp.Rewards;
import dev.psm.core.mdp.ValueIteration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The exact solution of a reward on a grid, by which agents' answers are judged. */
final class GridOptimum {
  private static final double NO_GAIN = 1e-9;

  private final FiniteMdp mdp;
  private final double[] reward;
  private final ValueIteration values;
  private final double random;
  private final double size;

  private GridOptimum(FiniteMdp mdp, double[] perState) {
    this.mdp = mdp;
    this.reward = Rewards.entering(mdp, perState);
    this.values = ValueIteration.solve(mdp, reward);
    this.random = worth(Policy.uniform(mdp.stateCount(), mdp.actionCount()));
    double largest = 0;
    for (double each : perState) {
      largest = Math.max(largest, Math.abs(each));
    }
    this.size = largest;
  }

  /** The last ones asked for: all solvers of one stroke are judged by the same. */
  static final class Cache {
    private static final int KEPT = 8;

    private record Key(List<String> map, double discount, List<Double> reward) {}

    private final Map<Key, GridOptimum> last =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, GridOptimum> eldest) {
            return size() > KEPT;
          }
        };

    synchronized GridOptimum of(GridWorld world, double discount, double[] reward) {
      List<Double> list = new ArrayList<>(reward.length);
      for (double each : reward) {
        list.add(each);
      }
      return last.computeIfAbsent(
          new Key(world.map().lines(), discount, list),
          any -> new GridOptimum(world.mdp(discount), reward));
    }
  }

  double[][] actionValues() {
    double[][] q = new double[mdp.stateCount()][mdp.actionCount()];
    for (int state = 0; state < q.length; state++) {
      for (int action = 0; action < q[state].length; action++) {
        q[state][action] = values.value(state, action);
      }
    }
    return q;
  }

  boolean isOptimal(int state, int action) {
    return values.isOptimal(state, action);
  }

  /** Share of the gain over random actions that a policy loses; 0 where nothing can be gained. */
  double loss(int[] actions) {
    double gain = values.optimum() - random;
    return gain > NO_GAIN * size
        ? (values.optimum() - worth(Policy.deterministic(actions, mdp.actionCount()))) / gain
        : 0;
  }

  private double worth(Policy policy) {
    double[] visits = new BellmanFlow(mdp).visitation(policy);
    double sum = 0;
    for (int pair = 0; pair < visits.length; pair++) {
      sum += visits[pair] * reward[pair];
    }
    return sum;
  }
}
