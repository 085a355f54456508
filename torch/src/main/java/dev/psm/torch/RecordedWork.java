package dev.psm.torch;

/**
 * Work that is done again and again: computed a few times, so that nothing is left to set up, then
 * recorded, and from then on replayed.
 */
public final class RecordedWork implements AutoCloseable {
  private static final int WARM_UP = 3;

  private final Runnable work;
  private final boolean recorded;
  private int computed;
  private Recording recording;

  /** How the work was done. */
  public enum Done {
    COMPUTED,
    /** Recorded just now, and then replayed for the first time. */
    RECORDED,
    REPLAYED
  }

  /**
   * @param recorded whether it is recorded at all, as it should be on a GPU, or computed every time
   */
  public RecordedWork(boolean recorded, Runnable work) {
    this.recorded = recorded;
    this.work = work;
  }

  public Done run() {
    if (recording != null) {
      recording.replay();
      return Done.REPLAYED;
    }
    if (recorded && computed >= WARM_UP) {
      recording = CudaGraph.record(work);
      recording.replay();
      return Done.RECORDED;
    }
    work.run();
    computed++;
    return Done.COMPUTED;
  }

  /** Kernels and copies of the recording; 0 before there is one. */
  public long kernels() {
    return recording == null ? 0 : recording.kernels();
  }

  /** Says that the work is not what it was: it is recorded anew. */
  public void forget() {
    if (recording != null) {
      recording.close();
    }
    recording = null;
    computed = 0;
  }

  @Override
  public void close() {
    forget();
  }
}
