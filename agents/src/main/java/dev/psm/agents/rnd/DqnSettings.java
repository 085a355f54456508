package dev.psm.agents.rnd;

import dev.psm.core.UserError;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of the explorer with numbered actions. */
public record DqnSettings(
    @Setting("width of the hidden layers of every network") int width,
    @Setting("outputs of the random network and of its predictor") int representation,
    @Setting("transitions per update") int batchSize,
    @Setting("environment steps per update, counted over all environments") int stepsPerUpdate,
    @Setting("steps n between a sampled state and the one its value is bootstrapped from")
        int nStep,
    @Setting("discount γ of one environment step, at least 0 and below 1") double discount,
    @Setting("learning rate of action values and predictor") double learningRate,
    @Setting("rate τ at which the target network follows") double targetRate,
    @Setting("share ε of actions that are uniformly random, from 0 to 1") double epsilon,
    @Setting("environment steps with uniformly random actions before the first update")
        int seedSteps,
    @Setting("transitions kept in the replay; the oldest episodes go first") int replayCapacity)
    implements ExplorerSettings {

  public DqnSettings {
    Limits.requireSize(1, "width", width);
    Limits.requireSize(1, "representation", representation);
    // The unbiased variance of one error does not exist.
    Limits.requireSize(2, "batchSize", batchSize);
    Limits.requireAtLeast(1, "stepsPerUpdate", stepsPerUpdate);
    Limits.requireAtLeast(1, "nStep", nStep);
    Limits.requireDiscount("discount", discount);
    Limits.requirePositive("learningRate", learningRate);
    Limits.requireAverageRate("targetRate", targetRate);
    if (!(epsilon >= 0 && epsilon <= 1)) {
      throw UserError.invalid("epsilon must be from 0 to 1, found %s", epsilon);
    }
    Limits.requireAtLeast(0, "seedSteps", seedSteps);
    if (replayCapacity < nStep) {
      throw UserError.invalid(
          "replayCapacity must be at least nStep=%d, found %d", nStep, replayCapacity);
    }
  }

  /** Presets by name, the default first. {@code small} is for two processor cores. */
  public static Map<String, DqnSettings> presets() {
    Map<String, DqnSettings> presets = new LinkedHashMap<>();
    presets.put(
        "small", new DqnSettings(256, 128, 256, 64, 1, 0.98, 1e-3, 0.01, 0.3, 3200, 1_000_000));
    return presets;
  }

  @Override
  public String policy() {
    return "dqn-rnd";
  }

  @Override
  public String algorithm() {
    return "dqn";
  }
}
