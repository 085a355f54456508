package dev.psm.zeroshot;

import dev.psm.agents.Model;
import dev.psm.agents.control.ControlGraphs;
import dev.psm.agents.control.ControlModel;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.ActionScaling;
import dev.psm.core.env.World;
import dev.psm.core.io.onnx.OnnxGraph;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * What a prompt became: a policy that acts on observations. For a reward its task vector is always
 * the same; for a demonstration it moves on with every step; and for an agent whose features are
 * distances, a goal's is the direction from where it is.
 *
 * <p>Any number of threads may act by the policy of a reward, a goal or samples at the same time:
 * what it answers depends on the observation alone. The policy that follows a demonstration counts
 * the steps, so it is for one episode at a time and for one thread; give every episode its own, or
 * {@link #restart} it.
 */
public final class ZeroShotPolicy {
  private final ModelLease model;
  private final Optional<ActionScaling> units;
  private final float[][] tasks;
  private final boolean towards;
  private int step;

  private ZeroShotPolicy(ModelLease model, World world, float[][] tasks, boolean towards) {
    this.model = model;
    this.units = ActionScaling.of(world);
    this.tasks = tasks;
    this.towards = towards;
  }

  /** Pursues task vectors, one per step; the last one stays. */
  static ZeroShotPolicy pursuing(ModelLease model, World world, float[]... tasks) {
    return new ZeroShotPolicy(model, world, tasks, false);
  }

  /** Goes to states whose features are given, one per step; the last one stays. */
  static ZeroShotPolicy towards(ModelLease model, World world, float[]... goals) {
    return new ZeroShotPolicy(model, world, goals, true);
  }

  /**
   * The action for an observation, in the world's {@link World#actionUnits}: usually a vector in
   * [−1, 1], or one number, which of the actions, where they are numbered.
   */
  public float[] act(float[] observation) {
    float[] action = actUnscaled(observation);
    return units.map(scaling -> scaling.toUnits(action)).orElse(action);
  }

  /** After how many steps its task stays the same: 1 unless it follows a demonstration. */
  public int steps() {
    return tasks.length;
  }

  /**
   * The actions for observations at a step, row by row. It counts no steps, so any number of
   * threads may ask for whichever they are at. One observation alone has the very action of {@link
   * #act(float[])}; among others it may differ by rounding.
   *
   * @param step from 0; past the last one, that one stays
   */
  public float[] act(float[] observations, int step) {
    int size = model.get().observationSize();
    int count = requireRows(observations, size);
    requireTaken("observations", observations, model.get());
    if (step < 0) {
      throw new IllegalArgumentException("steps count from 0, found step " + step);
    }
    float[] task = tasks[Math.min(step, tasks.length - 1)];
    float[] actions =
        model.use(
            m -> {
              float[] each = new float[count * m.taskSize()];
              for (int row = 0; row < count; row++) {
                float[] own =
                    towards
                        ? m.direction(
                            task, Arrays.copyOfRange(observations, row * size, (row + 1) * size))
                        : task;
                System.arraycopy(own, 0, each, row * own.length, own.length);
              }
              return m.act(observations, each);
            });
    requireFinite("actions", actions);
    return units.map(scaling -> scaling.toUnits(actions)).orElse(actions);
  }

  /** The same in [−1, 1]. */
  public float[] actUnscaled(float[] observation) {
    int size = model.get().observationSize();
    Objects.requireNonNull(observation, "observation");
    if (observation.length != size) {
      throw new IllegalArgumentException(
          "an observation has %d numbers, found %d".formatted(size, observation.length));
    }
    requireTaken("observation", observation, model.get());
    float[] task = tasks[step];
    // Only a demonstration has a next one, so nothing else is ever written here.
    if (step < tasks.length - 1) {
      step++;
    }
    float[] action =
        model.use(m -> m.act(observation, towards ? m.direction(task, observation) : task));
    // A damaged model's weights may be finite and too large.
    requireFinite("action", action);
    return action;
  }

  /** Refuses what the networks cannot take: it is the one door for whatever is acted on. */
  static void requireTaken(String what, float[] numbers, Model model) {
    int wrong = model.firstNotTaken(numbers);
    if (wrong >= 0) {
      throw new IllegalArgumentException(
          Wording.format(
              "number %d (from 0) of the %s must be finite and at most %.2g in size, found %s",
              wrong, what, model.largestInput(), numbers[wrong]));
    }
  }

  /** How many observations they are, one after the other. */
  static int requireRows(float[] observations, int size) {
    Objects.requireNonNull(observations, "observations");
    if (observations.length == 0 || observations.length % size != 0) {
      throw new IllegalArgumentException(
          "an observation has %d numbers; expected those of one or more, found %d numbers"
              .formatted(size, observations.length));
    }
    return observations.length / size;
  }

  static void requireFinite(String what, float[] numbers) {
    for (int i = 0; i < numbers.length; i++) {
      if (!Float.isFinite(numbers[i])) {
        throw new IllegalArgumentException(
            "number %d (from 0) of the %s must be finite, found %s".formatted(i, what, numbers[i]));
      }
    }
  }

  /** What {@link #actUnscaled} computes, for other programs. */
  public OnnxGraph graph() {
    if (tasks.length > 1) {
      throw UserError.invalid(
              "a demonstration is pursued by a task vector that changes with every step, which an"
                  + " ONNX graph cannot count; give a reward, a goal or samples, or take the"
                  + " actor's graph and change its input 'task' as you go")
          .with(Remedy.EXPORT_ACTOR);
    }
    requireGraphs(model.get());
    return model.use(
        m ->
            towards
                ? ControlGraphs.policyTowards((ControlModel) m, tasks[0])
                : ControlGraphs.policy((ControlModel) m, tasks[0]));
  }

  /** Refuses in words a model of which there are no ONNX graphs. */
  public static ControlModel requireGraphs(Model model) {
    if (model instanceof ControlModel control) {
      return control;
    }
    throw model instanceof FiniteModel
        ? UserError.invalid(
            "the policy of a world of few states is a table of actions, one for every state, which"
                + " needs no ONNX graph")
        : UserError.invalid(
            "ONNX graphs are of agents whose actor gives vectors as actions; this one compares the"
                + " values of numbered actions");
  }

  /** Begins a demonstration anew; of no effect where there is none. */
  public void restart() {
    step = 0;
  }

  /**
   * The task vector in use, or the one a demonstration begins with; of a policy that goes towards
   * states, the features of the first.
   */
  public float[] taskVector() {
    return tasks[0].clone();
  }
}
