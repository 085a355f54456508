package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.control.ControlAgentKind;
import dev.psm.agents.control.ControlSettings;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.Experience;
import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * An agent at a size, and for PSM a part of its step.
 *
 * @param phase "proto", "successor" (which includes the actor) or "both"; other agents have only
 *     "both"
 */
record TrainingSubject(String agent, String phase, TrainingSize size) {
  static final List<String> AGENTS =
      Arrays.stream(ControlAgentKind.values()).map(ControlAgentKind::id).toList();
  static final long SEED = 0;

  private static final String ENVIRONMENT = SyntheticWalker.WORLD.name();

  static List<TrainingSubject> of(String agent, TrainingSize size) {
    if (!AGENTS.contains(agent)) {
      throw UserError.usage("'%s' is no agent; there are %s", agent, AGENTS);
    }
    List<String> phases =
        agent.equals("psm") ? List.of("both", "proto", "successor") : List.of("both");
    return phases.stream().map(phase -> new TrainingSubject(agent, phase, size)).toList();
  }

  String id() {
    return phase.equals("both") ? agent : agent + " " + phase;
  }

  /**
   * @param seeds how many, side by side
   */
  ControlTrainer trainer(Experience data, int seeds) {
    return trainer(settings(), data, seeds);
  }

  /**
   * The same with rates too small to move a weight. Adam's first step is nearly the sign of a
   * gradient, so where one is nearly 0, rounding decides where the weight goes; gradients that a
   * step takes afterwards would differ by that as well.
   */
  ControlTrainer trainerAtRest(Experience data, int seeds) {
    List<String> rates = List.of("learningRate=1e-20", "featureLearningRate=1e-20");
    return trainer(Settings.override(settings(), rates), data, seeds);
  }

  private ControlTrainer trainer(Record settings, Experience data, int seeds) {
    return kind().trainer(settings, data, LongStream.range(SEED, SEED + seeds).boxed().toList());
  }

  ControlSettings common() {
    return kind().common(settings());
  }

  /** What the peer needs to know. */
  ObjectNode describe() {
    return Settings.toJson(settings()).put("agent", agent).put("phase", phase);
  }

  private ControlAgentKind kind() {
    return ControlAgentKind.parse(agent);
  }

  /** A part alone is not useful as an agent, and is not required to be. */
  private Record settings() {
    List<String> changes = new ArrayList<>(size.changes());
    if (kind() == ControlAgentKind.PSM) {
      changes.addAll(
          switch (phase) {
            case "proto" -> List.of("protoSteps=" + Integer.MAX_VALUE);
            case "successor" -> List.of("protoSteps=0");
            default -> List.of("schedule=interleaved");
          });
    }
    return Settings.override(kind().preset(size.preset(), ENVIRONMENT), changes);
  }
}
