package dev.psm.agents.control;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Settings;
import java.util.List;
import java.util.Map;

/**
 * An algorithm that learns continuous control from data: everything that a run, a table, a
 * benchmark or a help text needs to know of it. Each is declared beside its algorithm and listed in
 * {@link Agents}.
 */
public interface Agent {
  /** The preset to use when none is named. */
  String DEFAULT_PRESET = "small";

  /** The part of a step that is all of it. */
  String WHOLE_STEP = "both";

  /** As a user types it. */
  String id();

  /** As in tables. */
  String title();

  /** A sentence for help texts. */
  String summary();

  /** A record that is {@link AgentSettings}. */
  Class<? extends Record> settingsType();

  /** Complete settings for an environment by preset name, the default first. */
  Map<String, ? extends Record> presets(String environment);

  /** How a model of this agent turns a reward into a task vector. */
  ControlModel.Kind modelKind();

  ControlTrainer trainer(Record settings, Experience data, List<Long> seeds);

  /**
   * The parts of a gradient step that are worth measuring alone, by name, the whole step first:
   * each as the changes to the settings, {@code key=value}, under which a step is only that.
   */
  default Map<String, List<String>> parts() {
    return Map.of(WHOLE_STEP, List.of());
  }

  /**
   * Multiplications of one row of a batch in the first gradient step, those in products of matrices
   * alone: see {@link StepWork}.
   */
  long multiplications(Record settings, int observationSize, int actionSize);

  /** The part of the settings that all agents have. */
  default ControlSettings common(Record settings) {
    return ((AgentSettings) settings).common();
  }

  /** Complete settings by name; an unknown one is refused with the nearest known. */
  default Record preset(String name, String environment) {
    Map<String, ? extends Record> presets = presets(environment);
    Record settings = presets.get(name);
    if (settings == null) {
      throw UserError.invalid(
          "agent %s has no preset '%s' for %s; %s",
          id(), name, environment, Nearest.hint(name, presets.keySet()));
    }
    return settings;
  }

  /** The same with another number of gradient steps, phases keeping their shares. */
  default Record withSteps(Record settings, int steps) {
    return Settings.override(settings, ((AgentSettings) settings).stretched(steps));
  }

  /**
   * Complete settings as a user asks for them: a preset, with the world's discount where it has the
   * usual one, stretched to a number of steps, then changed as told. What would never learn to act
   * is refused.
   *
   * @param steps null for as many as the preset has
   * @param overrides as {@code key=value}
   */
  default Record settings(String preset, World world, Integer steps, List<String> overrides) {
    requireOneNumberOfSteps(steps, overrides);
    Record named = preset(preset, world.name());
    boolean usual = common(named).discount() == ControlSettings.discount(world.name());
    Record base = usual ? Settings.override(named, List.of("discount=" + world.discount())) : named;
    // In this order: a phase whose length the user gave must not be stretched.
    Record settings = Settings.override(steps == null ? base : withSteps(base, steps), overrides);
    ((AgentSettings) settings).requireUseful();
    return settings;
  }

  /** Refuses a number of steps that is given in two ways. */
  private static void requireOneNumberOfSteps(Integer steps, List<String> overrides) {
    for (String override : overrides) {
      if (steps != null && override.startsWith("gradientSteps=")) {
        throw UserError.invalid(
            "the number of gradient steps is given twice, as %d and as %s", steps, override);
      }
    }
  }

  /** An untrained model, to load a trained one's tensors into. */
  default ControlModel model(Record settings, int observationSize, int actionSize) {
    return new ControlModel(modelKind(), common(settings), observationSize, actionSize);
  }
}
