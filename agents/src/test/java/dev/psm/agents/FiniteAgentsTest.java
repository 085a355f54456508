package dev.psm.agents;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every agent of a finite world does alike. */
class FiniteAgentsTest {
  private static final FiniteWorld ROOM = new GridWorld(SmallWorlds.ROOM);
  private static final int STEPS = 24;

  static Stream<Setup> setups() {
    String affine = "basisDimension=4,codesPerStep=4,coordinateWidth=8,basisWidth=8,solveCodes=16";
    String baseline = "featureDimension=4,forwardWidth=8,featureWidth=8,batchSize=16";
    return Stream.of(
        new Setup("psm", affine + ",enrichedCodes=3,enrichmentStart=0.4,enrichmentRounds=2"),
        new Setup(
            "psm",
            affine + ",enrichedCodes=0,enrichmentStart=0,representation=networks,expectation=mesh"),
        new Setup("fb", baseline),
        new Setup("laplacian", baseline));
  }

  /** An agent with settings that make it small. */
  record Setup(String id, String settings) {
    Agent agent() {
      return Agents.named(id, ROOM);
    }

    Trainer trainer(List<Long> seeds) {
      Record complete =
          agent()
              .settings(
                  agent().defaultPreset(ROOM),
                  ROOM,
                  null,
                  Stream.concat(Stream.of(settings.split(",")), Stream.of("gradientSteps=" + STEPS))
                      .toList());
      return agent().trainer(complete, new TrainingData.Complete(ROOM), seeds, Device.CPU);
    }
  }

  /**
   * What a model shows of itself is what it decides by: its measures, multiplied with the reward,
   * are its action values up to one factor.
   */
  @ParameterizedTest
  @MethodSource("setups")
  void measuresEarnTheActionValues(Setup setup) {
    try (Trainer trainer = setup.trainer(List.of(0L))) {
      for (int step = 0; step < STEPS; step++) {
        trainer.step();
      }
      double[] reward = new double[ROOM.stateCount()];
      reward[1] = 2;
      reward[5] = -1;
      try (FiniteModel model = (FiniteModel) trainer.model(0)) {
        List<Model> all =
            model.methods().isEmpty()
                ? List.of(model)
                : Stream.of(SolveMethod.GPI, SolveMethod.BEST, SolveMethod.LP)
                    .map(model::solvingBy)
                    .toList();
        for (Model each : all) {
          requireSame((FiniteModel) each, reward);
        }
      }
    }
  }

  private static void requireSame(FiniteModel model, double[] reward) {
    double[][] q = model.actionValues(new double[][] {reward})[0];
    int actions = q[0].length;
    double[] earned = new double[q.length * actions];
    double most = 0;
    double mostQ = 0;
    for (int pair = 0; pair < earned.length; pair++) {
      FiniteModel.LearnedMeasure learned = model.measure(pair, reward);
      assertEquals(ROOM.stateCount(), learned.policy().length);
      for (int state = 0; state < reward.length; state++) {
        earned[pair] += learned.measure()[state] * reward[state];
      }
      most = Math.max(most, Math.abs(earned[pair]));
      mostQ = Math.max(mostQ, Math.abs(q[pair / actions][pair % actions]));
      assertEquals(ROOM.stateCount(), model.basis(pair)[0].length);
    }
    assertTrue(most > 0, "nothing was learned");
    for (int pair = 0; pair < earned.length; pair++) {
      assertEquals(
          q[pair / actions][pair % actions] / mostQ, earned[pair] / most, 1e-3, "pair " + pair);
    }
  }

  /** Stopped before, within and after the rounds of enrichment. */
  @ParameterizedTest
  @MethodSource("setups")
  void aRestoredTrainerGoesOnToTheBit(Setup setup) {
    for (int stop : new int[] {1, 9, 10, 17, 23}) {
      try (Trainer whole = setup.trainer(List.of(3L, 5L));
          Trainer stopped = setup.trainer(List.of(3L, 5L));
          Trainer resumed = setup.trainer(List.of(3L, 5L))) {
        step(whole, STEPS);
        step(stopped, stop);
        for (long seed : whole.seeds()) {
          resumed.restore(seed, stopped.checkpoint(seed), "checkpoint");
        }
        assertEquals(stop, resumed.stepsDone());
        step(resumed, STEPS);
        for (long seed : whole.seeds()) {
          assertEquals(whole.checkpoint(seed), resumed.checkpoint(seed), "stopped after " + stop);
        }
        whole
            .metrics()
            .forEach((name, values) -> assertArrayEquals(values, resumed.metrics().get(name)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void seedsSideBySideAreThoseAlone(Setup setup) {
    try (Trainer both = setup.trainer(List.of(3L, 5L));
        Trainer alone = setup.trainer(List.of(5L))) {
      step(both, STEPS);
      step(alone, STEPS);
      assertEquals(alone.checkpoint(5), both.checkpoint(5));
      assertEquals(alone.metrics().keySet(), both.metrics().keySet());
      alone
          .metrics()
          .forEach((name, values) -> assertEquals(values[0], both.metrics().get(name)[1], name));
    }
  }

  /** Nothing of a checkpoint is there for nothing. */
  @ParameterizedTest
  @MethodSource("setups")
  void aCheckpointWithoutOneOfItsTensorsIsRefused(Setup setup) {
    try (Trainer trainer = setup.trainer(List.of(3L))) {
      step(trainer, 5);
      Map<String, TensorData> tensors = trainer.checkpoint(3);
      for (String name : tensors.keySet()) {
        Map<String, TensorData> fewer = new LinkedHashMap<>(tensors);
        fewer.remove(name);
        // Before its first step the table's step remembers nothing, and before enrichment there is
        // no enriched code.
        if (!name.startsWith("table_step/") && !name.equals("codebook.enriched")) {
          String message =
              assertThrows(UserError.class, () -> trainer.restore(3, fewer, "file")).getMessage();
          assertTrue(message.contains("file: tensor '" + name + "'"), message);
        }
      }
    }
  }

  /** The way of a model through its file, and its answers through the interface of all models. */
  @ParameterizedTest
  @MethodSource("setups")
  void aModelAnswersTheSameAfterItsFileAndByEitherDoor(Setup setup) {
    try (Trainer trainer = setup.trainer(List.of(3L))) {
      step(trainer, STEPS);
      FiniteModel model = (FiniteModel) trainer.model(3);
      FiniteModel loaded =
          (FiniteModel) setup.agent().model(model.shape(), ROOM, model.tensors(), "file");
      double[] goal = new double[ROOM.stateCount()];
      goal[6] = 1;
      double[][] q = model.actionValues(new double[][] {goal})[0];
      int[] greedy = FiniteModel.greedy(q);
      float[] everywhere = new float[ROOM.stateCount() * 2];
      for (int state = 0; state < ROOM.stateCount(); state++) {
        System.arraycopy(ROOM.observation(state), 0, everywhere, state * 2, 2);
      }
      float[] phi = loaded.features(everywhere);
      float[] byReward = loaded.taskVector(phi, goal);
      float[] byGoal = loaded.goalVectors(phi, loaded.features(ROOM.observation(6)));
      for (int state = 0; state < ROOM.stateCount(); state++) {
        float[] observation = ROOM.observation(state);
        assertEquals(greedy[state], loaded.act(observation, byReward)[0], "state " + state);
        assertEquals(greedy[state], loaded.act(observation, byGoal)[0], "state " + state);
      }
      loaded.close();
      model.close();
    }
  }

  @Test
  void aRewardKnownInAFewStatesTakesTheOthersForOrdinary() {
    try (Trainer trainer = setups().findFirst().orElseThrow().trainer(List.of(3L))) {
      step(trainer, STEPS);
      try (Model model = trainer.model(3)) {
        float[] few = new float[6];
        for (int i = 0; i < 3; i++) {
          System.arraycopy(ROOM.observation(i), 0, few, 2 * i, 2);
        }
        double[] full = new double[ROOM.stateCount()];
        full[1] = 1;
        float[] expected = model.goalVectors(new float[0], model.features(ROOM.observation(1)));
        assertArrayEquals(
            expected, model.taskVector(model.features(few), new double[] {7, 9, 7}), 1e-5f);
      }
    }
  }

  @Test
  void whatLooksLikeNoStateIsRefused() {
    try (Trainer trainer = setups().findFirst().orElseThrow().trainer(List.of(0L));
        Model model = trainer.model(0)) {
      String message =
          assertThrows(UserError.class, () -> model.features(new float[] {0, 0, 0.1f, Float.NaN}))
              .getMessage();
      assertTrue(message.contains("observation 1 (from 0), [0.1, NaN]"), message);
      float[] last = ROOM.observation(ROOM.stateCount() - 1);
      float[] cells = {ROOM.stateCount(), ROOM.stateCount()};
      message = assertThrows(UserError.class, () -> model.features(cells)).getMessage();
      assertTrue(message.endsWith("of which the nearest is " + Arrays.toString(last)), message);
    }
  }

  @Test
  void agentsSayWhichWorldsTheyLearn() {
    assertEquals("PSM", Agents.named("psm", ROOM).title());
    assertTrue(Agents.named("psm", ROOM) != Agents.named("psm", SmallWorlds.BODY));
    String other = assertThrows(UserError.class, () -> Agents.named("hilp", ROOM)).getMessage();
    assertTrue(other.contains("agent hilp learns data with vectors as actions"), other);
    assertTrue(other.contains("of it learn psm, fb, laplacian"), other);
    String unknown = assertThrows(UserError.class, () -> Agents.named("psn", ROOM)).getMessage();
    assertTrue(unknown.contains("no agent 'psn'; did you mean 'psm'"), unknown);
  }

  private static void step(Trainer trainer, int until) {
    while (trainer.stepsDone() < until) {
      trainer.step();
    }
  }
}
