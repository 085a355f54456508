package dev.psm.agents.control;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.training.Experience;
import dev.psm.core.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/** The agents by name, for claims that hold for all of them. */
public enum TinyAgent {
  PSM,
  INTERLEAVED_PSM,
  FORWARD_BACKWARD,
  LAPLACIAN,
  HILP,
  RLDP;

  private static final List<String> TINY =
      List.of("batchSize=10", "featureDimension=5", "width=8", "featureWidth=7", "discount=0.9");

  /** A trainer of tiny networks, unless the settings say otherwise; transitions are the data's. */
  public ControlTrainer trainer(Experience data, List<Long> seeds, String... settings) {
    List<String> more = ownPhases(settings);
    more.add("stride=" + data.stride());
    return switch (this) {
      case PSM -> new FactoredPsm(psm("two-phase", more), data, seeds);
      case INTERLEAVED_PSM -> new FactoredPsm(psm("interleaved", more), data, seeds);
      case FORWARD_BACKWARD ->
          new ControlForwardBackward(
              changed(ForwardBackwardSettings.presets(SmallWorlds.BODY).get("small"), more),
              data,
              seeds);
      case LAPLACIAN ->
          new ControlLaplacian(
              changed(SuccessorFeatureSettings.presets(SmallWorlds.BODY).get("small"), more),
              data,
              seeds);
      case HILP ->
          new Hilp(changed(HilpSettings.presets(SmallWorlds.BODY).get("small"), more), data, seeds);
      case RLDP ->
          new Rldp(changed(RldpSettings.presets(SmallWorlds.BODY).get("small"), more), data, seeds);
    };
  }

  /** The length of the first phase, by its own name or not at all. */
  private List<String> ownPhases(String... settings) {
    List<String> own = new ArrayList<>();
    if (this == RLDP) {
      own.add("featureSteps=10");
    }
    for (String setting : settings) {
      boolean phase = setting.startsWith("protoSteps=");
      if (phase && this == RLDP) {
        own.set(0, setting.replace("protoSteps", "featureSteps"));
      } else if (!phase || this == PSM || this == INTERLEAVED_PSM) {
        own.removeIf(other -> key(other).equals(key(setting)));
        own.add(setting);
      }
    }
    return own;
  }

  private static String key(String setting) {
    return setting.substring(0, setting.indexOf('='));
  }

  private static FactoredPsmSettings psm(String schedule, List<String> more) {
    List<String> settings = new ArrayList<>(List.of("schedule=" + schedule));
    if (more.stream().noneMatch(setting -> setting.startsWith("protoSteps="))) {
      settings.add("protoSteps=10");
    }
    settings.addAll(more);
    return changed(FactoredPsmSettings.presets(SmallWorlds.BODY).get("small"), settings);
  }

  private static <R extends Record> R changed(R base, List<String> more) {
    return Settings.override(Settings.override(base, TINY), more);
  }
}
