package dev.psm.agents.control;

import dev.psm.agents.Decay;
import dev.psm.agents.training.DrawSizes;
import dev.psm.core.env.World;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import dev.psm.core.settings.Settings;
import java.util.List;

/** What all continuous agents have in common, so that they are compared on equal terms. */
public record ControlSettings(
    @Setting("gradient steps in all") int gradientSteps,
    @Setting("transitions per gradient step") int batchSize,
    @Setting("dimension d of features and task vectors") int featureDimension,
    @Setting("width of the successor and actor networks; even") int width,
    @Setting("width of the feature network") int featureWidth,
    @Setting("discount γ of an environment step, at least 0 and below 1") double discount,
    @Setting(
            "environment steps from a transition's first state to the state it enters; its action is the mean of those in between")
        int stride,
    @Setting("learning rate of successor features") double learningRate,
    @Setting("learning rate of the actor") double actorLearningRate,
    @Setting("learning rate of the features") double featureLearningRate,
    @Setting("how the learning rates fall: none, linear (from half way on) or cosine") Decay decay,
    @Setting("rate τ at which target networks follow") double targetRate,
    @Setting("standard deviation σ of the noise on actions in training") double noise,
    @Setting("largest noise on actions") double noiseClip,
    @Setting("share of task vectors that are those of random rewards on the batch's states")
        double rewardShare,
    @Setting("share of the other task vectors that are features of states in the batch")
        double goalShare,
    @Setting(
            "how much the actor distrusts disagreement of the two value estimates; 0.5 takes the smaller")
        double pessimism) {

  public ControlSettings {
    Limits.requireAtLeast(1, "gradientSteps", gradientSteps);
    // One row has no pair i ≠ j.
    Limits.requireSize(2, "batchSize", batchSize);
    new NetworkSizes(featureDimension, width, featureWidth);
    Limits.requireDiscount("discount", discount);
    Limits.requireAtLeast(1, "stride", stride);
    Limits.requirePositive("learningRate", learningRate);
    Limits.requirePositive("actorLearningRate", actorLearningRate);
    Limits.requirePositive("featureLearningRate", featureLearningRate);
    Limits.requireAverageRate("targetRate", targetRate);
    Limits.requireNotNegative("noise", noise);
    Limits.requireNotNegative("noiseClip", noiseClip);
    Limits.requireShare("rewardShare", rewardShare);
    Limits.requireShare("goalShare", goalShare);
    Limits.requireNotNegative("pessimism", pessimism);
  }

  /** The paper's Table 2: one setup for every method and domain, but for the world's discount. */
  static ControlSettings paper(World world) {
    return new ControlSettings(
        2_000_000,
        1024,
        128,
        1024,
        256,
        world.discount(),
        1,
        3e-4,
        3e-4,
        3e-4,
        Decay.NONE,
        0.01,
        0.2,
        0.3,
        0,
        0.5,
        0.5);
  }

  /** For two processor cores and half an hour. */
  static ControlSettings small(World world) {
    return new ControlSettings(
        40_000,
        256,
        64,
        128,
        128,
        world.discount(),
        1,
        1e-3,
        1e-3,
        1e-3,
        Decay.COSINE,
        0.03,
        0.2,
        0.3,
        0,
        0.5,
        0.5);
  }

  /**
   * The same for targets that are hundreds of environment steps away, as in a maze: a horizon that
   * reaches them, and transitions so long that what an action changes stands out of values that sum
   * up so much.
   */
  static ControlSettings smallFar(World world) {
    return Settings.override(
        small(world), List.of("gradientSteps=60000", "stride=10", "discount=0.996"));
  }

  /** The same with other rates of learning, the actor's among them. */
  ControlSettings withRates(double rate, double featureRate) {
    return new ControlSettings(
        gradientSteps,
        batchSize,
        featureDimension,
        width,
        featureWidth,
        discount,
        stride,
        rate,
        rate,
        featureRate,
        decay,
        targetRate,
        noise,
        noiseClip,
        rewardShare,
        goalShare,
        pessimism);
  }

  /** HILP's authors: d 50, features of width 512, one million steps at 1e-4. */
  ControlSettings authorsOfHilp() {
    return new ControlSettings(
        1_000_000,
        batchSize,
        50,
        width,
        512,
        discount,
        stride,
        1e-4,
        1e-4,
        1e-4,
        decay,
        targetRate,
        noise,
        noiseClip,
        rewardShare,
        goalShare,
        pessimism);
  }

  /** That of a transition, where that of an environment step is this. */
  double discountPerTransition(double discountPerStep) {
    return Math.pow(discountPerStep, stride);
  }

  /** γ of a transition. */
  double transitionDiscount() {
    return discountPerTransition(discount);
  }

  /** How much a step draws. */
  public DrawSizes draws(int actionSize, int window) {
    return new DrawSizes(batchSize, 0, featureDimension, actionSize, goalShare, window);
  }

  /** Rows of a batch whose task vectors are those of random rewards: the first ones. */
  int rewardRows() {
    return (int) Math.round(rewardShare * batchSize);
  }

  /** Of the networks. */
  NetworkSizes sizes() {
    return new NetworkSizes(featureDimension, width, featureWidth);
  }
}
