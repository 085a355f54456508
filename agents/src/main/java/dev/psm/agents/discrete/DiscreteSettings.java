package dev.psm.agents.discrete;

import dev.psm.agents.AgentSettings;
import dev.psm.agents.Decay;
import dev.psm.agents.training.DrawSizes;
import dev.psm.core.env.World;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of Forward-Backward and Laplacian for numbered actions. */
public record DiscreteSettings(
    @Setting("gradient steps in all") int gradientSteps,
    @Setting("transitions per gradient step") int batchSize,
    @Setting(
            "which entered states B or φ tells apart: goals (by the numbers they speak of) or both,"
                + " whole states and goals")
        FeatureScope featureScope,
    @Setting("dimension d of features and task vectors") int featureDimension,
    @Setting("width of the hidden layers of F or ψ") int width,
    @Setting("width of the hidden layers of B or φ") int featureWidth,
    @Setting("discount γ, at least 0 and below 1") double discount,
    @Setting("learning rate of F or ψ") double learningRate,
    @Setting("learning rate of B or φ") double featureLearningRate,
    @Setting("how the learning rates fall: none, linear (from half way on) or cosine") Decay decay,
    @Setting("rate τ at which target networks follow") double targetRate,
    @Setting("share of task vectors that are goals: features of states in the batch")
        double goalShare,
    @Setting("weight of the features' orthonormality, beside the measure's loss (FB)")
        double orthonormality,
    @Setting("what targets take of both heads' measures of a pair: mean or smaller (FB)")
        Bootstrap bootstrap)
    implements AgentSettings {

  public DiscreteSettings {
    Limits.requireAtLeast(1, "gradientSteps", gradientSteps);
    // One row has no pair i ≠ j.
    Limits.requireSize(2, "batchSize", batchSize);
    new DiscreteModel.Shape(
        DiscreteModel.Kind.MEASURE, featureScope, featureDimension, width, featureWidth);
    Limits.requireDiscount("discount", discount);
    Limits.requirePositive("learningRate", learningRate);
    Limits.requirePositive("featureLearningRate", featureLearningRate);
    Limits.requireAverageRate("targetRate", targetRate);
    Limits.requireShare("goalShare", goalShare);
    Limits.requireNotNegative("orthonormality", orthonormality);
  }

  /**
   * Presets by name, the default first: {@code small} takes about as long as that of PSM.
   *
   * @param featureRate learning rate of the features over that of the rest
   * @param paperScope what features tell apart in {@code paper}
   * @param paperBootstrap what targets take of both heads in {@code paper}
   */
  static Map<String, DiscreteSettings> presets(
      World world, double featureRate, FeatureScope paperScope, Bootstrap paperBootstrap) {
    Map<String, DiscreteSettings> presets = new LinkedHashMap<>();
    presets.put(
        "small",
        new DiscreteSettings(
            13_000,
            256,
            FeatureScope.BOTH,
            32,
            128,
            128,
            world.discount(),
            1e-3,
            featureRate * 1e-3,
            Decay.COSINE,
            0.02,
            0.5,
            1,
            Bootstrap.MEAN));
    presets.put(
        "paper",
        new DiscreteSettings(
            2_000_000,
            1024,
            paperScope,
            128,
            1024,
            526,
            world.discount(),
            1e-4,
            featureRate * 1e-4,
            Decay.NONE,
            0.01,
            0.5,
            1,
            paperBootstrap));
    return presets;
  }

  DrawSizes draws() {
    return new DrawSizes(batchSize, 0, featureDimension, 1, goalShare, 1);
  }

  DiscreteModel.Shape shape(DiscreteModel.Kind kind) {
    return new DiscreteModel.Shape(kind, featureScope, featureDimension, width, featureWidth);
  }

  @Override
  public boolean isOpenEnded() {
    return decay == Decay.NONE;
  }
}
