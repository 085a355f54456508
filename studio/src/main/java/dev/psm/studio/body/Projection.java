package dev.psm.studio.body;

import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Optional;

/**
 * The part of a reward that a task vector z can tell: φ(s)ᵀz, brought to the reward's own scale by
 * least squares over the agent's inference sample, since the length of z means nothing. Where there
 * is no reward to be scaled to, as for a goal, it is φ(s)ᵀz itself.
 *
 * @param correlation with the reward over the sample; NaN without a reward
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Projection(float[] vector, double offset, double factor, double correlation) {

  /** Of the policy's task vector; empty where tasks are no vectors in the features' space. */
  static Optional<Projection> of(ZeroShotAgent agent, float[] vector, Optional<double[]> rewards) {
    if (!agent.hasTaskVectors()) {
      return Optional.empty();
    }
    Projection bare = new Projection(vector, 0, 1, Double.NaN);
    return Optional.of(rewards.map(paid -> bare.fitted(bare.sample(agent), paid)).orElse(bare));
  }

  private Projection fitted(double[] projected, double[] rewards) {
    int count = rewards.length;
    double meanX = 0;
    double meanY = 0;
    for (int i = 0; i < count; i++) {
      meanX += projected[i] / count;
      meanY += rewards[i] / count;
    }
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (int i = 0; i < count; i++) {
      double x = projected[i] - meanX;
      double y = rewards[i] - meanY;
      xx += x * x;
      yy += y * y;
      xy += x * y;
    }
    double slope = xx > 0 ? xy / xx : 0;
    double correlation = xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : Double.NaN;
    return new Projection(vector, meanY - slope * meanX, slope, correlation);
  }

  /** In every state of the sample. */
  double[] sample(ZeroShotAgent agent) {
    return rows(agent.sampleFeatures());
  }

  /** In one state. */
  double at(ZeroShotAgent agent, float[] observation) {
    return rows(agent.features(observation))[0];
  }

  private double[] rows(float[] features) {
    double[] projected = new double[features.length / vector.length];
    for (int row = 0; row < projected.length; row++) {
      double sum = 0;
      for (int i = 0; i < vector.length; i++) {
        sum += features[row * vector.length + i] * vector[i];
      }
      projected[row] = offset + factor * sum;
    }
    return projected;
  }
}
