package dev.psm.agents.rnd;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of the explorer with vectors as actions. */
public record RndSettings(
    @Setting("width of the hidden layers of every network") int width,
    @Setting("outputs of the random network and of its predictor") int representation,
    @Setting("transitions per update") int batchSize,
    @Setting("environment steps per update, counted over all environments") int stepsPerUpdate,
    @Setting("steps n between a sampled state and the one its value is bootstrapped from")
        int nStep,
    @Setting("discount γ of one environment step, at least 0 and below 1") double discount,
    @Setting("learning rate of actor, critic and predictor") double learningRate,
    @Setting("rate τ at which the target critic follows") double targetRate,
    @Setting("standard deviation σ of the noise on actions, which lie in [−1, 1]") double noise,
    @Setting("largest noise on actions inside the losses; acting is not clipped") double noiseClip,
    @Setting("environment steps with uniformly random actions before the first update")
        int seedSteps,
    @Setting("transitions kept in the replay; the oldest episodes go first") int replayCapacity)
    implements ExplorerSettings {

  /** Up to which {@code small-slow} is the default. */
  private static final int FEW_OBSERVATIONS = 4;

  public RndSettings {
    Limits.requireSize(1, "width", width);
    Limits.requireSize(1, "representation", representation);
    // The unbiased variance of one error does not exist.
    Limits.requireSize(2, "batchSize", batchSize);
    Limits.requireAtLeast(1, "stepsPerUpdate", stepsPerUpdate);
    Limits.requireAtLeast(1, "nStep", nStep);
    Limits.requireDiscount("discount", discount);
    Limits.requirePositive("learningRate", learningRate);
    Limits.requireAverageRate("targetRate", targetRate);
    Limits.requireNotNegative("noise", noise);
    Limits.requireNotNegative("noiseClip", noiseClip);
    Limits.requireAtLeast(0, "seedSteps", seedSteps);
    if (replayCapacity < nStep) {
      throw UserError.invalid(
          "replayCapacity must be at least nStep=%d, found %d", nStep, replayCapacity);
    }
  }

  /**
   * Presets by name, the default first. {@code small} is for two processor cores: it learns ten
   * times faster to make up for eight times fewer updates. {@code small-slow} keeps the published
   * rate, because on four numbers of observation a fast predictor loses its surprise before the
   * actor has followed it. {@code urlb} has the published sizes and rates. {@code fast} is for a
   * GPU: the published sizes, five times fewer updates, and a rate between the square root and the
   * whole of that factor above the published one; it remembers all of a collection of millions.
   */
  public static Map<String, RndSettings> presets() {
    Map<String, RndSettings> presets = new LinkedHashMap<>();
    presets.put(
        "small",
        new RndSettings(256, 128, 256, 16, 3, 0.99, 1e-3, 0.01, 0.2, 0.3, 4000, 1_000_000));
    presets.put(
        "small-slow",
        new RndSettings(256, 128, 256, 16, 3, 0.99, 1e-4, 0.01, 0.2, 0.3, 4000, 1_000_000));
    presets.put(
        "urlb",
        new RndSettings(1024, 512, 1024, 2, 3, 0.99, 1e-4, 0.01, 0.2, 0.3, 4000, 1_000_000));
    presets.put(
        "fast",
        new RndSettings(1024, 512, 1024, 10, 3, 0.99, 3e-4, 0.01, 0.2, 0.3, 4000, 5_000_000));
    return presets;
  }

  @Override
  public String policy() {
    return "rnd";
  }

  @Override
  public String algorithm() {
    return "ddpg";
  }

  /** The preset for an environment when none is named. */
  public static String usualPreset(World world) {
    return world.observationSize() <= FEW_OBSERVATIONS ? "small-slow" : "small";
  }
}
