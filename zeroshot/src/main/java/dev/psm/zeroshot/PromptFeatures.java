package dev.psm.zeroshot;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import java.util.DoubleSummaryStatistics;
import java.util.Optional;
import java.util.stream.IntStream;

/** φ of an agent's sample, and of states that a user wrote down, who may have written anything. */
final class PromptFeatures {
  private final ModelLease model;
  private final World world;
  private final InferenceSample sample;
  private float[] ofSample;

  PromptFeatures(ModelLease model, World world, InferenceSample sample) {
    this.model = model;
    this.world = world;
    this.sample = sample;
  }

  /** Not a copy: computed once, since every reward needs it. */
  synchronized float[] ofSample() {
    if (ofSample == null) {
      ofSample = model.use(m -> m.features(sample.observations()));
    }
    return ofSample;
  }

  /** Of observations, one after the other: count × features. */
  float[] of(float[] observations) {
    int[] columns = wholeObservation();
    float[] phi = model.use(m -> m.features(observations));
    requireTaken(observations, columns);
    return finite(phi, observations, columns);
  }

  /** Of goals: count × features. */
  float[] ofGoals(float[] goals) {
    int[] columns = model.get().goalColumns();
    requireTaken(goals, columns);
    return finite(model.use(m -> m.goalFeatures(goals)), goals, columns);
  }

  /** Of the goal that a whole observation is an instance of. */
  float[] ofAchieved(float[] observation) {
    requireTaken(observation, wholeObservation());
    return ofGoals(model.use(m -> m.achieved(observation)));
  }

  private int[] wholeObservation() {
    return IntStream.range(0, world.observationSize()).toArray();
  }

  /** In words, how a goal lies far outside the sample; see {@link ZeroShotAgent#outsideData}. */
  Optional<String> outsideData(float[] goal) {
    int[] columns = model.get().goalColumns();
    for (int i = 0; i < columns.length; i++) {
      float wanted = goal[goal.length == columns.length ? i : columns[i]];
      DoubleSummaryStatistics known = sample.range(columns[i], world.observationSize());
      double beyond = Math.max(known.getMin() - wanted, wanted - known.getMax());
      if (beyond > (known.getMax() - known.getMin()) / 4) {
        return Optional.of(
            Wording.format(
                "the goal lies far outside the data: its number %d (from 0) is %.4g, and what was"
                    + " learned from has %.4g to %.4g there; nothing is known of such states",
                i, wanted, known.getMin(), known.getMax()));
      }
    }
    return Optional.empty();
  }

  void requireRows(float[] observations, int rows) {
    if (rows < 1) {
      throw UserError.invalid(
          "expected at least one observation of %s, %s, found %s",
          world.name(),
          Wording.count(world.observationSize(), "number"),
          Wording.count(observations.length, "number"));
    }
    if (observations.length != (long) rows * world.observationSize()) {
      throw UserError.invalid(
          "an observation of %s has %d numbers; expected %d of them, found %d numbers",
          world.name(), world.observationSize(), rows, observations.length);
    }
  }

  /** The features of numbers that are too large may be finite all the same. */
  private void requireTaken(float[] prompt, int[] columns) {
    int wrong = model.get().firstNotTaken(prompt);
    if (wrong >= 0) {
      throw beyond(prompt, wrong / columns.length, columns);
    }
  }

  /**
   * @param columns which numbers of an observation a prompt's rows consist of
   */
  private float[] finite(float[] phi, float[] prompt, int[] columns) {
    int d = model.get().featureDimension();
    for (int i = 0; i < phi.length; i++) {
      if (!Float.isFinite(phi[i])) {
        throw beyond(prompt, i / d, columns);
      }
    }
    return phi;
  }

  /** Names the largest number of a row; a NaN counts as such. */
  private UserError beyond(float[] prompt, int row, int[] columns) {
    int width = columns.length;
    int worst = 0;
    for (int i = 1; i < width; i++) {
      float found = Math.abs(prompt[row * width + i]);
      // For compare a NaN is the largest of all.
      if (Float.compare(found, Math.abs(prompt[row * width + worst])) > 0) {
        worst = i;
      }
    }
    DoubleSummaryStatistics known = sample.range(columns[worst], world.observationSize());
    return UserError.invalid(
        "number %d of observation %d (both from 0) is %s, which the agent's networks cannot take;"
            + " in its data that number is between %.4g and %.4g",
        worst, row, prompt[row * width + worst], known.getMin(), known.getMax());
  }
}
