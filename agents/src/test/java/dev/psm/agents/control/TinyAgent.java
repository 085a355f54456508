package dev.psm.agents.control;

import dev.psm.core.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The agents by name, for claims that hold for all of them. */
enum TinyAgent {
  PSM,
  INTERLEAVED_PSM,
  FORWARD_BACKWARD,
  LAPLACIAN,
  HILP;

  private static final List<String> TINY =
      List.of("batchSize=10", "featureDimension=5", "width=8", "featureWidth=7", "discount=0.9");

  /** A trainer of tiny networks, unless the settings say otherwise. */
  ControlTrainer trainer(Experience data, List<Long> seeds, String... settings) {
    List<String> more = withoutPsmOnly(settings);
    return switch (this) {
      case PSM -> new FactoredPsm(psm("two-phase", more), data, seeds);
      case INTERLEAVED_PSM -> new FactoredPsm(psm("interleaved", more), data, seeds);
      case FORWARD_BACKWARD ->
          new ControlForwardBackward(
              changed(ForwardBackwardSettings.presets("walker").get("small"), more), data, seeds);
      case LAPLACIAN ->
          new ControlLaplacian(
              changed(SuccessorFeatureSettings.presets("walker").get("small"), more), data, seeds);
      case HILP ->
          new Hilp(changed(HilpSettings.presets("walker").get("small"), more), data, seeds);
    };
  }

  /** The length of PSM's first phase means nothing to the others. */
  private List<String> withoutPsmOnly(String... settings) {
    boolean phased = this == PSM || this == INTERLEAVED_PSM;
    return Arrays.stream(settings)
        .filter(setting -> phased || !setting.startsWith("protoSteps="))
        .toList();
  }

  private static FactoredPsmSettings psm(String schedule, List<String> more) {
    List<String> settings = new ArrayList<>(List.of("schedule=" + schedule));
    if (more.stream().noneMatch(setting -> setting.startsWith("protoSteps="))) {
      settings.add("protoSteps=10");
    }
    settings.addAll(more);
    return changed(FactoredPsmSettings.presets("walker").get("small"), settings);
  }

  private static <R extends Record> R changed(R base, List<String> more) {
    return Settings.override(Settings.override(base, TINY), more);
  }
}
