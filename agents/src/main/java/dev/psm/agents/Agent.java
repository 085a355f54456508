package dev.psm.agents;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import java.util.List;
import java.util.Map;

/**
 * An algorithm: everything that a run, a table or a help text needs to know of it. Each is declared
 * beside its algorithm and listed in {@link Agents}. Two algorithms may share an id where no world
 * can be learned by both: PSM is one for tables and another for robots.
 */
public interface Agent {
  /** As a user types it. */
  String id();

  /** As in tables. */
  String title();

  /** A sentence for help texts. */
  String summary();

  /** The worlds that it can learn, in a few words, for whoever asks it to learn another. */
  String learnable();

  boolean learns(World world);

  /** Whether a GPU can train it; all can be trained by the CPU. */
  default boolean trainsOnGpu() {
    return true;
  }

  /** A record that is {@link AgentSettings}. */
  Class<? extends Record> settingsType();

  /** Complete settings for a world by preset name, the default first. */
  Map<String, ? extends Record> presets(World world);

  /**
   * @param data of a world that it {@link #learns}
   */
  Trainer trainer(Record settings, TrainingData data, List<Long> seeds, Device device);

  /** The record that its models' {@link Model#shape} is. */
  Class<? extends Record> shapeType();

  /** Refuses a shape that no model of this agent has. */
  default void check(Record shape) {}

  /**
   * The model of a file, whose tensors are compared with the shape before anything of the shape's
   * sizes is allocated.
   *
   * @param fileName of the tensors, for errors
   */
  Model model(Record shape, World world, Map<String, TensorData> tensors, String fileName);

  /** Numbers in a goal of its models of a world: see {@link Model#goalSize}. */
  default int goalSize(World world) {
    return world.observationSize();
  }

  /** The preset to use when none is named. */
  default String defaultPreset(World world) {
    return presets(world).keySet().iterator().next();
  }

  /** Complete settings by name; an unknown one is refused with the nearest known. */
  default Record preset(String name, World world) {
    Map<String, ? extends Record> presets = presets(world);
    Record settings = presets.get(name);
    if (settings == null) {
      throw UserError.invalid(
          "agent %s has no preset '%s' for %s; %s",
          id(), name, world.name(), Nearest.hint(name, presets.keySet()));
    }
    return settings;
  }

  /** The same with another number of gradient steps, phases keeping their shares. */
  default Record withSteps(Record settings, int steps) {
    return Settings.override(settings, ((AgentSettings) settings).stretched(steps));
  }

  /**
   * Complete settings as a user asks for them: a preset, stretched to a number of steps, then
   * changed as told. What would never learn to act is refused.
   *
   * @param steps null for as many as the preset has
   * @param overrides as {@code key=value}
   */
  default Record settings(String preset, World world, Integer steps, List<String> overrides) {
    for (String override : overrides) {
      if (steps != null && override.startsWith("gradientSteps=")) {
        throw UserError.invalid(
            "the number of gradient steps is given twice, as %d and as %s", steps, override);
      }
    }
    Record base = preset(preset, world);
    // In this order: a phase whose length the user gave must not be stretched.
    Record settings = Settings.override(steps == null ? base : withSteps(base, steps), overrides);
    ((AgentSettings) settings).requireUseful();
    return settings;
  }
}
