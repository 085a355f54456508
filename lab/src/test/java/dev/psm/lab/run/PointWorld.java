package dev.psm.lab.run;

import dev.psm.core.env.Environment;
import dev.psm.core.env.EpisodeGoal;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A point on a plane that moves by 1 along an axis or stays, and a goal per episode: whole numbers
 * from −3 to 3. It is observed with how many steps it has made, of which goals do not speak.
 */
final class PointWorld implements World {
  static final int STEPS = 4;
  static final int STAY = 4;

  private static final Quantity X = new Quantity("x", "m", "place, to the right");
  private static final Quantity Y = new Quantity("y", "m", "place, upward");
  private static final Quantity GOAL_X = new Quantity("goal_x", "m", "the goal, to the right");
  private static final Quantity GOAL_Y = new Quantity("goal_y", "m", "the goal, upward");
  private static final Quantity DISTANCE = new Quantity("distance_to_goal", "m", "how far it is");
  static final EpisodeGoal GOAL = new EpisodeGoal(List.of(GOAL_X, GOAL_Y), DISTANCE, 0.5);

  private final int blowsUpAt;
  private final boolean drawsGoals;

  PointWorld() {
    this(Integer.MAX_VALUE);
  }

  /**
   * @param blowsUpAt the step in which simulations of goals to the right blow up
   */
  PointWorld(int blowsUpAt) {
    this(blowsUpAt, true);
  }

  private PointWorld(int blowsUpAt, boolean drawsGoals) {
    this.blowsUpAt = blowsUpAt;
    this.drawsGoals = drawsGoals;
  }

  /** The same for whoever does not know that episodes draw goals. */
  static PointWorld withoutEpisodeGoals() {
    return new PointWorld(Integer.MAX_VALUE, false);
  }

  @Override
  public String name() {
    return "point";
  }

  @Override
  public String title() {
    return "a point on a plane";
  }

  @Override
  public int observationSize() {
    return 3;
  }

  @Override
  public Space actionSpace() {
    return new Space.Discrete(5);
  }

  @Override
  public int episodeSteps() {
    return STEPS;
  }

  @Override
  public List<Quantity> quantities() {
    return List.of(X, Y, GOAL_X, GOAL_Y, DISTANCE);
  }

  @Override
  public List<Task> tasks() {
    return List.of(
        new Task(
            "reach",
            "-1 away from the goal",
            "distance_to_goal <= 0.5 ? 0 : -1",
            state -> state.get(DISTANCE) <= 0.5 ? 0 : -1));
  }

  @Override
  public int[] achievedGoal() {
    return new int[] {0, 1};
  }

  @Override
  public Optional<EpisodeGoal> episodeGoal() {
    return drawsGoals ? Optional.of(GOAL) : Optional.empty();
  }

  @Override
  public Environment open() {
    return new Point();
  }

  private final class Point implements Environment {
    private final double[] place = new double[2];
    private final double[] goal = new double[2];
    private int steps;

    @Override
    public float[] reset(RandomGenerator random) {
      steps = 0;
      for (int axis = 0; axis < 2; axis++) {
        place[axis] = 0;
        goal[axis] = random.nextInt(7) - 3;
      }
      return observation();
    }

    private float[] observation() {
      return new float[] {(float) place[0], (float) place[1], steps};
    }

    @Override
    public Step step(float[] action) {
      steps++;
      if (steps == blowsUpAt && goal[0] > 0) {
        float[] last = observation();
        place[0] = Double.NaN;
        return new Step(last, false, true, true);
      }
      int number = (int) action[0];
      if (number < STAY) {
        place[number % 2] += number < 2 ? 1 : -1;
      }
      return new Step(observation(), false, steps == STEPS);
    }

    @Override
    public void replaceGoal(double[] wanted) {
      System.arraycopy(wanted, 0, goal, 0, 2);
    }

    @Override
    public double get(Quantity quantity) {
      if (quantity.equals(DISTANCE)) {
        return Math.hypot(place[0] - goal[0], place[1] - goal[1]);
      }
      double[] of = quantity.equals(GOAL_X) || quantity.equals(GOAL_Y) ? goal : place;
      return of[quantity.equals(X) || quantity.equals(GOAL_X) ? 0 : 1];
    }
  }
}
