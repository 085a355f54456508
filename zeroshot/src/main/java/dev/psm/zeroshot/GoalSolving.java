package dev.psm.zeroshot;

import dev.psm.agents.Model;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Policies that go to states: one, many at once, or one after the other. A model whose features are
 * distances has no task for a goal, but a direction from where it is.
 */
final class GoalSolving {
  private final ModelLease model;
  private final World world;
  private final PromptFeatures features;

  GoalSolving(ModelLease model, World world, PromptFeatures features) {
    this.model = model;
    this.world = world;
    this.features = features;
  }

  ZeroShotPolicy one(float[] goal) {
    requireGoal(goal);
    return goal.length == model.get().goalSize()
        ? reaching(features.ofGoals(goal))
        : reaching(features.ofAchieved(goal));
  }

  /** Refuses what is neither a goal nor an observation. */
  void requireGoal(float[] goal) {
    Objects.requireNonNull(goal, "goal");
    int size = model.get().goalSize();
    int whole = world.observationSize();
    if (goal.length != size && goal.length != whole) {
      throw UserError.invalid(
          "expected %s, found %s",
          size == whole
              ? "an observation of %s as the goal, %d numbers".formatted(world.name(), whole)
              : "a goal of %s, %d numbers, or an observation, %d"
                  .formatted(world.name(), size, whole),
          Wording.count(goal.length, "number"));
    }
  }

  /** From an observation for each goal, row by row, to the actions. */
  UnaryOperator<float[]> many(float[] goals) {
    Objects.requireNonNull(goals, "goals");
    int size = model.get().goalSize();
    if (goals.length == 0 || goals.length % size != 0) {
      throw UserError.invalid(
          "a goal of %s has %s; expected some goals, found %d numbers",
          world.name(), Wording.count(size, "number"), goals.length);
    }
    int count = goals.length / size;
    float[] phi = features.ofGoals(goals);
    if (model.get().goalsAreDirections()) {
      return checked(
          count,
          observations -> model.use(m -> m.act(observations, directions(m, phi, observations))));
    }
    float[] sampled = features.ofSample();
    float[] tasks = model.use(m -> m.goalVectors(sampled, phi));
    return checked(count, observations -> model.use(m -> m.act(observations, tasks)));
  }

  private UnaryOperator<float[]> checked(int goals, UnaryOperator<float[]> policy) {
    int numbers = goals * model.get().observationSize();
    return observations -> {
      Objects.requireNonNull(observations, "observations");
      if (observations.length != numbers) {
        throw new IllegalArgumentException(
            "observations of %d goals have %d numbers, found %d"
                .formatted(goals, numbers, observations.length));
      }
      ZeroShotPolicy.requireTaken("observations", observations, model.get());
      float[] actions = policy.apply(observations);
      ZeroShotPolicy.requireFinite("actions", actions);
      return actions;
    };
  }

  private static float[] directions(Model model, float[] goals, float[] observations) {
    int d = model.featureDimension();
    int width = model.observationSize();
    int count = observations.length / width;
    float[] tasks = new float[count * model.taskSize()];
    for (int row = 0; row < count; row++) {
      float[] one =
          model.direction(
              Arrays.copyOfRange(goals, row * d, (row + 1) * d),
              Arrays.copyOfRange(observations, row * width, (row + 1) * width));
      System.arraycopy(one, 0, tasks, row * one.length, one.length);
    }
    return tasks;
  }

  /** Follows states: at every step towards the mean features of those that come next. */
  ZeroShotPolicy following(float[] observations, int window) {
    Objects.requireNonNull(observations, "observations");
    int count = observations.length / world.observationSize();
    features.requireRows(observations, count);
    if (count < 2 || window < 1) {
      throw UserError.invalid(
          "a demonstration needs at least 2 states and a window of at least 1, found %d and %d",
          count, window);
    }
    float[] phi = features.ofGoals(model.use(m -> m.achieved(observations)));
    int d = model.get().featureDimension();
    int steps = count - 1;
    float[] ahead = new float[steps * d];
    for (int step = 0; step < steps; step++) {
      int end = (int) Math.min(count, step + 1L + window);
      for (int state = step + 1; state < end; state++) {
        for (int i = 0; i < d; i++) {
          ahead[step * d + i] += phi[state * d + i] / (end - step - 1);
        }
      }
    }
    return reaching(ahead);
  }

  /** States that are to be reached one after the other: features, states × d. */
  private ZeroShotPolicy reaching(float[] goals) {
    // All at once, since the least-squares methods solve one system for them.
    boolean directions = model.get().goalsAreDirections();
    float[] vectors = goals;
    if (!directions) {
      float[] phi = features.ofSample();
      vectors = model.use(m -> m.goalVectors(phi, goals));
    }
    int size = directions ? model.get().featureDimension() : model.get().taskSize();
    float[][] tasks = new float[vectors.length / size][];
    for (int step = 0; step < tasks.length; step++) {
      tasks[step] = Arrays.copyOfRange(vectors, step * size, (step + 1) * size);
    }
    return directions
        ? ZeroShotPolicy.towards(model, world, tasks)
        : ZeroShotPolicy.pursuing(model, world, tasks);
  }
}
