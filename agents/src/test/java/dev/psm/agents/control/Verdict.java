package dev.psm.agents.control;

import dev.psm.agents.Steps;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * How a trainer of one seed in the world of {@link Steps} compares with the exact answers, for the
 * tasks of entering each state.
 *
 * @param wrong pairs of goal and state where the actor's action is not optimal
 * @param valueError of Q = ψᵀz against the evaluation of the actor's own policies, relative to the
 *     size of Q
 */
record Verdict(int wrong, double valueError) {

  static Verdict of(ControlTrainer trainer, Steps world) {
    ControlModel model = trainer.model(trainer.seeds().get(0));
    int n = world.states();
    int d = model.featureDimension();
    double discount = trainer.settings().discount();
    double[] share = world.entered(trainer.data().dataset());
    float[] observations = sample(trainer);
    float[] sample = model.features(observations);
    float[] phi = model.features(world.observations());
    int wrong = 0;
    double error = 0;
    double size = 0;
    for (int goal = 0; goal < n; goal++) {
      float[] own = Arrays.copyOfRange(phi, goal * d, goal * d + d);
      // Both ways to ask for a goal must do.
      float[] task =
          goal % 2 == 0
              ? model.taskVector(sample, rewards(observations, n, goal))
              : model.goalVectors(sample, own);
      float[] tasks = repeated(task, n);
      double[] up = new double[n];
      double[][] best = world.optimal(goal, discount);
      float[] actions = model.act(world.observations(), tasks);
      for (int state = 0; state < n; state++) {
        int taken = actions[state] < 0 ? 0 : 1;
        up[state] = taken;
        wrong += best[state][taken] < best[state][1 - taken] - 1e-9 ? 1 : 0;
      }
      // A measure's ψᵀ E[rφ] is the value of r; successor features' ψᵀz is that of φᵀz.
      boolean measure = trainer.kind() == ControlModel.Kind.MEASURE;
      double[] reward = measure ? only(goal, n) : products(phi, task);
      float[] weights = measure ? scaled(own, share[goal]) : task;
      double[][][] exact = world.measure(up, discount);
      for (int action = 0; action < 2; action++) {
        float[] values = values(trainer, world, tasks, action, weights);
        for (int state = 0; state < n; state++) {
          double expected = 0;
          for (int entered = 0; entered < n; entered++) {
            expected += exact[state][action][entered] * reward[entered];
          }
          error += Math.pow(values[state] - expected, 2);
          size += expected * expected;
        }
      }
    }
    return new Verdict(wrong, Math.sqrt(error / size));
  }

  /** The observations of all rows but the first of each episode: the entered states. */
  private static float[] sample(ControlTrainer trainer) {
    var data = trainer.data().dataset();
    int width = data.columns().observation();
    float[] entered = new float[(int) data.transitions() * width];
    int at = 0;
    for (int episode = 0; episode < data.episodes(); episode++) {
      float[] observations = data.episode(episode).observations();
      System.arraycopy(observations, width, entered, at, observations.length - width);
      at += observations.length - width;
    }
    return entered;
  }

  private static double[] rewards(float[] observations, int n, int goal) {
    double[] rewards = new double[observations.length / n];
    for (int i = 0; i < rewards.length; i++) {
      rewards[i] = observations[i * n + goal];
    }
    return rewards;
  }

  private static double[] only(int place, int n) {
    double[] unit = new double[n];
    unit[place] = 1;
    return unit;
  }

  /** φ(s)ᵀz of every state. */
  private static double[] products(float[] phi, float[] task) {
    double[] products = new double[phi.length / task.length];
    for (int i = 0; i < phi.length; i++) {
      products[i / task.length] += phi[i] * task[i % task.length];
    }
    return products;
  }

  private static float[] scaled(float[] vector, double factor) {
    float[] scaled = new float[vector.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = (float) (factor * vector[i]);
    }
    return scaled;
  }

  private static float[] repeated(float[] row, int times) {
    float[] rows = new float[row.length * times];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row[i % row.length];
    }
    return rows;
  }

  /** ψ(s, z, a)ᵀ weights of every state, the mean of both members. */
  private static float[] values(
      ControlTrainer trainer, Steps world, float[] tasks, int action, float[] weights) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      int n = world.states();
      Tensor psi =
          StepTrial.successor(
              trainer.successor.shape(),
              trainer.successor.weights(),
              Tensors.floats(world.observations(), 1, n, n),
              Tensors.floats(tasks, 1, n, weights.length),
              actions(action, n));
      return Tensors.toFloats(psi.mean(1).matmul(Tensors.floats(weights, weights.length, 1)));
    }
  }

  static Tensor actions(int action, int rows) {
    return torch.ones(1, rows, 1).mul(Tensors.scalar(action == 0 ? Steps.DOWN : Steps.UP));
  }

  /** φ(s) of every state: states × d. */
  static Tensor features(ControlTrainer trainer, Steps world) {
    int n = world.states();
    float[] phi = trainer.model(trainer.seeds().get(0)).features(world.observations());
    return Tensors.floats(phi, n, phi.length / n);
  }

  /**
   * Relative error of a measure ψᵀφ, taken back from a density by ρ, over all states, both actions
   * and all entered states.
   *
   * @param psi by action: states × d
   */
  static double measureError(
      ControlTrainer trainer, Steps world, Tensor[] psi, double[][][] exact) {
    int n = world.states();
    double[] share = world.entered(trainer.data().dataset());
    double error = 0;
    double size = 0;
    for (int action = 0; action < 2; action++) {
      float[] found = Tensors.toFloats(psi[action].matmul(features(trainer, world).t()));
      for (int i = 0; i < n * n; i++) {
        double expected = exact[i / n][action][i % n];
        error += Math.pow(share[i % n] * found[i] - expected, 2);
        size += expected * expected;
      }
    }
    return Math.sqrt(error / size);
  }
}
