package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.UserError;
import dev.psm.core.env.Space;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DqnTest {
  private static final int OBSERVATION = 3;
  private static final int ACTIONS = 4;
  private static final int ROWS = 9;

  private final double[][] observations = Plain.gaussian(new Random(11), ROWS, OBSERVATION, 1);
  private final double[][] nextObservations = Plain.gaussian(new Random(12), ROWS, OBSERVATION, 1);
  private final double[][] rewards = Plain.gaussian(new Random(15), ROWS, 1, 1);
  private final double[][] discounts = Plain.gaussian(new Random(16), ROWS, 1, 0.5);

  private static DqnSettings tiny(String... more) {
    DqnSettings tiny =
        Settings.override(
            DqnSettings.presets().get("small"),
            List.of("width=7", "representation=5", "batchSize=6", "seedSteps=0"));
    return Settings.override(tiny, List.of(more));
  }

  private static Dqn untrained(String... more) {
    return new Dqn(tiny(more), OBSERVATION, ACTIONS, new Random(1), Device.CPU);
  }

  /** Random everything, the target unlike the network. */
  private static Dqn dqn(String... more) {
    Dqn dqn = untrained(more);
    SmallWorlds.randomise(dqn.online, 2);
    SmallWorlds.randomise(dqn.target, 3);
    return dqn;
  }

  /** Before anything was learned from, observations are scaled by √(1 + 1e-5) alone. */
  private static double[] values(Parameters parameters, double[] observation) {
    double[] scaled =
        Arrays.stream(observation)
            .map(x -> Math.max(-5, Math.min(5, x / Math.sqrt(1 + 1e-5))))
            .toArray();
    return Plain.mlp(parameters, "q", 4, false, scaled);
  }

  private static int best(double[] values) {
    int best = 0;
    for (int a = 1; a < values.length; a++) {
      best = values[a] > values[best] ? a : best;
    }
    return best;
  }

  private static Space numbered() {
    return new Space.Discrete(ACTIONS);
  }

  private static UpdateInputs inputs(
      double[][] observations, double[][] actions, double[][] next, double[][] discounts) {
    Tensor none = Tensors.matrix(new double[observations.length][1]);
    return new UpdateInputs(
        Tensors.matrix(observations),
        Tensors.matrix(actions),
        Tensors.matrix(next),
        Tensors.matrix(discounts),
        none,
        none);
  }

  @Test
  void valuesAreTheirPlainComputation() {
    Dqn dqn = dqn();
    float[] found = Tensors.toFloats(dqn.values(dqn.online, Tensors.matrix(observations)));
    assertEquals(ROWS * ACTIONS, found.length);
    for (int i = 0; i < found.length; i++) {
      assertEquals(values(dqn.online, observations[i / ACTIONS])[i % ACTIONS], found[i], 1e-4);
    }
  }

  @Test
  void theNetworkChoosesTheNextActionAndTheTargetSaysWhatItIsWorth() {
    Dqn dqn = dqn();
    Tensor targets =
        dqn.targets(
            Tensors.matrix(rewards), Tensors.matrix(discounts), Tensors.matrix(nextObservations));
    assertFalse(targets.requires_grad());
    float[] found = Tensors.toFloats(targets);
    int disagreements = 0;
    for (int row = 0; row < ROWS; row++) {
      double[] byTarget = values(dqn.target, nextObservations[row]);
      int chosen = best(values(dqn.online, nextObservations[row]));
      double expected = rewards[row][0] + discounts[row][0] * byTarget[chosen];
      assertEquals(expected, found[row], 1e-4 * (1 + Math.abs(expected)));
      disagreements += chosen == best(byTarget) ? 0 : 1;
    }
    assertTrue(disagreements > 2, "or the maximum of either network would pass");
  }

  @Test
  void theLossIsTheMeanSquareOfHandComputedErrors() {
    Tensor taken = Tensors.floats(new float[] {1, 2, -1}, 3, 1);
    Tensor targets = Tensors.floats(new float[] {0, 4, -1}, 3, 1);
    assertEquals(5.0 / 3, Dqn.loss(taken, targets).item_double(), 1e-6);
  }

  /** Weights of zero leave Q = bias: (1, 2, 0, −1) online and (10, 20, 30, 40) in the target. */
  @Test
  void anUpdateOfConstantValuesIsKnownByHand() {
    Dqn dqn = untrained("targetRate=0.5", "learningRate=0.25");
    constant(dqn.online, 1, 2, 0, -1);
    constant(dqn.target, 10, 20, 30, 40);
    double[][] actions = {{0}, {3}};
    double[][] states = {{0, 0, 0}, {1, 1, 1}};
    dqn.learn(
        inputs(states, actions, states, new double[][] {{0.5}, {0}}),
        Tensors.matrix(new double[][] {{3}, {-1}}));
    Map<String, Double> metrics = new LinkedHashMap<>();
    dqn.metrics(metrics);
    // y = 3 + 0.5 · 20 = 13 and −1, Q = 1 and −1.
    assertEquals(144 / 2.0, metrics.get("q_loss"), 1e-4);
    assertEquals(0, metrics.get("q_mean"), 1e-6);
    assertEquals(2 - 0.5, metrics.get("action_gap"), 1e-6);
    // Adam's first step is the rate; only the action with an error moves.
    float[] bias = Tensors.toFloats(dqn.online.get("q.3.bias"));
    assertArrayEquals(new float[] {1.25f, 2, 0, -1}, bias, 1e-4f);
    float[] followed = Tensors.toFloats(dqn.target.get("q.3.bias"));
    assertArrayEquals(new float[] {5.625f, 11, 15, 19.5f}, followed, 1e-4f);
  }

  private static void constant(Parameters parameters, float... bias) {
    parameters.copyFrom(zero(parameters, bias));
  }

  private static Parameters zero(Parameters like, float... bias) {
    Parameters zero = new Parameters();
    like.asMap()
        .forEach(
            (name, tensor) -> {
              float[] values = new float[(int) tensor.numel()];
              if (name.equals("q.3.bias")) {
                System.arraycopy(bias, 0, values, 0, bias.length);
              }
              zero.add(name, Tensors.floats(values, tensor.sizes().vec().get()));
            });
    return zero;
  }

  @Test
  void aStepMovesTheNetworkAndTheTargetFollows() {
    Dqn dqn = dqn("targetRate=0.1");
    Parameters online = dqn.online.targetCopy();
    Parameters target = dqn.target.targetCopy();
    double[][] actions = new double[ROWS][1];
    for (int row = 0; row < ROWS; row++) {
      actions[row][0] = row % ACTIONS;
    }
    dqn.learn(inputs(observations, actions, nextObservations, discounts), Tensors.matrix(rewards));
    assertTrue(Plain.differ(online, dqn.online));
    assertNull(SmallWorlds.notAveraged(target, dqn.online, dqn.target, 0.1));
    dqn.target.asMap().values().forEach(tensor -> assertFalse(tensor.requires_grad()));
  }

  /** A corridor of five cells; entering the right end pays 1 and ends, entering the left 0.077. */
  @Test
  void aChainIsLearnedToItsExactValues() {
    int cells = 5;
    double gamma = 0.9;
    double[][] exact = new double[cells][2];
    for (int sweep = 0; sweep < 200; sweep++) {
      for (int cell = 0; cell < cells; cell++) {
        for (int a = 0; a < 2; a++) {
          double[] outcome = outcome(cell, a, cells);
          double[] there = exact[(int) outcome[0]];
          exact[cell][a] = outcome[1] + outcome[2] * gamma * Math.max(there[0], there[1]);
        }
      }
    }
    DqnSettings settings =
        Settings.override(
            tiny(), List.of("width=32", "learningRate=0.003", "targetRate=0.05", "discount=0.9"));
    Dqn dqn = new Dqn(settings, cells, 2, new Random(4), Device.CPU);
    List<double[]> states = new ArrayList<>();
    List<double[]> actions = new ArrayList<>();
    List<double[]> next = new ArrayList<>();
    List<double[]> discounted = new ArrayList<>();
    List<double[]> paid = new ArrayList<>();
    for (int cell = 0; cell < cells; cell++) {
      for (int a = 0; a < 2; a++) {
        double[] outcome = outcome(cell, a, cells);
        states.add(oneHot(cell, cells));
        actions.add(new double[] {a});
        next.add(oneHot((int) outcome[0], cells));
        paid.add(new double[] {outcome[1]});
        discounted.add(new double[] {gamma * outcome[2]});
      }
    }
    double[][] all = states.toArray(double[][]::new);
    for (int step = 0; step < 2500; step++) {
      Tensors.scoped(
          () ->
              dqn.learn(
                  inputs(
                      all,
                      actions.toArray(double[][]::new),
                      next.toArray(double[][]::new),
                      discounted.toArray(double[][]::new)),
                  Tensors.matrix(paid.toArray(double[][]::new))));
    }
    float[] found = Tensors.toFloats(dqn.values(dqn.online, Tensors.matrix(all)));
    for (int cell = 0; cell < cells; cell++) {
      for (int a = 0; a < 2; a++) {
        // Every cell is there twice, once for each action.
        assertEquals(exact[cell][a], found[2 * cell * 2 + a], 0.02, cell + " " + a);
      }
    }
    assertArrayEquals(
        new float[] {0, 1, 1, 1, 1},
        dqn.greedy(flat(cells), cells),
        "left from the left end, else right");
  }

  /** Where a move leads, what it pays and what the environment's discount is. */
  private static double[] outcome(int cell, int action, int cells) {
    int to = Math.max(0, Math.min(cells - 1, cell + (action == 0 ? -1 : 1)));
    boolean ends = action == 1 && to == cells - 1;
    double pay = ends ? 1 : to == 0 ? 0.077 : 0;
    return new double[] {to, pay, ends ? 0 : 1};
  }

  private static double[] oneHot(int cell, int cells) {
    double[] state = new double[cells];
    state[cell] = 1;
    return state;
  }

  private static float[] flat(int cells) {
    float[] rows = new float[cells * cells];
    for (int cell = 0; cell < cells; cell++) {
      rows[cell * cells + cell] = 1;
    }
    return rows;
  }

  @Test
  void observationsAreStandardisedByAllThatWereLearnedFrom() {
    ObservationScale scale = new ObservationScale(Device.CPU, 2);
    scale.add(Tensors.matrix(new double[][] {{1, 100}, {3, 100}}));
    scale.add(Tensors.matrix(new double[][] {{5, 100}, {7, 100}, {9, 100}}));
    // Mean 5, biased variance 8; the second number never moves.
    float[] found =
        Tensors.toFloats(scale.scaled(Tensors.matrix(new double[][] {{5, 100}, {9, 100.001}})));
    assertEquals(0, found[0], 1e-6);
    assertEquals(0, found[1], 1e-6);
    assertEquals(4 / Math.sqrt(8 + 1e-5), found[2], 1e-5);
    assertEquals(0.001 / Math.sqrt(1e-5), found[3], 0.01);
    float[] far = Tensors.toFloats(scale.scaled(Tensors.matrix(new double[][] {{999, -999}})));
    assertArrayEquals(new float[] {5, -5}, far);
  }

  @Test
  void epsilonIsTheShareOfRandomActions() {
    int count = 6000;
    float[] states = new float[count * OBSERVATION];
    Dqn dqn = dqn("epsilon=0.3");
    float greedy = dqn.greedy(new float[OBSERVATION], 1)[0];
    float[] actions = dqn.act(states, count, 0, new Random(3));
    int[] times = new int[ACTIONS];
    for (float action : actions) {
      times[(int) action]++;
    }
    for (int a = 0; a < ACTIONS; a++) {
      double expected = count * (0.3 / ACTIONS + (a == greedy ? 0.7 : 0));
      assertEquals(expected, times[a], 5 * Math.sqrt(expected), "action " + a);
    }
    float[] never = dqn("epsilon=0").act(states, count, 0, new Random(3));
    for (float action : never) {
      assertEquals(greedy, action);
    }
    float[] first = dqn("epsilon=0", "seedSteps=100").act(states, count, 40, new Random(3));
    int others = 0;
    for (int i = 0; i < count; i++) {
      others += first[i] == greedy ? 0 : 1;
      assertTrue(i < 60 || first[i] == greedy, "random only while seed steps last");
    }
    assertTrue(others > 30);
  }

  private static NStepReplay replay(ExplorerSettings settings) {
    NStepReplay replay = NStepReplay.of(settings, OBSERVATION, 1);
    Random random = new Random(6);
    for (int episode = 0; episode < 5; episode++) {
      float[] actions = new float[20];
      float[] discounts = new float[20];
      float[] states = new float[21 * OBSERVATION];
      for (int t = 0; t < 20; t++) {
        actions[t] = random.nextInt(ACTIONS);
        discounts[t] = 1;
      }
      for (int i = 0; i < states.length; i++) {
        states[i] = (float) random.nextGaussian();
      }
      replay.append(states, actions, discounts);
    }
    return replay;
  }

  private static RndExplorer explorer(long seed, boolean blocks) {
    return new RndExplorer(
        tiny(), OBSERVATION, numbered(), seed, Device.CPU, new RunningMoments(), blocks);
  }

  @Test
  void anExplorerResumedContinuesToTheBit() {
    RndExplorer straight = explorer(3, false);
    NStepReplay replay = replay(tiny());
    float[] seen = new float[4 * OBSERVATION];
    for (int step = 0; step < 20; step++) {
      straight.act(seen, 4);
      straight.update(replay);
    }
    RndExplorer resumed = explorer(4, false);
    assertNotEquals(straight.tensors(), resumed.tensors());
    resumed.load(straight.tensors(), "file");
    for (int step = 0; step < 20; step++) {
      assertArrayEquals(straight.act(seen, 4), resumed.act(seen, 4));
      straight.update(replay);
      resumed.update(replay(tiny()));
    }
    assertEquals(straight.tensors(), resumed.tensors());
    assertEquals(
        "[rnd_loss, error_scale, intrinsic_reward, q_loss, q_mean, action_gap]",
        resumed.metrics().keySet().toString());
  }

  @Test
  void updatesInBlocksAsAGpuRecordsThemAreThoseOneByOne() {
    RndExplorer plain = explorer(3, false);
    try (RndExplorer blocks = explorer(3, true)) {
      plain.update(replay(tiny()), 40);
      blocks.update(replay(tiny()), 40);
      assertEquals(plain.tensors(), blocks.tensors());
    }
  }

  @Test
  void nothingMayBeMissingFromAFile() {
    RndExplorer explorer = explorer(1, false);
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
  void oneTaskIsLearnedFromItsOwnRewards() {
    DqnSettings settings = tiny("width=32", "batchSize=64", "stepsPerUpdate=1", "epsilon=0.5");
    SingleTaskAgent agent = new SingleTaskAgent(settings, OBSERVATION, numbered(), 1);
    NStepReplay replay = NStepReplay.of(settings, OBSERVATION, 1);
    Random random = new Random(2);
    int steps = 4000;
    float[] states = new float[(steps + 1) * OBSERVATION];
    float[] actions = new float[steps];
    float[] paid = new float[steps];
    float[] discounts = new float[steps];
    for (int t = 0; t < steps; t++) {
      for (int i = 0; i < OBSERVATION; i++) {
        states[t * OBSERVATION + i] = (float) random.nextGaussian();
      }
      actions[t] = random.nextInt(ACTIONS);
      // What pays depends on the sign of the first number.
      paid[t] = actions[t] == (states[t * OBSERVATION] > 0 ? 2 : 1) ? 1 : 0;
    }
    replay.append(states, actions, discounts, paid);
    for (int step = 0; step < 400; step++) {
      agent.act(new float[OBSERVATION]);
      agent.learn(replay);
    }
    assertArrayEquals(new float[] {2, 1}, agent.greedy(new float[] {1, 0, 0, -1, 0, 0}));
  }

  @Test
  void settingsOfOneKindAreNotForActionsOfTheOther() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new RndExplorer(tiny(), OBSERVATION, Plain.vectors(2), 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RndExplorer(Plain.tiny(), OBSERVATION, numbered(), 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "width=0",
        "representation=0",
        "batchSize=1",
        "stepsPerUpdate=0",
        "nStep=0",
        "discount=1",
        "learningRate=0",
        "targetRate=0",
        "epsilon=-0.1",
        "epsilon=1.1",
        "epsilon=NaN",
        "seedSteps=-1",
        "replayCapacity=0"
      })
  void anImpossibleValueIsRefusedByName(String assignment) {
    UserError refused = assertThrows(UserError.class, () -> tiny(assignment));
    String key = assignment.substring(0, assignment.indexOf('='));
    assertTrue(refused.getMessage().contains(key), refused.getMessage());
  }
}
