package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agents;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.DeviceChecks;
import dev.psm.agents.training.Experience;
import dev.psm.core.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * An agent at a size, or a part of its step.
 *
 * @param phase one of {@link ControlAgent#parts}
 */
record TrainingSubject(ControlAgent agent, String phase, TrainingSize size) {
  static final long SEED = 0;

  /** The agent of that name, whole and in parts. */
  static List<TrainingSubject> of(String name, TrainingSize size) {
    ControlAgent agent = Agents.control(name);
    return agent.parts().keySet().stream()
        .map(phase -> new TrainingSubject(agent, phase, size))
        .toList();
  }

  boolean isWhole() {
    return phase.equals(ControlAgent.WHOLE_STEP);
  }

  String id() {
    return isWhole() ? agent.id() : agent.id() + " " + phase;
  }

  /**
   * @param seeds how many, side by side
   */
  ControlTrainer trainer(Experience data, int seeds) {
    return trainer(settings(), data, seeds);
  }

  /** The same {@link DeviceChecks#AT_REST}. */
  ControlTrainer trainerAtRest(Experience data, int seeds) {
    return trainer(Settings.override(settings(), DeviceChecks.AT_REST), data, seeds);
  }

  private ControlTrainer trainer(Record settings, Experience data, int seeds) {
    return agent.trainer(settings, data, LongStream.range(SEED, SEED + seeds).boxed().toList());
  }

  /** Multiplications and additions of one gradient step of one seed, in products of matrices. */
  double flops() {
    Record settings = settings();
    long multiplications =
        agent.multiplications(
            settings, SyntheticWalker.COLUMNS.observation(), SyntheticWalker.COLUMNS.action());
    return 2.0 * multiplications * agent.common(settings).batchSize();
  }

  /** What the peer needs to know. */
  ObjectNode describe() {
    return Settings.toJson(settings()).put("agent", agent.id()).put("phase", phase);
  }

  /** A part alone is not useful as an agent, and is not required to be. */
  private Record settings() {
    List<String> changes = new ArrayList<>(size.changes());
    changes.addAll(agent.parts().get(phase));
    return Settings.override(agent.preset(size.preset(), SyntheticWalker.WORLD), changes);
  }
}
