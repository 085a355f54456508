package dev.psm.core.data;

/**
 * Room for a batch of transitions, made once and filled again and again. All arrays are row-major
 * and belong to the batch.
 */
public final class TransitionBatch {
  private final long[] rows;
  private final float[] observations;
  private final float[] actions;
  private final float[] discounts;
  private final float[] nextObservations;

  public TransitionBatch(int size, Columns columns) {
    rows = new long[size];
    observations = new float[Math.multiplyExact(size, columns.observation())];
    actions = new float[Math.multiplyExact(size, columns.action())];
    discounts = new float[size];
    nextObservations = new float[observations.length];
  }

  public int size() {
    return rows.length;
  }

  /**
   * The dataset's row of each transition's first state; that of the state entered is one more. A
   * row is as good as a hash of its state: it names it, and is the same in every batch.
   */
  public long[] rows() {
    return rows;
  }

  public float[] observations() {
    return observations;
  }

  public float[] actions() {
    return actions;
  }

  /** Of the step from the first state to the one entered. */
  public float[] discounts() {
    return discounts;
  }

  public float[] nextObservations() {
    return nextObservations;
  }
}
