package dev.psm.agents.discrete;

/** What is bootstrapped from where two heads differ. */
public enum Bootstrap {
  /** The mean of both. */
  MEAN,

  /** The smaller one of every pair. */
  SMALLER
}
