package dev.psm.agents.control;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The continuous agents that can be pretrained by name. */
public enum ControlAgentKind {
  PSM("PSM", FactoredPsmSettings.class, ControlModel.Kind.MEASURE) {
    @Override
    public Map<String, ? extends Record> presets(String environment) {
      return FactoredPsmSettings.presets(environment);
    }

    @Override
    public ControlSettings common(Record settings) {
      return ((FactoredPsmSettings) settings).common();
    }

    /** Both phases keep their shares, and one that there was does not vanish. */
    @Override
    public Record withSteps(Record settings, Integer steps) {
      if (steps == null) {
        return settings;
      }
      FactoredPsmSettings psm = (FactoredPsmSettings) settings;
      long share = (long) psm.protoSteps() * steps / psm.common().gradientSteps();
      long proto = psm.protoSteps() == 0 ? 0 : Math.max(1, share);
      return super.withSteps(Settings.override(psm, List.of("protoSteps=" + proto)), steps);
    }

    @Override
    public void requireUseful(Record settings) {
      FactoredPsmSettings psm = (FactoredPsmSettings) settings;
      if (psm.schedule() != FactoredPsmSettings.Schedule.TWO_PHASE) {
        return;
      }
      if (psm.protoSteps() == 0) {
        throw UserError.usage(
            "with protoSteps=0 the basis would never be learned; raise protoSteps, or choose"
                + " schedule=interleaved");
      }
      if (psm.protoSteps() >= psm.common().gradientSteps()) {
        throw UserError.usage(
            "protoSteps=%d leaves none of the %d gradientSteps for policies; lower protoSteps, or"
                + " give the number of steps by --steps, which keeps the shares",
            psm.protoSteps(), psm.common().gradientSteps());
      }
    }

    @Override
    public ControlTrainer trainer(Record settings, Experience data, List<Long> seeds) {
      return new FactoredPsm((FactoredPsmSettings) settings, data, seeds);
    }
  },
  FB("FB", ForwardBackwardSettings.class, ControlModel.Kind.MEASURE) {
    @Override
    public Map<String, ? extends Record> presets(String environment) {
      return ForwardBackwardSettings.presets(environment);
    }

    @Override
    public ControlSettings common(Record settings) {
      return ((ForwardBackwardSettings) settings).common();
    }

    @Override
    public ControlTrainer trainer(Record settings, Experience data, List<Long> seeds) {
      return new ForwardBackward((ForwardBackwardSettings) settings, data, seeds);
    }
  },
  LAPLACIAN("Laplacian", SuccessorFeatureSettings.class, ControlModel.Kind.SPHERICAL_FEATURES) {
    @Override
    public Map<String, ? extends Record> presets(String environment) {
      return SuccessorFeatureSettings.presets(environment);
    }

    @Override
    public ControlSettings common(Record settings) {
      return ((SuccessorFeatureSettings) settings).common();
    }

    @Override
    public ControlTrainer trainer(Record settings, Experience data, List<Long> seeds) {
      return new Laplacian((SuccessorFeatureSettings) settings, data, seeds);
    }
  },
  HILP("HILP", HilpSettings.class, ControlModel.Kind.CENTRED_FEATURES) {
    @Override
    public Map<String, ? extends Record> presets(String environment) {
      return HilpSettings.presets(environment);
    }

    @Override
    public ControlSettings common(Record settings) {
      return ((HilpSettings) settings).common();
    }

    @Override
    public ControlTrainer trainer(Record settings, Experience data, List<Long> seeds) {
      return new Hilp((HilpSettings) settings, data, seeds);
    }
  };

  /** The preset to use when none is named. */
  public static final String DEFAULT_PRESET = "small";

  private final String title;
  private final Class<? extends Record> settingsType;
  private final ControlModel.Kind modelKind;

  ControlAgentKind(
      String title, Class<? extends Record> settingsType, ControlModel.Kind modelKind) {
    this.title = title;
    this.settingsType = settingsType;
    this.modelKind = modelKind;
  }

  /** As in the paper's tables. */
  public String title() {
    return title;
  }

  /** As a user types it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Class<? extends Record> settingsType() {
    return settingsType;
  }

  /** How a model of this agent turns a reward into a task vector. */
  public ControlModel.Kind modelKind() {
    return modelKind;
  }

  /** Complete settings for an environment by preset name, the default first. */
  public abstract Map<String, ? extends Record> presets(String environment);

  /** Complete settings by name; an unknown one is refused with the nearest known. */
  public Record preset(String name, String environment) {
    Map<String, ? extends Record> presets = presets(environment);
    Record settings = presets.get(name);
    if (settings == null) {
      throw UserError.usage(
          "--preset: agent %s has no preset '%s' for %s; %s",
          id(), name, environment, Nearest.hint(name, presets.keySet()));
    }
    return settings;
  }

  /**
   * Complete settings as a user asks for them: a preset with the world's discount, stretched to a
   * number of steps, then changed as told. What would never learn to act is refused.
   *
   * @param steps null for as many as the preset has
   * @param overrides as {@code key=value}
   */
  public Record settings(String preset, World world, Integer steps, List<String> overrides) {
    requireOneNumberOfSteps(steps, overrides);
    Record named = preset(preset, world.name());
    Record usual = Settings.override(named, List.of("discount=" + world.discount()));
    // In this order, for --steps must not stretch a phase whose length the user gave.
    Record settings = Settings.override(withSteps(usual, steps), overrides);
    requireUseful(settings);
    return settings;
  }

  /** Refuses a number of steps that is given in two ways. */
  public static void requireOneNumberOfSteps(Integer steps, List<String> overrides) {
    for (String override : overrides) {
      if (steps != null && override.startsWith("gradientSteps=")) {
        throw UserError.usage(
            "the gradient steps are given twice, as --steps %d and %s", steps, override);
      }
    }
  }

  /** The part of the settings that all agents have. */
  public abstract ControlSettings common(Record settings);

  public abstract ControlTrainer trainer(Record settings, Experience data, List<Long> seeds);

  /** The same with another number of gradient steps; null changes nothing. */
  public Record withSteps(Record settings, Integer steps) {
    return steps == null
        ? settings
        : Settings.override(settings, List.of("gradientSteps=" + steps));
  }

  /** Refuses settings under which an agent would never learn to act. */
  public void requireUseful(Record settings) {}

  /** An untrained model, to load a trained one's tensors into. */
  public ControlModel model(Record settings, int observationSize, int actionSize) {
    return new ControlModel(modelKind, common(settings), observationSize, actionSize);
  }

  public static ControlAgentKind parse(String id) {
    List<String> ids = Arrays.stream(values()).map(ControlAgentKind::id).toList();
    return Arrays.stream(values())
        .filter(kind -> kind.id().equals(id))
        .findFirst()
        .orElseThrow(
            () -> UserError.usage("no agent '%s' learns from data; %s", id, Nearest.hint(id, ids)));
  }
}
