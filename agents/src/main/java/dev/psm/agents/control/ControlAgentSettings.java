package dev.psm.agents.control;

import dev.psm.agents.AgentSettings;
import dev.psm.agents.Decay;

/** Complete settings of an agent for continuous actions: those that all have, and its own. */
public interface ControlAgentSettings extends AgentSettings {
  ControlSettings common();

  @Override
  default int gradientSteps() {
    return common().gradientSteps();
  }

  @Override
  default double discount() {
    return common().discount();
  }

  @Override
  default boolean isOpenEnded() {
    return common().decay() == Decay.NONE;
  }
}
