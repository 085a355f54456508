package dev.psm.core.env;

import dev.psm.core.reward.Quantity;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A random walk that costs nothing: steps add the action and some noise, and an episode ends after
 * as many steps as its start drew. Like an engine's simulation it knows its thread and is strict.
 */
final class Walk implements Environment {
  /** This number as an action makes the step fail. */
  static final float POISON = 13;

  static final Quantity HALF = new Quantity("half", "1", "half of the place");

  /** What is known of it without opening one. */
  static final World WORLD =
      new World() {
        @Override
        public String name() {
          return "walk";
        }

        @Override
        public String title() {
          return "random walk";
        }

        @Override
        public int observationSize() {
          return 3;
        }

        @Override
        public Space actionSpace() {
          return Space.Box.uniform(-1, 1, 2);
        }

        @Override
        public int episodeSteps() {
          return 9;
        }

        @Override
        public List<Quantity> quantities() {
          return List.of(HALF);
        }

        @Override
        public Environment open() {
          return new Walk(0);
        }
      };

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
  public float[] reset(RandomGenerator chance) {
    checkThread();
    random = chance;
    place = random.nextFloat();
    left = 1 + random.nextInt(9);
    return observation();
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
    return new Step(observation(), arrived, over && !arrived);
  }

  @Override
  public double get(Quantity quantity) {
    return place / 2.0;
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
  public void close() {
    checkThread();
    closed = true;
  }
}
