package dev.psm.spark;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** Does something when a worker has taken the first task: a listener that Spark makes by name. */
public final class FirstTask extends SparkListener {
  static final AtomicReference<Runnable> BEGUN = new AtomicReference<>();

  @Override
  public void onTaskStart(SparkListenerTaskStart event) {
    Runnable once = BEGUN.getAndSet(null);
    if (once != null) {
      once.run();
    }
  }
}
