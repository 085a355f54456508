package dev.psm.agents.training;

/** The random inputs of a gradient step. Each has a stream of its own, whatever else is drawn. */
public enum Draw {
  /** Rows of the data, each the first state of a transition: seeds × batch. */
  ROWS,

  /** Rows of the data, each the first state of several transitions of an episode: seeds × batch. */
  WINDOWS,

  /** Rows of the data, each the first state of a transition into a column's: seeds × columns. */
  COLUMNS,

  /** Codes of the codebook, one per row: seeds × batch. */
  CODES,

  /** Rows of the data that serve as goals of the sampled rows: seeds × batch. */
  GOALS,

  /** Standard normal numbers that become directions of task vectors: seeds × batch × d. */
  TASK_NOISE,

  /** 1 where a task vector is a state's features instead, else 0: seeds × batch × 1. */
  MIXED,

  /** A permutation of the batch, for those states: seeds × batch. */
  PERMUTATION,

  /**
   * Numbers uniform on [0, 1) that make random rewards: seeds × batch × {@link #REWARD_NUMBERS}.
   */
  REWARDS,

  /** Standard normal numbers for the actions in entered states: seeds × batch × actions. */
  NEXT_NOISE,

  /** Standard normal numbers for the actions the actor is judged by: seeds × batch × actions. */
  ACTOR_NOISE;

  /** How many {@link #REWARDS} has per row. */
  public static final int REWARD_NUMBERS = 7;
}
