package org.example.pendulum;

import dev.psm.core.env.Environment;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.nio.file.Path;
import java.util.Random;

/**
 * Loads a pretrained agent, asks it for a reward and measures what it does: the share of the last
 * 100 steps of an episode in which the pendulum is within 0.3 rad of upright.
 */
public final class SwingUp {
  private static final int EPISODES = 10;
  private static final int LAST = 100;
  private static final double NEAR = 0.3;

  private SwingUp() {}

  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.err.println("usage: SwingUp FOLDER REWARD");
      System.exit(2);
    }
    try (ZeroShotAgent agent = ZeroShotAgent.load(Path.of(arguments[0]));
        Environment pendulum = agent.environment().open()) {
      ZeroShotPolicy policy = agent.solve(arguments[1]);
      double mean = 0;
      for (int episode = 0; episode < EPISODES; episode++) {
        double share = share(policy, pendulum, agent.environment().episodeSteps(), episode);
        System.out.printf("episode %d: %.2f%n", episode, share);
        mean += share / EPISODES;
      }
      System.out.printf("upright in %.1f %% of the last %d steps%n", 100 * mean, LAST);
    }
  }

  private static double share(ZeroShotPolicy policy, Environment pendulum, int steps, long seed) {
    float[] observation = pendulum.reset(new Random(seed));
    int upright = 0;
    for (int step = 0; step < steps; step++) {
      observation = pendulum.step(policy.act(observation)).observation();
      if (step >= steps - LAST && Math.abs(pendulum.get(Pendulum.ANGLE)) < NEAR) {
        upright++;
      }
    }
    return upright / (double) LAST;
  }
}
