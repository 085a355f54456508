package dev.psm.core.reward;

import java.util.function.ToDoubleFunction;

/**
 * A named reward.
 *
 * @param meaning one sentence for a person: what is paid
 * @param reward of one state
 */
public record Task(String name, String meaning, ToDoubleFunction<Readings> reward) {
  public double reward(Readings readings) {
    return reward.applyAsDouble(readings);
  }
}
