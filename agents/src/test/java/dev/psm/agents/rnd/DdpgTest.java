package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class DdpgTest {
  private static final int OBSERVATION = 3;
  private static final int ACTION = 2;
  private static final int ROWS = 9;

  private final double[][] observations = Plain.gaussian(new Random(11), ROWS, OBSERVATION, 1);
  private final double[][] nextObservations = Plain.gaussian(new Random(12), ROWS, OBSERVATION, 1);
  private final double[][] noise = Plain.gaussian(new Random(13), ROWS, ACTION, 1);
  private final double[][] actions = Plain.gaussian(new Random(14), ROWS, ACTION, 0.4);
  private final double[][] rewards = Plain.gaussian(new Random(15), ROWS, 1, 1);
  private final double[][] discounts = Plain.gaussian(new Random(16), ROWS, 1, 0.5);

  /** Random everything, target critic unlike the critic. */
  private static Ddpg ddpg(String... more) {
    Ddpg ddpg = new Ddpg(Plain.tiny(more), OBSERVATION, ACTION, new Random(1));
    SmallWorlds.randomise(ddpg.actor, 2);
    SmallWorlds.randomise(ddpg.critic, 3);
    SmallWorlds.randomise(ddpg.targetCritic, 4);
    return ddpg;
  }

  private static double[] mean(Ddpg ddpg, double[] observation) {
    double[] mean = Plain.mlp(ddpg.actor, "policy", 3, true, observation);
    for (int i = 0; i < mean.length; i++) {
      mean[i] = Math.tanh(mean[i]);
    }
    return mean;
  }

  private static double[] noisy(Ddpg ddpg, double[] observation, double[] noise) {
    double[] action = mean(ddpg, observation);
    for (int i = 0; i < action.length; i++) {
      double offset = Math.max(-0.3, Math.min(0.3, 0.2 * noise[i]));
      action[i] = Math.max(-1 + 1e-6, Math.min(1 - 1e-6, action[i] + offset));
    }
    return action;
  }

  /** Q of a head: Linear, LayerNorm, tanh shared by both; then Linear, ReLU, Linear. */
  private static double value(Parameters critic, String head, double[] observation, double[] a) {
    double[] hidden = Plain.mlp(critic, "trunk", 1, true, Plain.joined(observation, a));
    return Plain.mlp(critic, head, 2, false, hidden)[0];
  }

  private static double smaller(Parameters critic, double[] observation, double[] action) {
    return Math.min(
        value(critic, "first", observation, action), value(critic, "second", observation, action));
  }

  private double target(Ddpg ddpg, int row) {
    double[] action = noisy(ddpg, nextObservations[row], noise[row]);
    return rewards[row][0]
        + discounts[row][0] * smaller(ddpg.targetCritic, nextObservations[row], action);
  }

  private Tensor targets(Ddpg ddpg) {
    return ddpg.targets(
        Tensors.matrix(rewards),
        Tensors.matrix(discounts),
        Tensors.matrix(nextObservations),
        Tensors.matrix(noise));
  }

  @Test
  void theActorIsItsPlainComputation() {
    Ddpg ddpg = ddpg();
    float[] found = Tensors.toFloats(ddpg.mean(Tensors.matrix(observations)));
    for (int i = 0; i < found.length; i++) {
      assertEquals(mean(ddpg, observations[i / ACTION])[i % ACTION], found[i], 1e-5);
    }
  }

  @Test
  void targetsAddTheDiscountedSmallerTargetValueOfTheNoisyNextAction() {
    Ddpg ddpg = ddpg();
    Tensor targets = targets(ddpg);
    assertFalse(targets.requires_grad());
    float[] found = Tensors.toFloats(targets);
    assertEquals(ROWS, found.length);
    for (int row = 0; row < ROWS; row++) {
      double expected = target(ddpg, row);
      assertEquals(expected, found[row], 1e-4 * (1 + Math.abs(expected)));
    }
  }

  @Test
  void theCriticLossSumsBothHeadsMeanSquares() {
    Ddpg ddpg = ddpg();
    double expected = 0;
    for (int row = 0; row < ROWS; row++) {
      double y = target(ddpg, row);
      for (String head : new String[] {"first", "second"}) {
        double q = value(ddpg.critic, head, observations[row], actions[row]);
        expected += (q - y) * (q - y) / ROWS;
      }
    }
    Tensor[] values =
        ddpg.values(ddpg.critic, Tensors.matrix(observations), Tensors.matrix(actions));
    double found = Ddpg.criticLoss(values, targets(ddpg)).item_double();
    assertEquals(expected, found, 1e-4 * expected);
  }

  @Test
  void theActorLossIsTheNegativeSmallerValueOfTheNoisyAction() {
    Ddpg ddpg = ddpg();
    double expected = 0;
    for (int row = 0; row < ROWS; row++) {
      double[] action = noisy(ddpg, observations[row], noise[row]);
      expected -= smaller(ddpg.critic, observations[row], action) / ROWS;
    }
    double found =
        ddpg.actorLoss(Tensors.matrix(observations), Tensors.matrix(noise)).item_double();
    assertEquals(expected, found, 1e-4 * (1 + Math.abs(expected)));
  }

  @Test
  void noiseIsScaledClippedAndTheSumKeptInsideTheBounds() {
    Ddpg ddpg = ddpg();
    Tensor mean = Tensors.floats(new float[] {0, 0, 0, 0.9f, -0.9f, 1}, 3, 2);
    Tensor noise = Tensors.floats(new float[] {1, 100, -100, 1, -1, 0}, 3, 2);
    float[] expected = {0.2f, 0.3f, -0.3f, 1 - 1e-6f, -1 + 1e-6f, 1 - 1e-6f};
    float[] found = Tensors.toFloats(ddpg.perturbed(mean, noise));
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], found[i], 1e-7);
    }
  }

  @Test
  void theGradientPassesStraightThroughTheBounds() {
    Parameters mean =
        new Parameters().add("mean", Tensors.floats(new float[] {0, 0.95f, -0.95f, 1}, 2, 2));
    Tensor noise = Tensors.floats(new float[] {0.5f, 9, -9, 1}, 2, 2);
    Tensor sum = ddpg().perturbed(mean.get("mean"), noise).sum();
    for (float slope : Tensors.toFloats(Handles.at(Tensors.gradients(sum, mean.vector()), 0))) {
      assertEquals(1, slope, 0);
    }
  }

  @Test
  void theCriticLossTeachesTheCriticAlone() {
    Ddpg ddpg = ddpg();
    Tensor loss =
        Ddpg.criticLoss(
            ddpg.values(ddpg.critic, Tensors.matrix(observations), Tensors.matrix(actions)),
            targets(ddpg));
    RuntimeException unused =
        assertThrows(RuntimeException.class, () -> Tensors.gradients(loss, ddpg.actor.vector()));
    assertTrue(unused.getMessage().contains("not have been used"), unused.getMessage());
  }

  @Test
  void everyStepMovesItsOwnNetworkOnly() {
    Ddpg ddpg = ddpg("targetRate=0.1");
    Parameters actor = ddpg.actor.targetCopy();
    Parameters critic = ddpg.critic.targetCopy();
    Parameters target = ddpg.targetCritic.targetCopy();
    // Adam's first step moves every parameter with a gradient by the learning rate: a critic that
    // also took the actor's gradient would have moved further.
    learn(ddpg);
    double largest = 0;
    for (String name : critic.asMap().keySet()) {
      assertTrue(Plain.differ(critic, ddpg.critic, name), name);
      largest = Math.max(largest, farthest(critic, ddpg.critic, name));
    }
    assertEquals(0.001, largest, 1e-5);
    largest = 0;
    for (String name : actor.asMap().keySet()) {
      assertTrue(Plain.differ(actor, ddpg.actor, name), name);
      largest = Math.max(largest, farthest(actor, ddpg.actor, name));
    }
    assertEquals(0.001, largest, 1e-5);
    assertNull(SmallWorlds.notAveraged(target, ddpg.critic, ddpg.targetCritic, 0.1));
    ddpg.targetCritic.asMap().values().forEach(tensor -> assertFalse(tensor.requires_grad()));
  }

  private static double farthest(Parameters before, Parameters after, String name) {
    return before.get(name).sub(after.get(name)).abs().max().item_double();
  }

  private void learn(Ddpg ddpg) {
    ddpg.learn(
        inputs(observations, actions, nextObservations, discounts, new Random(5)),
        Tensors.matrix(rewards));
  }

  private static UpdateInputs inputs(
      double[][] observations,
      double[][] actions,
      double[][] nextObservations,
      double[][] discounts,
      Random random) {
    return new UpdateInputs(
        Tensors.matrix(observations),
        Tensors.matrix(actions),
        Tensors.matrix(nextObservations),
        Tensors.matrix(discounts),
        Tensors.gaussian(random, observations.length, ACTION),
        Tensors.gaussian(random, observations.length, ACTION));
  }

  @Test
  void theCriticLearnsAFixedTargetAndTheActorClimbsIt() {
    Ddpg ddpg =
        new Ddpg(Plain.tiny("width=32", "learningRate=0.01"), OBSERVATION, ACTION, new Random(1));
    Random random = new Random(2);
    for (int step = 0; step < 600; step++) {
      double[][] states = Plain.gaussian(random, 64, OBSERVATION, 1);
      double[][] taken = new double[64][ACTION];
      double[][] pay = new double[64][1];
      for (int row = 0; row < 64; row++) {
        double distance = 0;
        for (int i = 0; i < ACTION; i++) {
          taken[row][i] = random.nextDouble(-1, 1);
          distance += Math.pow(taken[row][i] - (i == 0 ? 0.5 : -0.5), 2);
        }
        pay[row][0] = -distance;
      }
      ddpg.learn(inputs(states, taken, states, new double[64][1], random), Tensors.matrix(pay));
    }
    float[] mean = Tensors.toFloats(ddpg.mean(Tensors.matrix(observations)));
    for (int i = 0; i < mean.length; i++) {
      assertEquals(i % ACTION == 0 ? 0.5 : -0.5, mean[i], 0.2);
    }
  }

  @Test
  void theTwinCriticSharesItsTrunkAndHeadsStartApart() {
    RndSettings urlb = RndSettings.presets().get("urlb");
    Ddpg walker = new Ddpg(urlb, 24, 6, new Random(1));
    long trunk = 30 * 1024 + 1024 + 2 * 1024;
    long head = 1024 * 1024 + 1024 + 1024 + 1;
    assertEquals(trunk + 2 * head, walker.critic.count());
    assertEquals(
        24 * 1024 + 1024 + 2 * 1024 + 1024 * 1024 + 1024 + 6 * 1024 + 6, walker.actor.count());
    assertFalse(Plain.differ(walker.critic, walker.targetCritic));
    Tensor weight = walker.critic.get("first.0.weight");
    assertEquals(0, weight.matmul(weight.t()).sub(torch.eye(1024)).abs().max().item_double(), 1e-4);
    assertTrue(weight.sub(walker.critic.get("second.0.weight")).abs().max().item_double() > 0.01);
  }
}
