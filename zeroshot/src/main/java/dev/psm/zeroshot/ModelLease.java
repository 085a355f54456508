package dev.psm.zeroshot;

import dev.psm.agents.control.ControlModel;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * A model that many threads compute with until somebody closes it. Its tensors are native memory:
 * freed while another thread reads them, they would take the whole process down.
 */
final class ModelLease implements AutoCloseable {
  private final ControlModel model;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  ModelLease(ControlModel model) {
    this.model = model;
  }

  /** For what needs no tensors: sizes, settings. */
  ControlModel get() {
    return model;
  }

  <T> T use(Function<ControlModel, T> work) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("the agent is closed; load it again");
      }
      return work.apply(model);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        model.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
