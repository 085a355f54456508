package dev.psm.agents.control;

import dev.psm.agents.Agent;
import dev.psm.agents.training.Experience;
import java.util.List;
import java.util.Map;

/** An agent for continuous actions, with what a benchmark of its steps needs to know. */
public interface ControlAgent extends Agent {
  /** The preset to use when none is named. */
  String DEFAULT_PRESET = "small";

  /** The part of a step that is all of it. */
  String WHOLE_STEP = "both";

  ControlTrainer trainer(Record settings, Experience data, List<Long> seeds);

  /** How a model of this agent turns a reward into a task vector. */
  ControlModel.Kind modelKind();

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

  /** The part of the settings that all of these agents have. */
  default ControlSettings common(Record settings) {
    return ((ControlAgentSettings) settings).common();
  }
}
