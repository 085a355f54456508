package dev.psm.agents;

import dev.psm.core.UserError;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Complete settings of the two baselines for discrete actions, which share their networks and
 * schedule.
 */
public record BaselineSettings(
    @Setting("discount γ, at least 0 and below 1") double discount,
    @Setting("what the networks see of a state: its scaled coordinates, or a one-hot vector")
        Observation observation,
    @Setting("dimension d of the features and of task vectors") int featureDimension,
    @Setting("width of the hidden layers of F or ψ") int forwardWidth,
    @Setting("width of the hidden layers of B or φ") int featureWidth,
    @Setting("transitions per gradient step") int batchSize,
    @Setting("learning rate of F or ψ") double learningRate,
    @Setting("learning rate of B or φ") double featureLearningRate,
    @Setting("how both learning rates shrink over training: none, linear or cosine") Decay decay,
    @Setting("rate τ at which target averages follow") double targetRate,
    @Setting(
            "share of task vectors taken from features of states in the batch instead of the sphere")
        double goalShare,
    @Setting("weight of the orthonormality of the features") double orthonormality,
    @Setting("gradient steps of pretraining") int gradientSteps) {

  private static final int MAX_SIZE = 1 << 16;

  /** What a network sees of a state. */
  public enum Observation {
    COORDINATES,
    ONE_HOT
  }

  public BaselineSettings {
    if (!(discount >= 0 && discount < 1)) {
      throw UserError.usage("discount must be at least 0 and less than 1, found %s", discount);
    }
    requireSize("featureDimension", featureDimension);
    requireSize("forwardWidth", forwardWidth);
    requireSize("featureWidth", featureWidth);
    requirePositive("gradientSteps", gradientSteps);
    if (batchSize < 2) {
      throw UserError.usage("batchSize must be at least 2, found %d", batchSize);
    }
    if (!isRate(learningRate) || !isRate(featureLearningRate)) {
      throw UserError.usage(
          "learning rates must be positive and finite, found learningRate=%s and featureLearningRate=%s",
          learningRate, featureLearningRate);
    }
    if (!(targetRate > 0 && targetRate <= 1)) {
      throw UserError.usage("targetRate must be above 0 and at most 1, found %s", targetRate);
    }
    if (!(goalShare >= 0 && goalShare <= 1)) {
      throw UserError.usage("goalShare must be from 0 to 1, found %s", goalShare);
    }
    if (!(orthonormality >= 0)) {
      throw UserError.usage("orthonormality must not be negative, found %s", orthonormality);
    }
  }

  private static boolean isRate(double value) {
    return value > 0 && value < Double.POSITIVE_INFINITY;
  }

  private static void requireSize(String key, int value) {
    requirePositive(key, value);
    if (value > MAX_SIZE) {
      throw UserError.usage("%s must be at most %d, found %d", key, MAX_SIZE, value);
    }
  }

  private static void requirePositive(String key, int value) {
    if (value < 1) {
      throw UserError.usage("%s must be at least 1, found %d", key, value);
    }
  }

  /**
   * Presets by name, the default first. {@code tabular} has narrower networks over one-hot states,
   * for two cores and a minute or two; its rates are the best of a search on four rooms. {@code
   * paper} has the published sizes and rates.
   *
   * @param tabularFeatureRate learning rate of B or φ in {@code tabular}
   * @param paperGoalShare share of goal-like task vectors in {@code paper}
   * @param paperFeatureRate learning rate of B or φ in {@code paper}
   */
  public static Map<String, BaselineSettings> presets(
      double tabularFeatureRate, double paperGoalShare, double paperFeatureRate) {
    Map<String, BaselineSettings> presets = new LinkedHashMap<>();
    presets.put(
        "tabular",
        new BaselineSettings(
            0.98,
            Observation.ONE_HOT,
            32,
            256,
            256,
            256,
            1e-3,
            tabularFeatureRate,
            Decay.LINEAR,
            0.05,
            0.5,
            1,
            4000));
    presets.put(
        "paper",
        new BaselineSettings(
            0.98,
            Observation.COORDINATES,
            256,
            1024,
            526,
            1024,
            1e-4,
            paperFeatureRate,
            Decay.NONE,
            0.01,
            paperGoalShare,
            1,
            200_000));
    return presets;
  }
}
