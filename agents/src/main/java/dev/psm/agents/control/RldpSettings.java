package dev.psm.agents.control;

import dev.psm.agents.control.FactoredPsmSettings.Schedule;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Inline;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import dev.psm.core.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Complete settings of RLDP. */
public record RldpSettings(
    @Inline ControlSettings common,
    @Setting(
            "two-phase: the features first, then policies in them; interleaved: both at every step")
        Schedule schedule,
    @Setting("gradient steps on the features, before policies are learned in them; two-phase only")
        int featureSteps,
    @Setting("transitions over which the features are predicted") int horizon,
    @Setting("weight λ of the features' orthonormality") double orthonormality,
    @Setting("rate at which the features' target network follows") double featureTargetRate)
    implements ControlAgentSettings {

  public RldpSettings {
    Limits.requireAtLeast(0, "featureSteps", featureSteps);
    Limits.requireSize(1, "horizon", horizon);
    Limits.requireNotNegative("orthonormality", orthonormality);
    Limits.requireAverageRate("featureTargetRate", featureTargetRate);
  }

  Phases phases() {
    return new Phases(schedule, featureSteps, common.gradientSteps());
  }

  @Override
  public List<String> stretched(int gradientSteps) {
    return List.of(
        "gradientSteps=" + gradientSteps, "featureSteps=" + stretched(featureSteps, gradientSteps));
  }

  @Override
  public void requireUseful() {
    if (schedule != Schedule.TWO_PHASE) {
      return;
    }
    if (featureSteps == 0) {
      throw UserError.invalid(
          "with featureSteps=0 the features would never be learned; raise featureSteps, or choose"
              + " schedule=interleaved");
    }
    if (featureSteps >= common.gradientSteps()) {
      throw UserError.invalid(
          "featureSteps=%d leaves none of the %d gradientSteps for policies; lower featureSteps, or"
              + " ask for a number of steps in all, of which both phases take their shares",
          featureSteps, common.gradientSteps());
    }
  }

  /**
   * Presets by name, the default first. {@code released} is the public implementation's, which
   * learns everything at every step; {@code paper} the same at the rates of the PSM paper's table.
   */
  public static Map<String, RldpSettings> presets(World world) {
    Map<String, RldpSettings> presets = new LinkedHashMap<>();
    presets.put(
        "small",
        new RldpSettings(ControlSettings.small(world), Schedule.TWO_PHASE, 8_000, 5, 0.1, 0.01));
    ControlSettings paper =
        Settings.override(ControlSettings.paper(world), List.of("targetRate=0.001"));
    presets.put("paper", new RldpSettings(paper, Schedule.INTERLEAVED, 250_000, 5, 0.01, 0.001));
    presets.put(
        "released",
        new RldpSettings(
            paper.withRates(1e-4, 1e-4), Schedule.INTERLEAVED, 250_000, 5, 0.01, 0.001));
    return presets;
  }
}
