package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SingleTaskAgentTest {
  private static final int OBSERVATION = 3;
  private static final int ACTION = 2;

  private static SingleTaskAgent agent(long seed, String... more) {
    return new SingleTaskAgent(Plain.tiny(more), OBSERVATION, Plain.vectors(ACTION), seed);
  }

  private static Ddpg ddpg(SingleTaskAgent agent) {
    return (Ddpg) agent.learner;
  }

  private static float[] uniform(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = 2 * random.nextFloat() - 1;
    }
    return values;
  }

  private static NStepReplay replay(int nStep, double discount, int steps) {
    Random random = new Random(7);
    NStepReplay replay = new NStepReplay(OBSERVATION, ACTION, 100_000, nStep, discount);
    float[] discounts = new float[steps];
    Arrays.fill(discounts, 1);
    float[] actions = uniform(random, steps * ACTION);
    float[] rewards = new float[steps];
    for (int t = 0; t < steps; t++) {
      double first = actions[2 * t] - 0.5;
      double second = actions[2 * t + 1] + 0.5;
      rewards[t] = (float) (-first * first - second * second);
    }
    replay.append(uniform(random, (steps + 1) * OBSERVATION), actions, discounts, rewards);
    return replay;
  }

  @Test
  void anUpdateLearnsFromTheRewardsOfTheBatch() {
    NStepReplay.Batch batch = replay(3, 0.9, 50).sample(6, new Random(1));
    SingleTaskAgent agent = agent(4);
    SingleTaskAgent plain = agent(4);
    agent.update(batch);
    plain.learner.learn(
        UpdateInputs.of(
            batch, OBSERVATION, ACTION, Seeds.generator(Seeds.mix(4, 0, "update")), Device.CPU),
        Tensors.floats(batch.rewards(), 6, 1));
    assertFalse(Plain.differ(ddpg(plain).critic, ddpg(agent).critic));
    assertFalse(Plain.differ(ddpg(plain).actor, ddpg(agent).actor));
    SingleTaskAgent unpaid = agent(4);
    unpaid.update(
        new NStepReplay.Batch(
            6,
            batch.observations(),
            batch.actions(),
            batch.nextObservations(),
            batch.discounts(),
            new float[6]));
    assertTrue(Plain.differ(ddpg(unpaid).critic, ddpg(agent).critic));
  }

  @Test
  void itFindsTheActionThatPays() {
    // Later states do not depend on actions here, so the best action is that of the next step
    // alone.
    SingleTaskAgent agent =
        agent(
            1, "width=32", "batchSize=64", "learningRate=0.01", "seedSteps=0", "stepsPerUpdate=1");
    NStepReplay replay = replay(1, 0.5, 5000);
    float[] observation = {0.1f, -0.2f, 0.3f};
    for (int step = 0; step < 800; step++) {
      agent.act(observation);
      agent.learn(replay);
    }
    assertArrayEquals(new float[] {0.5f, -0.5f}, agent.greedy(observation), 0.2f);
  }

  @Test
  void updatesAreMadeAsStepsCallForThem() {
    SingleTaskAgent agent = agent(1, "seedSteps=4", "stepsPerUpdate=3");
    NStepReplay none = new NStepReplay(OBSERVATION, ACTION, 100, 1, 0.9);
    NStepReplay replay = replay(1, 0.9, 20);
    float[] observation = new float[OBSERVATION];
    long[] expected = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
    for (int step = 1; step <= 10; step++) {
      agent.act(observation);
      agent.learn(none);
      assertEquals(expected[step - 1], agent.updates(), "nothing to learn from");
      agent.learn(replay);
      assertEquals(expected[step], agent.updates(), "after " + step);
      assertEquals(step, agent.environmentSteps());
    }
  }

  @Test
  void theSeedDecidesEverything() {
    assertArrayEquals(played(3), played(3));
    assertFalse(Arrays.equals(played(3), played(5)));
  }

  private static float[] played(long seed) {
    SingleTaskAgent agent = agent(seed, "seedSteps=2", "stepsPerUpdate=1");
    NStepReplay replay = replay(1, 0.9, 20);
    float[] action = new float[ACTION];
    for (int step = 0; step < 6; step++) {
      action = agent.act(new float[] {1, 2, 3});
      agent.learn(replay);
    }
    assertTrue(agent.metrics().get("critic_loss") > 0);
    return action;
  }
}
