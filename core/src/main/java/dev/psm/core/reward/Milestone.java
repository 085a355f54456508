package dev.psm.core.reward;

import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.Vocabulary;

/**
 * Something that holds in a state or does not, and tells how far an episode of a task has come,
 * which its return does not.
 *
 * @param name a few words, as in "within 3 cm"
 * @param condition holds where it is not 0
 */
public record Milestone(String name, Formula condition) {
  public static Milestone of(String name, String condition, Vocabulary vocabulary) {
    return new Milestone(name, Formula.parse(condition, vocabulary));
  }

  /** Not where the condition is no number. */
  public boolean holds(Readings readings) {
    return Math.abs(condition.value(readings)) > 0;
  }
}
