package dev.psm.agents.control;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Inline;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of HILP. */
public record HilpSettings(
    @Inline ControlSettings common,
    @Setting("discount of an environment step in the distances, at least 0 and below 1")
        double featureDiscount,
    @Setting("expectile of the distances' regression; 0.5 is the mean") double expectile,
    @Setting("rate at which the distances' target network follows") double featureTargetRate,
    @Setting("whether successor features are fitted along the task vector only (the q-loss)")
        boolean alongTask)
    implements ControlAgentSettings {

  public HilpSettings {
    Limits.requireDiscount("featureDiscount", featureDiscount);
    if (!((float) expectile > 0 && (float) expectile < 1)) {
      throw UserError.invalid("expectile must be between 0 and 1, found %s", expectile);
    }
    Limits.requireAverageRate("featureTargetRate", featureTargetRate);
  }

  /**
   * Presets by name, the default first. {@code paper} is the PSM paper's single setting, {@code
   * released} the same at the rate of the published code, {@code authors-…} the settings that
   * HILP's authors have for each of their domains.
   */
  public static Map<String, HilpSettings> presets(World world) {
    Map<String, HilpSettings> presets = new LinkedHashMap<>();
    presets.put("small", of(ControlSettings.small(world), 0.96, true));
    ControlSettings paper = ControlSettings.paper(world);
    presets.put("paper", of(paper, 0.96, true));
    presets.put("released", of(paper.withRates(1e-4, 1e-4), 0.96, true));
    presets.put("authors-walker", authors(paper, 0.96, false));
    presets.put("authors-cheetah", authors(paper, 0.98, false));
    presets.put("authors-quadruped", authors(paper, 0.98, true));
    return presets;
  }

  private static HilpSettings of(ControlSettings common, double discount, boolean alongTask) {
    return new HilpSettings(
        SuccessorFeatureSettings.fastFeatures(common), discount, 0.5, 0.005, alongTask);
  }

  private static HilpSettings authors(ControlSettings paper, double discount, boolean alongTask) {
    return of(paper.authorsOfHilp(), discount, alongTask);
  }
}
