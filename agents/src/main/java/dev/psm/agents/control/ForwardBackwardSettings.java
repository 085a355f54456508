package dev.psm.agents.control;

import dev.psm.core.env.World;
import dev.psm.core.settings.Inline;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of Forward-Backward for continuous actions. */
public record ForwardBackwardSettings(
    @Inline ControlSettings common,
    @Setting("weight of the features' orthonormality") double orthonormality)
    implements ControlAgentSettings {

  public ForwardBackwardSettings {
    Limits.requireNotNegative("orthonormality", orthonormality);
  }

  /**
   * Presets by name, the default first. {@code released} has the rate of the authors' code, {@code
   * paper} that of the PSM paper's table.
   */
  public static Map<String, ForwardBackwardSettings> presets(World world) {
    Map<String, ForwardBackwardSettings> presets = new LinkedHashMap<>();
    presets.put("small", new ForwardBackwardSettings(ControlSettings.small(world), 1));
    presets.put("paper", new ForwardBackwardSettings(ControlSettings.paper(world), 1));
    presets.put(
        "released",
        new ForwardBackwardSettings(ControlSettings.paper(world).withRates(1e-4, 1e-4), 1));
    presets.put("small-far", new ForwardBackwardSettings(ControlSettings.smallFar(world), 2));
    return presets;
  }
}
