package dev.psm.agents.control;

import dev.psm.core.settings.Inline;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of Forward-Backward for continuous actions. */
public record ForwardBackwardSettings(
    @Inline ControlSettings common,
    @Setting("weight of the features' orthonormality") double orthonormality)
    implements AgentSettings {

  public ForwardBackwardSettings {
    Limits.requireNotNegative("orthonormality", orthonormality);
  }

  /**
   * Presets by name, the default first. {@code released} has the rate of the authors' code, {@code
   * paper} that of the PSM paper's table.
   */
  public static Map<String, ForwardBackwardSettings> presets(String environment) {
    Map<String, ForwardBackwardSettings> presets = new LinkedHashMap<>();
    presets.put("small", new ForwardBackwardSettings(ControlSettings.small(environment), 1));
    presets.put("paper", new ForwardBackwardSettings(ControlSettings.paper(environment), 1));
    presets.put(
        "released",
        new ForwardBackwardSettings(ControlSettings.paper(environment).withRates(1e-4, 1e-4), 1));
    return presets;
  }
}
