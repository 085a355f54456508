package dev.psm.core.reward;

/** The quantities of one state, measured when asked for. */
@FunctionalInterface
public interface Readings {
  double get(Quantity quantity);
}
