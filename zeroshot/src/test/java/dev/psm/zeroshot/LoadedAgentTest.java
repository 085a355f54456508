package dev.psm.zeroshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.agents.control.ControlModel;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.NetworkSizes;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An agent as a program has it that only uses models: loaded, shared by threads, closed. */
class LoadedAgentTest {
  private static final int THREADS = 64;
  private static final int STATES = 50;
  private static final int ACTS = 10;

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void manyThreadsGetTheSerialAnswers(ControlAgent kind) throws Exception {
    try (ZeroShotAgent agent = loaded(kind)) {
      float[][] observations = observations();
      ZeroShotPolicy reward = agent.solve("x > 0");
      ZeroShotPolicy goal = agent.solveGoal(observations[0]);
      float[][] expected = new float[STATES][];
      float[][] expectedGoal = new float[STATES][];
      for (int i = 0; i < STATES; i++) {
        expected[i] = reward.act(observations[i]);
        expectedGoal[i] = goal.act(observations[i]);
      }
      assertFalse(Arrays.equals(expected[0], expected[1]), "the actor looks at nothing");
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread;
        work.add(
            () -> {
              for (int i = 0; i < ACTS; i++) {
                int state = (first + i) % STATES;
                assertArrayEquals(expected[state], reward.act(observations[state]));
                assertArrayEquals(expectedGoal[state], goal.act(observations[state]));
              }
              float[] vector = agent.solve("x > 0").taskVector();
              assertArrayEquals(reward.taskVector(), vector);
              return null;
            });
      }
      for (Future<Void> done : all(work)) {
        done.get();
      }
    }
  }

  @Test
  void aDemonstrationIsOneEpisodes() {
    try (ZeroShotAgent agent = loaded(ControlForwardBackward.AGENT)) {
      float[][] observations = observations();
      float[] shown = new float[3 * Line.OBSERVATION];
      for (int i = 0; i < 3; i++) {
        System.arraycopy(observations[i], 0, shown, i * Line.OBSERVATION, Line.OBSERVATION);
      }
      ZeroShotPolicy one = agent.track(shown, 1);
      ZeroShotPolicy other = agent.track(shown, 1);
      float[] first = one.act(observations[5]);
      float[] second = one.act(observations[5]);
      assertFalse(Arrays.equals(first, second), "the next state is pursued");
      assertArrayEquals(second, one.act(observations[5]), "the last one stays");
      assertArrayEquals(first, other.act(observations[5]), "another episode has its own time");
      one.restart();
      assertArrayEquals(first, one.act(observations[5]));
    }
  }

  /** What a program may get wrong has an exception that the documentation names. */
  @Test
  void wrongArgumentsAreToldInWords() {
    try (ZeroShotAgent agent = loaded(FactoredPsm.AGENT)) {
      ZeroShotPolicy policy = agent.solve("x");
      float[] one = new float[Line.OBSERVATION];
      float[] task = policy.taskVector();
      mistake("an observation has 2 numbers, found 1", () -> policy.act(new float[1]));
      mistake("steps count from 0, found step -1", () -> policy.act(one, -1));
      for (float[] wrong : new float[][] {{}, {1}, {1, 2, 3}}) {
        String told =
            "an observation has 2 numbers; expected those of one or more, found %d numbers"
                .formatted(wrong.length);
        mistake(told, () -> policy.act(wrong, 0));
        mistake(told, () -> agent.act(wrong, task));
        refused("of line", () -> agent.features(wrong));
      }
      mistake("1 observations have a task", () -> agent.act(one, new float[1]));
      float[] broken = task.clone();
      broken[3] = Float.NaN;
      mistake("number 3 (from 0) of the tasks must be finite", () -> agent.act(one, broken));
      refused("number 3 (from 0) of the task vector is NaN", () -> agent.solveVector(broken));
      refused("found 1 number", () -> agent.outsideData(new float[1]));
    }
  }

  private static void mistake(String told, Executable work) {
    String said = assertThrows(IllegalArgumentException.class, work).getMessage();
    assertTrue(said.contains(told), said);
  }

  private static void refused(String told, Executable work) {
    String said = assertThrows(UserError.class, work).getMessage();
    assertTrue(said.contains(told), said);
  }

  @Test
  void aNullIsToldByItsName() {
    missing("folder", () -> ZeroShotAgent.load(null));
    try (ZeroShotAgent agent = loaded(FactoredPsm.AGENT)) {
      ZeroShotPolicy policy = agent.solve("x");
      missing("taskOrFormula", () -> agent.solve((String) null));
      missing("task", () -> agent.solve((Task) null));
      missing("task", () -> agent.rewards(null));
      missing("goal", () -> agent.solveGoal(null));
      missing("goal", () -> agent.outsideData(null));
      missing("goals", () -> agent.solveGoals(null));
      missing("observations", () -> agent.track(null, 1));
      missing("observations", () -> agent.solveSamples(null, new double[1]));
      missing("rewards", () -> agent.solveSamples(new float[Line.OBSERVATION], null));
      missing("vector", () -> agent.solveVector(null));
      missing("method", () -> agent.solvingBy(null));
      missing("observations", () -> agent.features(null));
      missing("observations", () -> agent.act(null, policy.taskVector()));
      missing("tasks", () -> agent.act(new float[Line.OBSERVATION], null));
      missing("observation", () -> policy.act(null));
      missing("observations", () -> policy.act(null, 0));
    }
  }

  private static void missing(String name, Executable work) {
    assertEquals(name, assertThrows(NullPointerException.class, work).getMessage());
  }

  @Test
  void aClosedAgentRefusesToWork() {
    ZeroShotAgent agent = loaded(FactoredPsm.AGENT);
    ZeroShotPolicy policy = agent.solve("x");
    agent.close();
    agent.close();
    float[] observation = new float[Line.OBSERVATION];
    String said =
        assertThrows(IllegalStateException.class, () -> policy.act(observation)).getMessage();
    assertEquals("the agent is closed; load it again", said);
    assertThrows(IllegalStateException.class, () -> agent.solve("x"));
    assertThrows(IllegalStateException.class, () -> agent.solveGoal(observation));
  }

  @Test
  void whoActsWhileAnotherClosesIsToldSo() throws Exception {
    ZeroShotAgent agent = loaded(FactoredPsm.AGENT);
    ZeroShotPolicy policy = agent.solve("x");
    float[] observation = new float[Line.OBSERVATION];
    CountDownLatch acting = new CountDownLatch(8);
    List<Callable<Void>> work = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      work.add(
          () -> {
            policy.act(observation);
            acting.countDown();
            assertThrows(
                IllegalStateException.class,
                () -> {
                  while (true) {
                    policy.act(observation);
                  }
                });
            return null;
          });
    }
    work.add(
        () -> {
          acting.await();
          agent.close();
          return null;
        });
    for (Future<Void> done : all(work)) {
      done.get();
    }
  }

  private static List<Future<Void>> all(List<Callable<Void>> work) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    try {
      return threads.invokeAll(work);
    } finally {
      threads.shutdown();
    }
  }

  private static float[][] observations() {
    Random random = new Random(7);
    float[][] observations = new float[STATES][Line.OBSERVATION];
    for (float[] observation : observations) {
      for (int i = 0; i < observation.length; i++) {
        observation[i] = (float) random.nextGaussian();
      }
    }
    return observations;
  }

  /** With random networks, by way of the disk. */
  private ZeroShotAgent loaded(ControlAgent kind) {
    World world = Worlds.named("line");
    ControlModel.Shape shape =
        new ControlModel.Shape(kind.modelKind(), new NetworkSizes(8, 16, 16));
    float[][] states = observations();
    float[] observations = new float[STATES * Line.OBSERVATION];
    QuantityTable quantities = new QuantityTable(world.quantities(), STATES);
    for (int i = 0; i < STATES; i++) {
      System.arraycopy(states[i], 0, observations, i * Line.OBSERVATION, Line.OBSERVATION);
      for (int q = 0; q < world.quantities().size(); q++) {
        quantities.column(world.quantities().get(q))[i] = states[i][q];
      }
    }
    try (ControlModel model = new ControlModel(shape, Line.OBSERVATION, world.actionSize())) {
      model.load(random(model.tensors()), "random");
      new ZeroShotAgent(
              kind.id(), model, world, new InferenceSample(observations, Optional.of(quantities)))
          .save(folder, Json.object());
    }
    return ZeroShotAgent.load(folder);
  }

  private static Map<String, TensorData> random(Map<String, TensorData> tensors) {
    Random random = new Random(3);
    Map<String, TensorData> filled = new LinkedHashMap<>();
    tensors.forEach(
        (name, tensor) -> {
          float[] values = new float[tensor.finiteFloats(name, "blank").length];
          for (int i = 0; i < values.length; i++) {
            // Small enough that actions are not all at their bounds.
            values[i] = 0.2f * (float) random.nextGaussian();
          }
          filled.put(name, TensorData.of(values, tensor.shape()));
        });
    return filled;
  }
}
