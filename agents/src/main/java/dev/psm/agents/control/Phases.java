package dev.psm.agents.control;

/**
 * Which part of an agent learns when: its features, or policies in them.
 *
 * @param featureSteps of the first of two phases
 * @param gradientSteps in all
 */
record Phases(FactoredPsmSettings.Schedule schedule, int featureSteps, int gradientSteps) {

  /** What one gradient step learns. */
  enum Phase {
    FEATURES,
    POLICIES,
    BOTH;

    boolean learnsFeatures() {
      return this != POLICIES;
    }

    boolean learnsPolicies() {
      return this != FEATURES;
    }
  }

  Phase at(long step) {
    if (schedule == FactoredPsmSettings.Schedule.INTERLEAVED) {
      return Phase.BOTH;
    }
    return step < featureSteps ? Phase.FEATURES : Phase.POLICIES;
  }

  /** How far a step is in the decay of the rates, from 0 to 1: each phase has a whole one. */
  double progress(long step) {
    return switch (at(step)) {
      case BOTH -> Math.min(1, (double) step / gradientSteps);
      case FEATURES -> (double) step / featureSteps;
      case POLICIES -> Math.min(1, (double) (step - featureSteps) / (gradientSteps - featureSteps));
    };
  }
}
