package dev.psm.agents.finite;

import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Tensors;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Uniformly sampled transitions, as state indices, with what else a step of the baselines draws.
 */
public record Batch(Tensor states, Tensor actions, Tensor nextStates, Tensor permutation) {

  public static Batch sample(TransitionTable data, int size, RandomGenerator random) {
    int[] states = new int[size];
    int[] actions = new int[size];
    int[] nextStates = new int[size];
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int pair = data.samplePair(random);
      states[i] = pair / data.actionCount();
      actions[i] = pair % data.actionCount();
      nextStates[i] = data.sampleNext(pair, random);
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return new Batch(
        Tensors.longs(states, size),
        Tensors.longs(actions, size),
        Tensors.longs(nextStates, size),
        Tensors.longs(order, size));
  }

  /** Task vectors on the √d sphere: uniform, or with the given chance the row's goal vector. */
  public static Tensor taskVectors(Tensor goals, double goalShare, RandomGenerator random) {
    long rows = goals.size(0);
    Tensor uniform = Tensors.onSphere(Tensors.gaussian(random, rows, goals.size(1)));
    float[] mask = new float[Math.toIntExact(rows)];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = random.nextDouble() < goalShare ? 1 : 0;
    }
    Tensor fromGoal = Tensors.floats(mask, rows, 1).gt(Tensors.scalar(0.5));
    return torch.where(fromGoal, Tensors.onSphere(goals), uniform);
  }
}
