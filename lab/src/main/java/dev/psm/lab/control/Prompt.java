package dev.psm.lab.control;

import dev.psm.core.reward.Task;
import java.util.Optional;

/** What a user asks of an agent. */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface Prompt {
  /** In one word. */
  String kind();

  ZeroShotPolicy solve(ZeroShotAgent agent);

  /** What acting is paid by, where that is known in every state. */
  default Task task() {
    return Task.unpaid(kind());
  }

  /** A task of the environment or a formula. */
  record Reward(Task task) implements Prompt {
    @Override
    public String kind() {
      return "reward";
    }

    @Override
    public ZeroShotPolicy solve(ZeroShotAgent agent) {
      return agent.solve(task);
    }
  }

  /** A state to reach. */
  record Goal(float[] observation) implements Prompt {
    @Override
    public String kind() {
      return "goal";
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
   * @param start the physics of the first state, where they are known
   */
  record Demonstration(float[] observations, int window, Optional<double[]> start)
      implements Prompt {
    @Override
    public String kind() {
      return "demonstration";
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
   */
  record Samples(float[] observations, double[] rewards) implements Prompt {
    @Override
    public String kind() {
      return "samples";
    }

    @Override
    public ZeroShotPolicy solve(ZeroShotAgent agent) {
      return agent.solveSamples(observations, rewards);
    }
  }
}
