package dev.psm.agents.control;

import dev.psm.core.env.World;
import dev.psm.core.settings.Inline;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of Laplacian. */
public record SuccessorFeatureSettings(
    @Inline ControlSettings common,
    @Setting("whether successor features are fitted along the task vector only (the q-loss)")
        boolean alongTask)
    implements ControlAgentSettings {

  /** Features learn five times as fast as the rest, as in every source. */
  static ControlSettings fastFeatures(ControlSettings settings) {
    return settings.withRates(settings.learningRate(), 5 * settings.learningRate());
  }

  /** Presets by name, the default first. */
  public static Map<String, SuccessorFeatureSettings> presets(World world) {
    Map<String, SuccessorFeatureSettings> presets = new LinkedHashMap<>();
    presets.put(
        "small", new SuccessorFeatureSettings(fastFeatures(ControlSettings.small(world)), true));
    ControlSettings paper = ControlSettings.paper(world);
    presets.put("paper", new SuccessorFeatureSettings(fastFeatures(paper), true));
    presets.put(
        "released", new SuccessorFeatureSettings(fastFeatures(paper.withRates(1e-4, 1e-4)), true));
    return presets;
  }
}
