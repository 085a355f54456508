package dev.psm.lab.run;

import dev.psm.agents.Agent;
import dev.psm.agents.AgentSettings;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;

/**
 * What is done how often in a run, counted in gradient steps; all of it once more after the last.
 *
 * @param episodes per task and evaluation, or goals per evaluation
 * @param keep checkpoints that stay, the newest
 */
public record Cadence(
    int logEvery, int evaluateEvery, int episodes, int checkpointEvery, int keep) {
  public static final int EPISODES = 10;
  public static final int GOALS = 100;
  public static final int CHECKPOINT_EVERY = 5000;
  public static final int KEEP = 2;

  public Cadence {
    require("logEvery", logEvery);
    require("evaluateEvery", evaluateEvery);
    require("episodes", episodes);
    require("checkpointEvery", checkpointEvery);
    require("keep", keep);
  }

  /** What suits a run of an agent in a world. */
  public static Cadence usual(Agent agent, Record settings, World world) {
    int steps = ((AgentSettings) settings).gradientSteps();
    return new Cadence(
        logEvery(steps),
        evaluateEvery(steps, world),
        Grade.of(agent, world).episodes(),
        checkpointEvery(steps, world),
        KEEP);
  }

  /** Of a study's run, whose curve is to have points of its own choice. */
  public static Cadence ofStudy(int gradientSteps, int evaluateEvery, int episodes) {
    return new Cadence(logEvery(gradientSteps), evaluateEvery, episodes, CHECKPOINT_EVERY, KEEP);
  }

  /** Fifty points of every curve, and one each 500 steps of a longer run. */
  public static int logEvery(int gradientSteps) {
    return Math.max(1, Math.min(500, gradientSteps / 50));
  }

  /**
   * Ten evaluations in all; where they are played, fewer in a short run, which would do little
   * else.
   */
  public static int evaluateEvery(int gradientSteps, World world) {
    int tenth = Math.max(1, gradientSteps / 10);
    return world instanceof FiniteWorld ? tenth : Math.max(1000, tenth);
  }

  /** Runs of finite worlds are short, and their steps long. */
  public static int checkpointEvery(int gradientSteps, World world) {
    return world instanceof FiniteWorld ? Math.max(1, gradientSteps / 10) : CHECKPOINT_EVERY;
  }

  private static void require(String name, int value) {
    if (value < 1) {
      throw UserError.argument(name, "must be at least 1, found %d", value);
    }
  }
}
