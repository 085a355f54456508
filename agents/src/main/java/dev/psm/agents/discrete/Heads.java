package dev.psm.agents.discrete;

/** What is bootstrapped from where two heads differ. */
public enum Heads {
  /** The mean of both. */
  MEAN,

  /** The smaller one of every pair. */
  SMALLER
}
