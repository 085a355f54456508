package dev.psm.lab.run;

import dev.psm.agents.Model;
import dev.psm.agents.SolveMethod;
import dev.psm.core.io.TensorData;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Goes straight to a goal of {@link PointWorld}, first to the right or left. There it stays if it
 * solves by {@link SolveMethod#BEST}, its own way, and goes on and comes back by another.
 */
final class PointModel implements Model {
  private static final int RIGHT = 0;

  private final SolveMethod method;
  private final int[] batches;

  PointModel() {
    this(SolveMethod.BEST, new int[1]);
  }

  private PointModel(SolveMethod method, int[] batches) {
    this.method = method;
    this.batches = batches;
  }

  static ZeroShotAgent agent(PointModel model, PointWorld world) {
    float[] sample = {0, 0, 0, 1, 2, 3};
    return new ZeroShotAgent("psm", model, world, new InferenceSample(sample, Optional.empty()));
  }

  /** How often goals were solved, however many at a time. */
  int batches() {
    return batches[0];
  }

  @Override
  public Record shape() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int observationSize() {
    return 3;
  }

  @Override
  public int featureDimension() {
    return 2;
  }

  @Override
  public int taskSize() {
    return 2;
  }

  @Override
  public int[] goalColumns() {
    return new int[] {0, 1};
  }

  @Override
  public float[] achieved(float[] observations) {
    float[] goals = new float[observations.length / 3 * 2];
    for (int i = 0; i < goals.length; i++) {
      goals[i] = observations[i / 2 * 3 + i % 2];
    }
    return goals;
  }

  @Override
  public float[] features(float[] observations) {
    return achieved(observations);
  }

  @Override
  public float[] goalFeatures(float[] goals) {
    return goals;
  }

  @Override
  public float[] taskVector(float[] phi, double[] rewards) {
    int best = 0;
    for (int i = 1; i < rewards.length; i++) {
      best = rewards[i] > rewards[best] ? i : best;
    }
    return Arrays.copyOfRange(phi, 2 * best, 2 * best + 2);
  }

  @Override
  public float[] goalVectors(float[] phi, float[] goals) {
    batches[0]++;
    return goals.clone();
  }

  @Override
  public List<SolveMethod> methods() {
    return List.of(SolveMethod.BEST, SolveMethod.GPI);
  }

  @Override
  public Model solvingBy(SolveMethod other) {
    return new PointModel(other, batches);
  }

  @Override
  public float[] act(float[] observations, float[] tasks) {
    float[] actions = new float[observations.length / 3];
    for (int i = 0; i < actions.length; i++) {
      float dx = tasks[2 * i] - observations[3 * i];
      float dy = tasks[2 * i + 1] - observations[3 * i + 1];
      int away = method == SolveMethod.BEST ? PointWorld.STAY : RIGHT;
      actions[i] = dx != 0 ? (dx > 0 ? 0 : 2) : dy != 0 ? (dy > 0 ? 1 : 3) : away;
    }
    return actions;
  }

  @Override
  public Map<String, TensorData> tensors() {
    return Map.of();
  }

  @Override
  public void close() {}
}
