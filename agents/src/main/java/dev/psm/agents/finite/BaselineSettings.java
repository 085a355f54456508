package dev.psm.agents.finite;

import dev.psm.agents.AgentSettings;
import dev.psm.agents.Decay;
import dev.psm.core.settings.Limits;
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
    @Setting("gradient steps of pretraining") int gradientSteps)
    implements AgentSettings {

  /** What a network sees of a state. */
  public enum Observation {
    COORDINATES,
    ONE_HOT
  }

  public BaselineSettings {
    Limits.requireDiscount("discount", discount);
    Limits.requireAtLeast(1, "gradientSteps", gradientSteps);
    Limits.requireSize(2, "batchSize", batchSize);
    Limits.requirePositive("learningRate", learningRate);
    Limits.requirePositive("featureLearningRate", featureLearningRate);
    Limits.requireAverageRate("targetRate", targetRate);
    Limits.requireShare("goalShare", goalShare);
    Limits.requireNotNegative("orthonormality", orthonormality);
    new BaselineModel.Shape(discount, observation, featureDimension, forwardWidth, featureWidth);
  }

  /** Of the models that these settings learn. */
  BaselineModel.Shape shape() {
    return new BaselineModel.Shape(
        discount, observation, featureDimension, forwardWidth, featureWidth);
  }

  @Override
  public boolean isOpenEnded() {
    return decay == Decay.NONE;
  }

  /**
   * Presets by name, the default first. {@code tabular} has narrower networks over one-hot states,
   * for two cores and a minute or two; its rates are the best of a search on four rooms. {@code
   * paper} has the published sizes and rates.
   *
   * @param discount the world's
   * @param tabularFeatureRate learning rate of B or φ in {@code tabular}
   * @param paperGoalShare share of goal-like task vectors in {@code paper}
   * @param paperFeatureRate learning rate of B or φ in {@code paper}
   */
  public static Map<String, BaselineSettings> presets(
      double discount, double tabularFeatureRate, double paperGoalShare, double paperFeatureRate) {
    Map<String, BaselineSettings> presets = new LinkedHashMap<>();
    presets.put(
        "tabular",
        new BaselineSettings(
            discount,
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
            discount,
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
