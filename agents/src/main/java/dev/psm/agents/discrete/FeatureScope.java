package dev.psm.agents.discrete;

/**
 * What features tell apart of entered states s⁺. The published Forward-Backward for goals has
 * features of the goal alone; whoever wants rewards of more than goals speak of needs both.
 */
public enum FeatureScope {
  /** Goals alone: all states that are the same goal have the same features. */
  GOALS,

  /** Whole states, and goals beside them. */
  BOTH
}
