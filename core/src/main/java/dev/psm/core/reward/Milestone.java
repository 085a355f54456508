package dev.psm.core.reward;

/**
 * Something that holds in a state or does not, and tells how far an episode of a task has come,
 * which its return does not.
 *
 * @param name a few words, as in "within 3 cm"
 * @param condition in the reward language
 * @param value the same: it holds where this is not 0
 */
public record Milestone(String name, String condition, Reward value) {
  /** Not where the condition is no number. */
  public boolean holds(Readings readings) {
    return Math.abs(value.of(readings)) > 0;
  }
}
