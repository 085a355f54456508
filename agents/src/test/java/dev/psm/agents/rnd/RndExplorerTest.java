package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Parameters;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RndExplorerTest {
  private static final int OBSERVATION = 4;
  private static final int ACTION = 3;
  private static final long MEGABYTE = 1 << 20;

  private static RndExplorer explorer(long seed, String... more) {
    return new RndExplorer(Plain.tiny(more), OBSERVATION, Plain.vectors(ACTION), seed);
  }

  private static float[] floats(long seed, int count) {
    Random random = new Random(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static NStepReplay replay(RndExplorer explorer) {
    NStepReplay replay = NStepReplay.of(explorer.settings(), OBSERVATION, ACTION);
    for (int episode = 0; episode < 5; episode++) {
      float[] actions = floats(100 + episode, 30 * ACTION);
      for (int i = 0; i < actions.length; i++) {
        actions[i] = (float) Math.tanh(actions[i]);
      }
      float[] discounts = new float[30];
      Arrays.fill(discounts, 1);
      replay.append(floats(episode, 31 * OBSERVATION), actions, discounts);
    }
    return replay;
  }

  @Test
  void seedStepsAreUniformAndCountedOverAllEnvironments() {
    RndExplorer explorer = explorer(1, "seedSteps=1000", "noise=0");
    int[] bins = new int[10];
    double sum = 0;
    for (int call = 0; call < 10; call++) {
      float[] actions = explorer.act(floats(call, 100 * OBSERVATION), 100);
      for (float action : actions) {
        assertTrue(Math.abs(action) < 1);
        bins[(int) ((action + 1) * 5)]++;
        sum += action;
      }
    }
    assertEquals(1000, explorer.environmentSteps());
    for (int bin : bins) {
      assertEquals(300, bin, 5 * Math.sqrt(300));
    }
    assertEquals(0, sum / 3000, 0.05);
    float[] observations = floats(77, 100 * OBSERVATION);
    assertArrayEquals(
        explorer.greedy(observations, 100),
        explorer.act(observations, 100),
        1e-6f,
        "then the actor");
  }

  @Test
  void theLastSeedStepMayFallInsideACall() {
    RndExplorer explorer = explorer(1, "seedSteps=3", "noise=0");
    float[] observations = floats(1, 5 * OBSERVATION);
    float[] mean = explorer.greedy(observations, 5);
    float[] actions = explorer.act(observations, 5);
    for (int i = 0; i < actions.length; i++) {
      assertEquals(i >= 3 * ACTION, Math.abs(actions[i] - mean[i]) < 1e-6, "at " + i);
    }
  }

  @Test
  void noiseHasTheGivenDeviationIsUnclippedAndStaysInBounds() {
    RndExplorer explorer = explorer(1, "seedSteps=0");
    int count = 5000;
    float[] observations = new float[count * OBSERVATION];
    float[] mean = explorer.greedy(observations, count);
    float[] actions = explorer.act(observations, count);
    double sum = 0;
    double squares = 0;
    double largest = 0;
    for (int i = 0; i < actions.length; i++) {
      // Zero observations make the first linear layer zero, so the mean is the middle.
      assertEquals(0, mean[i], 1e-6);
      assertTrue(Math.abs(actions[i]) <= 1);
      sum += actions[i];
      squares += actions[i] * actions[i];
      largest = Math.max(largest, Math.abs(actions[i]));
    }
    assertEquals(0, sum / actions.length, 0.01);
    assertEquals(0.2, Math.sqrt(squares / actions.length), 0.005);
    assertTrue(largest > 0.5, "acting is not clipped at 0.3");
    float[] loud = explorer(1, "seedSteps=0", "noise=50").act(observations, count);
    for (float action : loud) {
      assertTrue(Math.abs(action) < 1);
    }
  }

  @Test
  void theSeedDecidesActionsAndEveryCallDrawsAnew() {
    float[] observations = floats(1, 2 * OBSERVATION);
    RndExplorer first = explorer(5, "seedSteps=2");
    RndExplorer second = explorer(5, "seedSteps=2");
    RndExplorer other = explorer(6, "seedSteps=2");
    float[] last = {};
    for (int call = 0; call < 3; call++) {
      float[] actions = first.act(observations, 2);
      assertArrayEquals(actions, second.act(observations, 2));
      assertFalse(Arrays.equals(actions, other.act(observations, 2)));
      assertFalse(Arrays.equals(actions, last));
      last = actions;
    }
  }

  @Test
  void updatesFallDueOncePerSoManyStepsAfterTheSeedSteps() {
    RndExplorer explorer = explorer(1, "seedSteps=10", "stepsPerUpdate=4");
    NStepReplay replay = replay(explorer);
    float[] observations = new float[3 * OBSERVATION];
    long[] expected = {0, 0, 0, 0, 1, 1, 0, 1};
    for (long due : expected) {
      explorer.act(observations, 3);
      assertEquals(due, explorer.updatesDue(), "after " + explorer.environmentSteps());
      while (explorer.updatesDue() > 0) {
        explorer.update(replay);
      }
    }
    assertEquals((8 * 3 - 10) / 4, explorer.updates());
  }

  @Test
  void anUpdateLearnsFromTheRewardOfItsOwnStep() {
    RndExplorer explorer = explorer(1);
    assertTrue(Double.isNaN(explorer.metrics().get("rnd_loss")));
    Parameters predictor = explorer.rnd.predictor.targetCopy();
    Ddpg ddpg = (Ddpg) explorer.learner;
    Parameters actor = ddpg.actor.targetCopy();
    Parameters critic = ddpg.critic.targetCopy();
    explorer.update(replay(explorer));
    assertTrue(Plain.differ(predictor, explorer.rnd.predictor));
    assertTrue(Plain.differ(actor, ddpg.actor));
    assertTrue(Plain.differ(critic, ddpg.critic));
    Map<String, Double> metrics = explorer.metrics();
    assertEquals(
        "[rnd_loss, error_scale, intrinsic_reward, critic_loss, q_mean, actor_loss]",
        metrics.keySet().toString());
    metrics.forEach((name, value) -> assertTrue(Double.isFinite(value), name));
    assertTrue(metrics.get("intrinsic_reward") > 0);
  }

  @Test
  void aResumedRunContinuesToTheBit(@TempDir Path folder) {
    RndExplorer straight = explorer(3, "seedSteps=10");
    NStepReplay replay = replay(straight);
    float[] observations = floats(9, 4 * OBSERVATION);
    for (int step = 0; step < 20; step++) {
      straight.act(observations, 4);
      straight.update(replay);
    }
    Path file = folder.resolve("explorer.safetensors");
    straight.save(file);
    RndExplorer resumed = explorer(4, "seedSteps=10");
    resumed.load(file);
    assertEquals(straight.tensors(), resumed.tensors());
    for (int step = 0; step < 20; step++) {
      assertArrayEquals(straight.act(observations, 4), resumed.act(observations, 4));
      straight.update(replay);
      resumed.update(replay(resumed));
      assertEquals(straight.metrics(), resumed.metrics());
    }
    assertEquals(straight.tensors(), resumed.tensors());
    assertEquals(160, resumed.environmentSteps());
    assertEquals(40, resumed.updates());
  }

  @Test
  void theSeedDecidesEveryBitOfTraining() {
    RndExplorer first = explorer(3);
    RndExplorer second = explorer(3);
    RndExplorer other = explorer(4);
    NStepReplay replay = replay(first);
    for (int step = 0; step < 10; step++) {
      first.update(replay);
      second.update(replay);
      other.update(replay);
    }
    assertEquals(first.tensors(), second.tensors());
    for (String name : first.tensors().keySet()) {
      boolean frozenAtZero = name.startsWith("rnd.target.") && name.endsWith(".bias");
      if (!name.endsWith(".steps") && !frozenAtZero) {
        assertNotEquals(first.tensors().get(name), other.tensors().get(name), name);
      }
    }
  }

  @Test
  void nothingMayBeMissingFromAFile() {
    RndExplorer explorer = explorer(1);
    Map<String, TensorData> tensors = explorer.tensors();
    for (String name : tensors.keySet()) {
      Map<String, TensorData> fewer = new LinkedHashMap<>(tensors);
      fewer.remove(name);
      UserError refused = assertThrows(UserError.class, () -> explorer.load(fewer, "file"), name);
      assertTrue(
          refused.getMessage().startsWith("file: tensor '" + name + "'"), refused.getMessage());
    }
  }

  @Test
  void arraysOfTheWrongLengthAreRefused() {
    RndExplorer explorer = explorer(1);
    assertThrows(IllegalArgumentException.class, () -> explorer.act(new float[7], 2));
    NStepReplay.Batch sound = replay(explorer).sample(4, new Random(1));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            explorer.update(
                new NStepReplay.Batch(
                    4,
                    sound.observations(),
                    sound.actions(),
                    sound.nextObservations(),
                    new float[3],
                    sound.rewards())));
    assertThrows(
        IllegalArgumentException.class,
        () -> explorer.update(replay(explorer).sample(1, new Random(1))));
  }

  @Test
  @Tag("slow")
  void twoThousandUpdatesLeaveNoMemoryBehind() {
    RndExplorer explorer = explorer(1, "width=64", "batchSize=64", "seedSteps=0");
    NStepReplay replay = replay(explorer);
    float[] observations = floats(1, 8 * OBSERVATION);
    work(explorer, replay, observations, 200);
    touchHeap();
    long before = bytesBesideTheHeap();
    work(explorer, replay, observations, 2000);
    long growth = bytesBesideTheHeap() - before;
    assertTrue(growth < 30 * MEGABYTE, "grew by " + growth / MEGABYTE + " MB");
  }

  private static void work(
      RndExplorer explorer, NStepReplay replay, float[] observations, int count) {
    for (int step = 0; step < count; step++) {
      explorer.act(observations, 8);
      explorer.update(replay);
    }
  }

  private static long bytesBesideTheHeap() {
    return Pointer.physicalBytes() - Runtime.getRuntime().totalMemory();
  }

  /** Makes all of Java's heap resident, so that only its committed growth is left to discount. */
  private static void touchHeap() {
    int chunk = 1 << 16;
    for (long bytes = 0; bytes < 2 * Runtime.getRuntime().totalMemory(); bytes += chunk) {
      byte[] garbage = new byte[chunk];
      garbage[chunk - 1] = 1;
    }
  }
}
