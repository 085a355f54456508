package dev.psm.lab;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import java.util.List;

/** Somewhere to take states from, to try a reward on. */
public interface StateSource {
  /** For a person: how many states of what. */
  String description();

  /** Those quantities in each of the states. */
  QuantityTable measure(List<Quantity> quantities);
}
