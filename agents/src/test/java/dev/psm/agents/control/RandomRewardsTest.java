package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.StepInputs;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random rewards against their definition, written plainly. */
class RandomRewardsTest {
  private static final int SEEDS = 2;
  private static final int ROWS = 9;
  private static final int OBSERVATION = 4;
  private static final int REWARDS = 40;
  private static final int D = 5;
  @TempDir static Path folder;
  private static Experience data;
  private final Random random = new Random(4);

  @BeforeAll
  static void collect() {
    data = StepTrial.noise(folder.resolve("data"));
  }

  private float[] uniform(int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = random.nextFloat();
    }
    return numbers;
  }

  /** One factor of a reward in one state. */
  private static double factor(float[][] states, int state, float... numbers) {
    int x = (int) (numbers[0] * states[0].length);
    int at = (int) (numbers[1] * states.length);
    double mean = Arrays.stream(states).mapToDouble(s -> s[x]).average().orElseThrow();
    double variance =
        Arrays.stream(states).mapToDouble(s -> (s[x] - mean) * (s[x] - mean)).average().orElse(0);
    boolean above = numbers[2] >= 0.5;
    double width = 0.1 * Math.pow(20, above ? 2 * numbers[2] - 1 : 2 * numbers[2]);
    double beyond = (states[state][x] - states[at][x]) * (above ? 1 : -1);
    return Math.min(1, Math.max(0, 0.5 + beyond / (2 * width * Math.sqrt(variance))));
  }

  /** Rewards × states. */
  private static double[][] plainly(float[][] states, float[][] numbers) {
    double[][] rewards = new double[numbers.length][states.length];
    for (int i = 0; i < numbers.length; i++) {
      float[] n = numbers[i];
      for (int j = 0; j < states.length; j++) {
        double second = n[6] < 0.5 ? factor(states, j, n[3], n[4], n[5]) : 1;
        rewards[i][j] = factor(states, j, n[0], n[1], n[2]) * second;
      }
    }
    return rewards;
  }

  private static float[][] rows(float[] flat, int first, int count, int width) {
    float[][] rows = new float[count][];
    for (int i = 0; i < count; i++) {
      rows[i] = Arrays.copyOfRange(flat, (first + i) * width, (first + i + 1) * width);
    }
    return rows;
  }

  @Test
  void rewardsAndTheirProductsWithFeaturesAreAsDefined() {
    float[] observations = Tensors.toFloats(Tensors.gaussian(random, SEEDS * ROWS * OBSERVATION));
    float[] phi = Tensors.toFloats(Tensors.gaussian(random, SEEDS * ROWS * D));
    float[] numbers = uniform(SEEDS * REWARDS * Draw.REWARD_NUMBERS);
    Tensor states = Tensors.floats(observations, SEEDS, ROWS, OBSERVATION);
    Tensor drawn = Tensors.floats(numbers, SEEDS, REWARDS, Draw.REWARD_NUMBERS);
    float[] found = Tensors.toFloats(RandomRewards.of(states, drawn));
    float[] products =
        Tensors.toFloats(
            RandomRewards.timesFeatures(states, Tensors.floats(phi, SEEDS, ROWS, D), drawn));
    for (int seed = 0; seed < SEEDS; seed++) {
      double[][] rewards =
          plainly(
              rows(observations, seed * ROWS, ROWS, OBSERVATION),
              rows(numbers, seed * REWARDS, REWARDS, Draw.REWARD_NUMBERS));
      float[][] features = rows(phi, seed * ROWS, ROWS, D);
      for (int i = 0; i < REWARDS; i++) {
        int reward = seed * REWARDS + i;
        float[] row = Arrays.copyOfRange(found, reward * ROWS, (reward + 1) * ROWS);
        assertArrayEquals(
            rewards[i], Tensors.toDoubles(Tensors.floats(row, ROWS)), 1e-4, "reward " + reward);
        double mean = Arrays.stream(rewards[i]).average().orElseThrow();
        for (int k = 0; k < D; k++) {
          double product = 0;
          for (int j = 0; j < ROWS; j++) {
            product += (rewards[i][j] - mean) * features[j][k] / ROWS;
          }
          assertEquals(product, products[reward * D + k], 1e-4);
        }
      }
    }
  }

  @Test
  void anObservationThatNeverChangesPaysTheSameEverywhere() {
    Tensor states = Tensors.floats(new float[ROWS * 2], 1, ROWS, 2);
    Tensor numbers = Tensors.floats(uniform(Draw.REWARD_NUMBERS), 1, 1, Draw.REWARD_NUMBERS);
    float[] found = Tensors.toFloats(RandomRewards.of(states, numbers));
    for (float reward : found) {
      assertEquals(found[0], reward);
    }
  }

  @Test
  void theShareOfTaskVectorsIsThatOfRandomRewards() {
    for (TinyAgent agent : List.of(TinyAgent.FORWARD_BACKWARD, TinyAgent.INTERLEAVED_PSM)) {
      try (ControlTrainer with = trainer(agent, 0.4);
          ControlTrainer without = trainer(agent, 0)) {
        StepInputs draws = with.draw();
        Experience.Batch batch = with.transitions(draws);
        Tensor phi = with.taskFeatures(batch.nextObservations());
        float[] tasks = Tensors.toFloats(with.policies.tasks(batch, phi, draws));
        Tensor numbers = draws.get(Draw.REWARDS).narrow(1, 0, 4);
        float[] rewarded =
            Tensors.toFloats(
                Tensors.onSphere(
                    RandomRewards.timesFeatures(batch.nextObservations(), phi, numbers)));
        float[] plain = Tensors.toFloats(without.policies.tasks(batch, phi, draws));
        for (int seed = 0; seed < SEEDS; seed++) {
          int start = seed * 10 * D;
          assertArrayEquals(
              Arrays.copyOfRange(rewarded, seed * 4 * D, (seed + 1) * 4 * D),
              Arrays.copyOfRange(tasks, start, start + 4 * D),
              1e-6f);
          assertArrayEquals(
              Arrays.copyOfRange(plain, start + 4 * D, start + 10 * D),
              Arrays.copyOfRange(tasks, start + 4 * D, start + 10 * D));
        }
      }
    }
  }

  @Test
  void aRewardThatIsTheSameEverywhereLeavesTheTaskVectorAsItWas() {
    try (ControlTrainer trainer = trainer(TinyAgent.FORWARD_BACKWARD, 1)) {
      StepInputs drawn = trainer.draw();
      Experience.Batch batch = trainer.transitions(drawn);
      Tensor phi = trainer.taskFeatures(batch.nextObservations());
      // One state ten times: whatever is asked of it, nothing differs.
      Tensor same = batch.nextObservations().narrow(1, 0, 1).expand_as(batch.nextObservations());
      Experience.Batch constant =
          new Experience.Batch(
              batch.observations(), batch.actions(), batch.discounts(), same, batch.nextRows());
      assertArrayEquals(
          Tensors.toFloats(trainer.math.taskVectors(phi, drawn)),
          Tensors.toFloats(trainer.policies.tasks(constant, phi, drawn)));
    }
  }

  @Test
  void everyAgentLearnsWithThemAndOnlyThoseWhoAskDrawThem() {
    for (TinyAgent agent : TinyAgent.values()) {
      try (ControlTrainer with = trainer(agent, 0.5);
          ControlTrainer without = trainer(agent, 0)) {
        assertTrue(with.needs(20).contains(Draw.REWARDS), agent.name());
        assertFalse(without.needs(20).contains(Draw.REWARDS), agent.name());
        for (int step = 0; step < 12; step++) {
          with.step();
        }
        assertTrue(with.firstNotFinite().isEmpty(), agent.name());
      }
    }
  }

  @Test
  void theActorHasALearningRateOfItsOwn() {
    float[][] moved = new float[2][];
    for (int i = 0; i < 2; i++) {
      try (ControlTrainer trainer =
          TinyAgent.FORWARD_BACKWARD.trainer(
              data,
              List.of(1L),
              "learningRate=0.01",
              "actorLearningRate=" + (i == 0 ? 0.01 : 0.001))) {
        Map<Draw, Tensor> inputs = new EnumMap<>(Draw.class);
        StepInputs drawn = trainer.draw();
        trainer.needs(0).forEach(draw -> inputs.put(draw, drawn.get(draw)));
        float[] before = weights(trainer);
        trainer.step(new StepInputs(inputs));
        float[] after = weights(trainer);
        for (int k = 0; k < before.length; k++) {
          after[k] -= before[k];
        }
        moved[i] = after;
      }
    }
    for (int k = 0; k < moved[0].length; k++) {
      assertEquals(moved[0][k] / 10, moved[1][k], 2e-6f);
    }
  }

  private static float[] weights(ControlTrainer trainer) {
    Tensor first = trainer.actor.weights().asMap().values().iterator().next();
    return Tensors.toFloats(first);
  }

  private static ControlTrainer trainer(TinyAgent agent, double share) {
    return agent.trainer(data, List.of(3L, 8L), "rewardShare=" + share);
  }
}
