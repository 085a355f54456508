package dev.psm.zeroshot;

import dev.psm.agents.Model;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * A model that many threads compute with until somebody closes it. Its tensors are native memory:
 * freed while another thread reads them, they would take the whole process down.
 */
final class ModelLease implements AutoCloseable {
  private final Model model;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  ModelLease(Model model) {
    this.model = model;
  }

  /** For what needs no tensors: sizes, settings. */
  Model get() {
    return model;
  }

  <T> T use(Function<Model, T> work) {
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
