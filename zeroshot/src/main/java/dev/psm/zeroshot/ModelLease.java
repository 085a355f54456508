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
  private final State state;

  /** What a model and its views share. */
  private static final class State {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Model owner;
    private boolean closed;

    State(Model owner) {
      this.owner = owner;
    }
  }

  private ModelLease(Model model, State state) {
    this.model = model;
    this.state = state;
  }

  ModelLease(Model model) {
    this(model, new State(model));
  }

  /** Of a view of the same model: they are closed together. */
  ModelLease of(Model view) {
    return new ModelLease(view, state);
  }

  /** For what needs no tensors: sizes, settings. */
  Model get() {
    return model;
  }

  <T> T use(Function<Model, T> work) {
    state.lock.readLock().lock();
    try {
      if (state.closed) {
        throw new IllegalStateException("the agent is closed; load it again");
      }
      return work.apply(model);
    } finally {
      state.lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    state.lock.writeLock().lock();
    try {
      if (!state.closed) {
        state.closed = true;
        state.owner.close();
      }
    } finally {
      state.lock.writeLock().unlock();
    }
  }
}
