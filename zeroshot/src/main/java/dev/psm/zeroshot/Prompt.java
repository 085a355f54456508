package dev.psm.zeroshot;

import dev.psm.core.reward.Task;
import java.util.Optional;

/** What a user asks of an agent. */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface Prompt {
  /** In one word. */
  String kind();

  ZeroShotPolicy solve(ZeroShotAgent agent);

  /** In a few words, for a picture. */
  String title();

  /** What acting is paid by, where that is known in every state. */
  default Task task() {
    return Task.unpaid(title());
  }

  /** A task of the environment or a formula. */
  record Reward(Task task) implements Prompt {
    @Override
    public String kind() {
      return "reward";
    }

    @Override
    public String title() {
      return task.name();
    }

    @Override
    public ZeroShotPolicy solve(ZeroShotAgent agent) {
      return agent.solve(task);
    }
  }

  /**
   * A state to reach.
   *
   * @param observation of it, or those of its numbers that goals speak of
   * @param source where it comes from, in a few words
   * @param physics of the state, where they are known
   */
  record Goal(float[] observation, String source, Optional<double[]> physics) implements Prompt {
    @Override
    public String kind() {
      return "goal";
    }

    @Override
    public String title() {
      return "goal: " + source;
    }

    @Override
    public ZeroShotPolicy solve(ZeroShotAgent agent) {
      return agent.solveGoal(observation);
    }
  }

  /**
   * States to follow.
   *
   * @param observations states × observation
   * @param window how many states ahead the agent looks
   * @param source where they come from, in a few words
   * @param physics of the states, where they are known: states × physics
   */
  record Demonstration(float[] observations, int window, String source, Optional<double[]> physics)
      implements Prompt {
    @Override
    public String kind() {
      return "demonstration";
    }

    @Override
    public String title() {
      return "demonstration: " + source;
    }

    @Override
    public ZeroShotPolicy solve(ZeroShotAgent agent) {
      return agent.track(observations, window);
    }
  }

  /**
   * States and what they pay; of other states nothing is known.
   *
   * @param observations states × observation
   * @param source where they come from, in a few words
   */
  record Samples(float[] observations, double[] rewards, String source) implements Prompt {
    @Override
    public String kind() {
      return "samples";
    }

    @Override
    public String title() {
      return "samples: " + source;
    }

    @Override
    public ZeroShotPolicy solve(ZeroShotAgent agent) {
      return agent.solveSamples(observations, rewards);
    }
  }

  /**
   * A task vector that was found elsewhere.
   *
   * @param task what it was found for
   */
  record Vector(Task task, float[] vector) implements Prompt {
    @Override
    public String kind() {
      return "vector";
    }

    @Override
    public String title() {
      return task.name();
    }

    @Override
    public ZeroShotPolicy solve(ZeroShotAgent agent) {
      return agent.solveVector(vector);
    }
  }
}
