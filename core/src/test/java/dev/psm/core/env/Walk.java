package dev.psm.core.env;

import dev.psm.core.Seeds;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A random walk that costs nothing: steps add the action and some noise, and an episode ends after
 * as many steps as its start drew. Like an engine's simulation it knows its thread and is strict.
 */
final class Walk implements Environment<float[]> {
  /** This number as an action makes the step fail. */
  static final float POISON = 13;

  final Thread thread = Thread.currentThread();
  private final int index;
  private RandomGenerator random;
  private float place;
  private int left;
  boolean closed;

  Walk(int index) {
    this.index = index;
  }

  @Override
  public Start reset(long seed) {
    random = Seeds.generator(seed);
    return reset();
  }

  @Override
  public Start reset() {
    checkThread();
    place = random.nextFloat();
    left = 1 + random.nextInt(9);
    return new Start(observation(), Map.of());
  }

  @Override
  public Step step(float[] action) {
    checkThread();
    if (left == 0) {
      throw new IllegalStateException("over");
    }
    if (action[0] == POISON) {
      throw new ArithmeticException("walk " + index);
    }
    place += action[0] - action[1] + random.nextFloat();
    left--;
    boolean over = left == 0;
    boolean arrived = over && place > 1;
    return new Step(observation(), place / 2.0, arrived, over && !arrived, Map.of("left", left));
  }

  private float[] observation() {
    return new float[] {place, index, left};
  }

  private void checkThread() {
    if (closed || Thread.currentThread() != thread) {
      throw new IllegalStateException("walk %d is not for this thread".formatted(index));
    }
  }

  @Override
  public Space.Box observationSpace() {
    checkThread();
    return Space.Box.uniform(-100, 100, 3);
  }

  @Override
  public Space actionSpace() {
    checkThread();
    return Space.Box.uniform(-1, 1, 2);
  }

  @Override
  public double[] state() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setState(double[] state) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    checkThread();
    closed = true;
  }
}
