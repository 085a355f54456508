package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.Experience;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.FactoredPsmSettings;
import dev.psm.agents.control.ForwardBackward;
import dev.psm.agents.control.ForwardBackwardSettings;
import dev.psm.agents.control.Hilp;
import dev.psm.agents.control.HilpSettings;
import dev.psm.agents.control.Laplacian;
import dev.psm.agents.control.SuccessorFeatureSettings;
import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An agent at a size, and for PSM a part of its step.
 *
 * @param phase "proto", "successor" (which includes the actor) or "both"; other agents have only
 *     "both"
 */
record TrainingSubject(String agent, String phase, TrainingSize size) {
  static final List<String> AGENTS = List.of("psm", "fb", "laplacian", "hilp");
  static final long SEED = 0;

  private static final String ENVIRONMENT = SyntheticWalker.FACTS.name();

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

  ControlTrainer trainer(Experience data) {
    List<Long> seeds = List.of(SEED);
    return switch (agent) {
      case "psm" -> new FactoredPsm((FactoredPsmSettings) settings(), data, seeds);
      case "fb" -> new ForwardBackward((ForwardBackwardSettings) settings(), data, seeds);
      case "laplacian" -> new Laplacian((SuccessorFeatureSettings) settings(), data, seeds);
      default -> new Hilp((HilpSettings) settings(), data, seeds);
    };
  }

  /** What the peer needs to know. */
  ObjectNode describe() {
    return Settings.toJson(settings()).put("agent", agent).put("phase", phase);
  }

  private Record settings() {
    return switch (agent) {
      case "psm" -> changed(FactoredPsmSettings.presets(ENVIRONMENT));
      case "fb" -> changed(ForwardBackwardSettings.presets(ENVIRONMENT));
      case "laplacian" -> changed(SuccessorFeatureSettings.presets(ENVIRONMENT));
      default -> changed(HilpSettings.presets(ENVIRONMENT));
    };
  }

  private <R extends Record> R changed(Map<String, R> presets) {
    List<String> changes = new ArrayList<>(size.changes());
    if (agent.equals("psm")) {
      changes.addAll(
          switch (phase) {
            case "proto" -> List.of("protoSteps=" + Integer.MAX_VALUE);
            case "successor" -> List.of("protoSteps=0");
            default -> List.of("schedule=interleaved");
          });
    }
    return Settings.override(presets.get(size.preset()), changes);
  }
}
