package dev.psm.lab.infer;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static dev.psm.lab.run.TinyAgents.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Agents;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.agents.control.ControlLaplacian;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Relabelling;
import dev.psm.core.io.Json;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.collect.WanderSettings;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.ShuffledWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.run.TinyAgents;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InferenceTest {
  /** The data is larger than the pilot's sample, and in several parts. */
  private static final Inference.Cut SMALL = new Inference.Cut(2000, 3000);

  private static final WorkContext CONTEXT =
      new WorkContext(Progress.SILENT, note -> {}, () -> false);

  private static final List<String> FORMULAS =
      List.of(
          "reach_top_left",
          "x",
          "1000000 + 0.001 * y",
          "exp(-20 * distance(0.1, 0.1))",
          "x > 0.02 ? 1 : 0",
          "x < -0.15 ? -1 : y > 0 ? 1 : 0.25",
          "clip(velocity_x * 10, -1, 1) - 0.1",
          // The inverse of its scale is beyond double precision.
          "1e-310 * x",
          "7");

  @TempDir private static Path shared;
  private static Path data;

  @BeforeAll
  static void collect() {
    data = wander(shared.resolve("data"), 16, 0);
  }

  private static Path wander(Path folder, int episodes, long seed) {
    Collection.byWandering(
        MAZE,
        new Collection.Plan((long) episodes * MAZE.episodeSteps(), episodes, 2, seed),
        WanderSettings.USUAL,
        folder,
        WorkContext.of(Progress.SILENT));
    return folder;
  }

  private static List<Task> tasks() {
    return FORMULAS.stream().map(MAZE::taskOrFormula).toList();
  }

  static List<ControlAgent> agents() {
    return Agents.control();
  }

  private static Path agent(ControlAgent kind) {
    Path folder = shared.resolve(kind.id());
    if (!ZeroShotAgent.isIn(folder)) {
      TinyAgents.train(kind, data).save(folder, Json.object());
    }
    return folder;
  }

  private static InferenceResult infer(Path agent, Inference.Cut cut, int workers) {
    return Inference.run(agent, data, tasks(), cut, new LocalWorkers(workers), CONTEXT)
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("agents")
  void taskVectorsAreThoseOfAllStatesInMemory(ControlAgent kind) {
    Path folder = agent(kind);
    InferenceResult whole = infer(folder, Inference.Cut.USUAL, 1);
    InferenceResult cut = infer(folder, SMALL, 1);
    try (ZeroShotAgent loaded = ZeroShotAgent.read(folder);
        Dataset dataset = Dataset.open(data)) {
      int states = (int) dataset.transitions();
      assertEquals(states, cut.states());
      float[] observations = new float[states * MAZE.observationSize()];
      double[] physics = new double[states * MAZE.stateSize()];
      int next = 0;
      for (int episode = 0; episode < dataset.episodes(); episode++) {
        for (long row = dataset.firstRow(episode) + 1; row <= dataset.lastRow(episode); row++) {
          dataset.observations(row, 1, observations, next * MAZE.observationSize());
          dataset.physics(row, 1, physics, next * MAZE.stateSize());
          next++;
        }
      }
      double[][] rewards = new Relabelling(MAZE, 1, (done, total) -> {}).rewards(tasks(), physics);
      for (int i = 0; i < rewards.length; i++) {
        float[] wanted = loaded.solveSamples(observations, rewards[i]).taskVector();
        CanonicalReward canonical = CanonicalReward.of(rewards[i]);
        for (InferenceResult result : List.of(whole, cut)) {
          InferredTask found = result.tasks().get(i);
          String name = kind.id() + ", " + found.name();
          assertArrayEquals(wanted, found.vector(), 1e-5f, name);
          double mean = Arrays.stream(rewards[i]).average().orElseThrow();
          assertEquals(mean, found.meanReward(), 1e-9 * Math.max(1, Math.abs(mean)), name);
          // An agent's is never below the normal doubles.
          double scale = Math.max(Double.MIN_NORMAL, found.scale());
          assertEquals(canonical.scale(), found.isConstant() ? 0 : scale, 1e-6 * scale, name);
          assertTrue(found.offsetError() <= 1e-3 * canonical.scale(), name);
        }
      }
    }
  }

  @Test
  void whoPerformsThePartsAndInWhichOrderDoesNotShow() {
    Path folder = agent(Agents.control().get(0));
    String one = infer(folder, SMALL, 1).toJson().toString();
    assertEquals(one, infer(folder, SMALL, 2).toJson().toString());
    assertEquals(one, infer(folder, SMALL, 5).toJson().toString());
    for (int order = 0; order < 3; order++) {
      ShuffledWorkers others = new ShuffledWorkers(order, () -> {});
      InferenceResult found =
          Inference.run(folder, data, tasks(), SMALL, others, CONTEXT).orElseThrow();
      assertEquals(one, found.toJson().toString());
    }
  }

  /** The data is drawn anew many times; how far its vectors stray is what each said of itself. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("slow")
  void standardErrorsAreTheSpreadOverRepeatedDraws(boolean leastSquares, @TempDir Path folder) {
    Path agent = agent(leastSquares ? ControlLaplacian.AGENT : ControlForwardBackward.AGENT);
    List<Task> tasks =
        List.of(
            MAZE.taskOrFormula("x > -0.1 ? 1 : 0"),
            MAZE.taskOrFormula("y"),
            MAZE.taskOrFormula("exp(-5 * distance(0.1, 0.1))"));
    int draws = 40;
    List<InferenceResult> results = new ArrayList<>();
    for (int seed = 1; seed <= draws; seed++) {
      Path own = wander(folder.resolve("" + seed), 40, seed);
      results.add(Inference.run(agent, own, tasks, new LocalWorkers(1), CONTEXT).orElseThrow());
    }
    Map<String, Double> ratios = new TreeMap<>();
    for (int k = 0; k < tasks.size(); k++) {
      int reward = k;
      int d = results.get(0).tasks().get(k).vector().length;
      double spread = 0;
      double told = 0;
      for (int j = 0; j < d; j++) {
        int number = j;
        double[] drawn =
            results.stream().mapToDouble(r -> r.tasks().get(reward).vector()[number]).toArray();
        double mean = Arrays.stream(drawn).average().orElseThrow();
        spread += Arrays.stream(drawn).map(z -> (z - mean) * (z - mean)).sum() / (draws - 1);
        told +=
            results.stream()
                .mapToDouble(r -> r.tasks().get(reward).standardErrors()[number])
                .map(error -> error * error)
                .average()
                .orElseThrow();
      }
      double ratio = Math.sqrt(told / spread);
      ratios.put(tasks.get(k).name(), ratio);
    }
    assertTrue(
        ratios.values().stream().allMatch(ratio -> ratio > 0.75 && ratio < 1.3), ratios.toString());
  }

  @Test
  void aRewardThatCannotBePaidIsRefusedBeforeThePass() {
    Path folder = agent(Agents.control().get(0));
    List<Task> tasks = List.of(MAZE.taskOrFormula("x"), MAZE.taskOrFormula("sqrt(x)"));
    refused(
        () -> Inference.run(folder, data, tasks, new LocalWorkers(1), CONTEXT),
        "rewards: 'sqrt(x)' pays NaN in row",
        "where x = -");
  }

  /** Only one state of all pays no number, and the sample does not have it. */
  @Test
  void aRewardThatCannotBePaidInOneStateOnlyIsRefusedByThePass() {
    Path folder = agent(Agents.control().get(0));
    double largest = infer(folder, Inference.Cut.USUAL, 1).tasks().get(1).scale();
    double offset = infer(folder, Inference.Cut.USUAL, 1).tasks().get(1).offset();
    double most = offset + largest;
    List<Task> tasks =
        List.of(
            MAZE.taskOrFormula("x >= %s ? sqrt(x - 9) : 1".formatted(Math.nextDown((float) most))));
    refused(
        () -> Inference.run(folder, data, tasks, SMALL, new LocalWorkers(2), CONTEXT),
        "pays NaN in row");
  }
}
