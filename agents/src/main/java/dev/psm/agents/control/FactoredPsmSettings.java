package dev.psm.agents.control;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Inline;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Complete settings of factored PSM. */
public record FactoredPsmSettings(
    @Inline ControlSettings common,
    @Setting("two-phase: the basis first, then policies in it; interleaved: both at every step")
        Schedule schedule,
    @Setting("gradient steps on the basis, before policies are learned in it; two-phase only")
        int protoSteps,
    @Setting("weight of the features' orthonormality") double orthonormality,
    @Setting(
            "discount of an environment step in the measures that features are learned from; 0 for discount")
        double basisDiscount)
    implements ControlAgentSettings {

  /** When which branch learns. */
  public enum Schedule {
    TWO_PHASE,
    INTERLEAVED
  }

  public FactoredPsmSettings {
    Limits.requireAtLeast(0, "protoSteps", protoSteps);
    Limits.requireNotNegative("orthonormality", orthonormality);
    Limits.requireDiscount("basisDiscount", basisDiscount);
  }

  @Override
  public List<String> stretched(int gradientSteps) {
    return List.of(
        "gradientSteps=" + gradientSteps, "protoSteps=" + stretched(protoSteps, gradientSteps));
  }

  @Override
  public void requireUseful() {
    if (schedule != Schedule.TWO_PHASE) {
      return;
    }
    if (protoSteps == 0) {
      throw UserError.invalid(
          "with protoSteps=0 the basis would never be learned; raise protoSteps, or choose"
              + " schedule=interleaved");
    }
    if (protoSteps >= common.gradientSteps()) {
      throw UserError.invalid(
          "protoSteps=%d leaves none of the %d gradientSteps for policies; lower protoSteps, or"
              + " ask for a number of steps in all, of which both phases take their shares",
          protoSteps, common.gradientSteps());
    }
  }

  /** γ of a transition in the measures of the codebook's policies. */
  double basisTransitionDiscount() {
    return common.discountPerTransition(basisDiscount == 0 ? common.discount() : basisDiscount);
  }

  Phases phases() {
    return new Phases(schedule, protoSteps, common.gradientSteps());
  }

  /**
   * Presets by name, the default first. {@code paper} is as printed; {@code released} as in the
   * published code, which learns more slowly, without its two slips: actions drawn from [−2, 0),
   * and nine tenths of the data left unread.
   */
  public static Map<String, FactoredPsmSettings> presets(World world) {
    Map<String, FactoredPsmSettings> presets = new LinkedHashMap<>();
    presets.put(
        "small",
        new FactoredPsmSettings(ControlSettings.small(world), Schedule.TWO_PHASE, 8_000, 1, 0));
    presets.put(
        "paper",
        new FactoredPsmSettings(ControlSettings.paper(world), Schedule.TWO_PHASE, 250_000, 1, 0));
    presets.put(
        "released",
        new FactoredPsmSettings(
            ControlSettings.paper(world).withRates(1e-4, 1e-4), Schedule.TWO_PHASE, 250_000, 1, 0));
    presets.put(
        "small-far",
        new FactoredPsmSettings(
            ControlSettings.smallFar(world), Schedule.TWO_PHASE, 20_000, 2, 0.999));
    return presets;
  }
}
