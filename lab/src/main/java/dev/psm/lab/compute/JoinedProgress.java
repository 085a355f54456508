package dev.psm.lab.compute;

import dev.psm.core.Wording;
import dev.psm.lab.Progress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The progress of several tasks at once as one bar: how many are done, and how far those are that
 * are under way.
 */
final class JoinedProgress implements Progress, AutoCloseable {
  private final Bar bar;
  private final Map<Object, Double> underWay = new LinkedHashMap<>();
  private long done;

  JoinedProgress(Progress progress, String label, long tasks) {
    bar = progress.start(label, tasks);
  }

  /** A task came to its end. */
  synchronized void ended() {
    done++;
    show();
  }

  @Override
  public Bar start(String label, long total) {
    return new Bar() {
      @Override
      public void update(long finished, String note) {
        tell(this, (double) finished / Math.max(1, total));
      }

      @Override
      public void close() {
        forget(this);
      }
    };
  }

  private synchronized void tell(Object task, double share) {
    underWay.put(task, share);
    show();
  }

  private synchronized void forget(Object task) {
    underWay.remove(task);
  }

  private void show() {
    bar.update(
        done,
        underWay.values().stream()
            .map(share -> Wording.format("%.0f %%", 100 * share))
            .collect(Collectors.joining(", ")));
  }

  @Override
  public synchronized void close() {
    bar.close();
  }
}
