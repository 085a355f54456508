package dev.psm.agents;

import java.util.List;

/** Complete settings of an agent, a record. */
public interface AgentSettings {
  int gradientSteps();

  double discount();

  /**
   * Whether no step depends on which one is the last, so that a run may go on beyond its end. Not
   * so where learning rates decay until then.
   */
  boolean isOpenEnded();

  /**
   * What changes with the number of gradient steps, as {@code key=value}: the phases of an agent
   * keep their shares, and one that there was does not vanish.
   */
  default List<String> stretched(int gradientSteps) {
    return List.of("gradientSteps=" + gradientSteps);
  }

  /** The length of a phase when all steps become {@code gradientSteps}. */
  default long stretched(long phaseSteps, int gradientSteps) {
    long share = phaseSteps * gradientSteps / gradientSteps();
    return phaseSteps == 0 ? 0 : Math.max(1, share);
  }

  /** Refuses settings under which the agent would never learn to act. */
  default void requireUseful() {}
}
