package dev.psm.lab.run;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static dev.psm.lab.run.TinyAgents.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlModel;
import dev.psm.agents.control.Hilp;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.Task;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Progress;
import dev.psm.torch.Device;
import dev.psm.torch.TorchRuntime;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZeroShotAgentTest {
  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path run;
  private static List<ZeroShotAgent> trained;

  @BeforeAll
  static void train() {
    Path data = shared.resolve("data");
    run = shared.resolve("run");
    TinyAgents.collect(MAZE, data);
    trained = TinyAgents.train(MAZE, data, List.of(0L, 1L));
    TinyAgents.save(trained, run);
  }

  private static float[] state(int row) {
    int width = MAZE.observationSize();
    return Arrays.copyOfRange(
        trained.get(0).sample().observations(), row * width, (row + 1) * width);
  }

  @Test
  void aLoadedAgentActsAsTheSavedOneToTheBit() {
    for (int seed = 0; seed < 2; seed++) {
      ZeroShotAgent loaded = ZeroShotAgent.load(run, seed);
      for (String prompt : List.of("reach_top_left", "exp(-distance(0.1, 0.1))", "abs(x)")) {
        // The quantities are stored in single precision.
        assertArrayEquals(
            trained.get(seed).solve(prompt).act(state(1)),
            loaded.solve(prompt).act(state(1)),
            1e-5f);
      }
      ZeroShotPolicy before = trained.get(seed).solveGoal(state(3));
      ZeroShotPolicy after = loaded.solveGoal(state(3));
      assertArrayEquals(before.taskVector(), after.taskVector());
      for (int row = 0; row < 5; row++) {
        assertArrayEquals(before.act(state(row)), after.act(state(row)));
      }
    }
  }

  @Test
  void ofARunTheLowestSeedIsTakenAndAnAgentsOwnFolderWillDo() {
    float[] first = ZeroShotAgent.load(run).solveGoal(state(0)).taskVector();
    assertArrayEquals(ZeroShotAgent.load(run, 0).solveGoal(state(0)).taskVector(), first);
    assertArrayEquals(
        ZeroShotAgent.load(run.resolve("seed-0")).solveGoal(state(0)).taskVector(), first);
    float[] other = ZeroShotAgent.load(run, 1).solveGoal(state(0)).taskVector();
    assertFalse(Arrays.equals(first, other), "seeds differ");
    assertEquals(List.of(0L, 1L), AgentFolder.open(run).seeds());
    assertEquals(MAZE, AgentFolder.open(run).world());
  }

  @Test
  void seedsAreInTheOrderOfNumbers() throws IOException {
    for (long seed : new long[] {Long.MAX_VALUE, 10, 2, Long.MIN_VALUE}) {
      trained.get(0).save(fresh.resolve("seed-" + seed), Json.object());
    }
    Files.createDirectory(fresh.resolve("seed-1"));
    Files.createDirectory(fresh.resolve("seed-x"));
    Files.createDirectory(fresh.resolve("seed-9999999999999999999"));
    assertEquals(List.of(Long.MIN_VALUE, 2L, 10L, Long.MAX_VALUE), AgentFolder.open(fresh).seeds());
    refused(() -> ZeroShotAgent.load(fresh, 1), "has not saved a model of seed 1 yet", "2, 10");
    refused(() -> ZeroShotAgent.load(fresh, 3), "has no seed 3", "2, 10");
  }

  @Test
  void anAgentOfAnotherSeedOrRunIsRefused() {
    for (long seed : new long[] {0, 1}) {
      ObjectNode about = Json.object().put("seed", 1);
      about.putObject("data").put("fingerprint", "abc");
      trained.get(0).save(fresh.resolve("seed-" + seed), about);
    }
    String other = fresh.resolve("seed-0/model.json").toString();
    refused(() -> ZeroShotAgent.load(fresh), other, "field seed: expected 0", "found 1");
    refused(() -> ZeroShotAgent.load(fresh, 0), other, "field seed: expected 0", "found 1");
    ZeroShotAgent.load(fresh, 1).close();
    ObjectNode description = Json.object().put("agent", "fb");
    Path file = fresh.resolve("run.json");
    Json.write(file, description);
    refused(
        () -> ZeroShotAgent.load(fresh, 1),
        "seed-1/model.json, field agent: expected fb as " + file + " says, found psm");
    description.put("agent", "psm").putObject("data").put("fingerprint", "abd");
    Json.write(file, description);
    refused(() -> ZeroShotAgent.load(fresh, 1), "field data.fingerprint: expected abd");
    description.withObject("/data").put("fingerprint", "abc");
    Json.write(file, description);
    ZeroShotAgent.load(fresh, 1).close();
  }

  @Test
  void aFolderWithoutAnAgentIsRefusedByWhatItHolds() throws IOException {
    refused(() -> ZeroShotAgent.load(fresh.resolve("none")), "none is not a folder");
    refused(() -> ZeroShotAgent.load(fresh), "holds no agent");
    refused(() -> ZeroShotAgent.load(run.resolve("seed-0"), 1), "single agent", "no seed");
    Files.createDirectory(fresh.resolve("seed-0"));
    refused(
        () -> ZeroShotAgent.load(fresh),
        "training has not saved a model yet",
        "if it is no longer under way, resume it");
    Files.delete(fresh.resolve("seed-0"));
    Json.write(fresh.resolve("run.json"), Json.object());
    refused(() -> ZeroShotAgent.load(fresh), "training has not saved a model yet");
    Json.write(fresh.resolve("model.json"), Json.object().put("format", 1));
    refused(() -> ZeroShotAgent.load(fresh), "key 'environment' is missing");
  }

  @ParameterizedTest
  @CsvSource({
    "format,psm zero-shot agent 9,expected 'psm model 2'",
    "environment,point_mass_mace,did you mean 'point_mass_maze'?",
    "environment,walker,model.safetensors",
    "agent,hilp,field shape: expected the kind CENTRED_FEATURES",
    "agent,psn,did you mean 'psm'?",
    "agent,,field agent",
    "data,somewhere,field data",
    "tensorsSha256,123,field tensorsSha256",
    "shape,8,expected an object"
  })
  void anEditedDescriptionIsRefusedByItsField(String field, String value, String word) {
    trained.get(0).save(fresh, Json.object());
    Path file = fresh.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    description.put(field, value);
    // Without a description the name alone tells the world.
    description.remove("world");
    Json.write(file, description);
    refused(() -> ZeroShotAgent.load(fresh), word, fresh.toString());
  }

  /**
   * Models of Forward-Backward and Laplacian from before features could be those of goals alone.
   */
  @ParameterizedTest
  @ValueSource(strings = {"fb", "laplacian"})
  void aModelThatDoesNotSayWhatFeaturesTellApartTellsBoth(String id) {
    World world = Worlds.named("fetchreach_discrete");
    Agent agent = Agents.named(id, world);
    Path data = fresh.resolve("data");
    TinyAgents.collect(world, data);
    List<String> sizes = List.of("batchSize=16", "featureDimension=4", "width=8", "featureWidth=8");
    try (Dataset dataset = Dataset.open(data);
        Trainer trainer =
            agent.trainer(
                Settings.override(agent.preset("small", world), sizes),
                new TrainingData.Recorded(world, dataset),
                List.of(0L),
                Device.CPU);
        ZeroShotAgent made =
            new ZeroShotAgent(
                id, trainer.model(0), world, InferenceSample.draw(dataset, world, 20, 0, 1))) {
      made.save(fresh, Json.object());
      Path file = fresh.resolve("model.json");
      ObjectNode description = (ObjectNode) Json.read(file);
      assertEquals("both", ((ObjectNode) description.get("shape")).remove("featureScope").asText());
      Json.write(file, description);
      try (ZeroShotAgent loaded = ZeroShotAgent.load(fresh)) {
        assertEquals(made.model().shape(), loaded.model().shape());
        float[] observation = Arrays.copyOf(made.sample().observations(), world.observationSize());
        assertArrayEquals(
            made.solveGoal(observation).taskVector(), loaded.solveGoal(observation).taskVector());
      }
    }
  }

  @Test
  void aWorldThatIsNotAsDescribedIsRefused() {
    trained.get(0).save(fresh, Json.object());
    Path file = fresh.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    assertEquals("point_mass_maze", description.at("/world/name").asText());
    ((ObjectNode) description.at("/world/quantities/0")).put("name", "renamed");
    description.withObject("/world").putArray("place");
    description.withObject("/world").putArray("tasks");
    description.withObject("/world").remove("furtherTasks");
    Json.write(file, description);
    refused(
        () -> ZeroShotAgent.load(fresh),
        "field environment: 'point_mass_maze' is described with quantities [renamed");
  }

  @ParameterizedTest
  @CsvSource({"guess,'field shape'", "centred-features,'expected the kind MEASURE'"})
  void aKindThatIsNotTheAgentsIsRefused(String kind, String word) {
    trained.get(0).save(fresh, Json.object());
    Path file = fresh.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    ((ObjectNode) description.get("shape")).put("kind", kind);
    Json.write(file, description);
    refused(() -> ZeroShotAgent.load(fresh), word, fresh.toString());
  }

  /** Sizes that no file has the tensors for: allocated first, they would take many gigabytes. */
  @ParameterizedTest
  @CsvSource({
    "width,2000000000,'field shape: width must be from 2 to 65536, found 2000000000'",
    "width,65536,'tensor ''actor.first.0.weight'' has shape'",
    "featureWidth,65536,'tensor ''features.0.weight'' has shape'",
    "featureDimension,65536,'tensor ''features.2.weight'' has shape'",
    "featureDimension,2147483647,featureDimension must be from 1 to 65536",
    "featureDimension,-1,featureDimension must be from 1 to 65536"
  })
  void sizesAreComparedWithTheTensorsBeforeAnythingIsAllocated(
      String setting, long value, String word) {
    trained.get(0).save(fresh, Json.object());
    Path file = fresh.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    ((ObjectNode) description.at("/shape/networks")).put(setting, value);
    Json.write(file, description);
    refused(() -> ZeroShotAgent.load(fresh), word, fresh.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "7", "{}", "{\"format\": 2}", "{\"format\": null}"})
  void aDescriptionOfNoKnownFormatIsRefusedByName(String text) throws IOException {
    trained.get(0).save(fresh, Json.object());
    Files.writeString(fresh.resolve("model.json"), text);
    refused(() -> ZeroShotAgent.load(fresh), fresh.resolve("model.json").toString(), "format");
    refused(
        () -> AgentFolder.open(fresh).world(), fresh.resolve("model.json").toString(), "format");
    assertFalse(ZeroShotAgent.isIn(fresh));
  }

  /** Weights that a hash approves of but nothing can be computed with. */
  @Test
  void anAgentThatCannotActIsRefusedByItsFile() {
    ControlAgent hilp = Hilp.AGENT;
    ZeroShotAgent psm = trained.get(0);
    ZeroShotAgent broken =
        new ZeroShotAgent(
            hilp.id(),
            new ControlModel(
                new ControlModel.Shape(
                    hilp.modelKind(), ((ControlModel) psm.model()).shape().networks()),
                MAZE.observationSize(),
                MAZE.actionSize()),
            MAZE,
            psm.sample());
    Map<String, TensorData> tensors = broken.tensors();
    float[] centre = new float[psm.model().featureDimension()];
    centre[0] = Float.MAX_VALUE;
    centre[1] = Float.NaN;
    tensors.put("features.centre", TensorData.of(centre, 1, 1, centre.length));
    broken.save(fresh, Json.object(), tensors, Long.MAX_VALUE);
    refused(
        () -> ZeroShotAgent.load(fresh),
        fresh.resolve("model.safetensors").toString(),
        "'features.centre'",
        "found NaN");
  }

  @Test
  void weightsTooLargeForAnActionAreRefusedWithTheirFile(@TempDir Path fresh) {
    ZeroShotAgent psm = trained.get(0);
    Map<String, TensorData> tensors = psm.tensors();
    for (Map.Entry<String, TensorData> each : tensors.entrySet()) {
      if (each.getKey().startsWith("actor.")) {
        float[] huge = new float[(int) each.getValue().elementCount()];
        Arrays.fill(huge, 3e38f);
        each.setValue(TensorData.of(huge, each.getValue().shape()));
      }
    }
    psm.save(fresh, Json.object(), tensors, Long.MAX_VALUE);
    refused(
        () -> ZeroShotAgent.load(fresh),
        fresh.resolve("model.safetensors").toString(),
        "the action must be finite");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 60, -40, -1})
  void damagedTensorsAreRefused(int at) throws IOException {
    trained.get(0).save(fresh, Json.object());
    Path file = fresh.resolve("model.safetensors");
    byte[] bytes = Files.readAllBytes(file);
    if (at == 5 || at == 0) {
      Files.write(file, Arrays.copyOf(bytes, at * bytes.length / 10));
    } else {
      bytes[at < 0 ? bytes.length + at : at] ^= 1;
      Files.write(file, bytes);
    }
    refused(() -> ZeroShotAgent.load(fresh), "model.safetensors");
  }

  @Test
  void filesOfDifferentSavesAreNotOneAgent() throws IOException {
    Path next = fresh.resolve("next");
    trained.get(0).save(fresh, Json.object());
    trained.get(1).save(next, Json.object());
    copy(next, "model.safetensors");
    refused(
        () -> ZeroShotAgent.load(fresh),
        "model.json and model.safetensors are of different saves",
        "resume the run, which writes both anew");
    CompletableFuture<Void> trainer =
        CompletableFuture.runAsync(
            () -> copy(next, "model.json"),
            CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
    assertArrayEquals(
        trained.get(1).solveGoal(state(0)).taskVector(),
        ZeroShotAgent.load(fresh).solveGoal(state(0)).taskVector(),
        "whoever comes between the two files of a save waits for the second");
    trainer.join();
  }

  private void copy(Path from, String name) {
    try {
      Files.copy(from.resolve(name), fresh.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anEvaluationStopsWithinAStep() {
    AtomicInteger asked = new AtomicInteger();
    assertEquals(
        Optional.empty(),
        Evaluation.run(
            trained.get(0),
            MAZE.tasks(),
            1,
            0,
            1,
            Progress.SILENT,
            () -> asked.incrementAndGet() == 3));
    assertEquals(3, asked.get());
  }

  @Test
  void anEvaluationActsOnOneThreadAndThenTrainingHasItsOwnAgain() {
    int usual = TorchRuntime.threads();
    torch.set_num_threads(3);
    try {
      List<Integer> threads = new ArrayList<>();
      Evaluation.run(
          trained.get(0),
          MAZE.tasks(),
          1,
          0,
          2,
          Progress.SILENT,
          () -> threads.add(TorchRuntime.threads()) && threads.size() == 2);
      assertEquals(List.of(1, 1), threads);
      assertEquals(3, TorchRuntime.threads());
    } finally {
      torch.set_num_threads(usual);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped", "point_mass_maze", "fetchreach"})
  void rewardsOfTheLoadedSampleAreThoseOfTheDrawnOne(String name) {
    World world = Worlds.named(name);
    Path data = fresh.resolve("data");
    TinyAgents.collect(world, data);
    InferenceSample drawn;
    try (Dataset dataset = Dataset.open(data)) {
      drawn = InferenceSample.draw(dataset, world, TinyAgents.SAMPLE, 1, 2);
    }
    InferenceSample loaded = InferenceSample.load(drawn.tensors(world), world, "file");
    assertArrayEquals(drawn.observations(), loaded.observations());
    for (Task task : world.tasks()) {
      assertArrayEquals(
          drawn.quantities().orElseThrow().rewards(task),
          loaded.quantities().orElseThrow().rewards(task),
          1e-5,
          task.name());
    }
  }

  @Test
  void everyKindOfPromptBecomesATaskVectorOnTheSphere() {
    ZeroShotAgent agent = trained.get(0);
    int width = MAZE.observationSize();
    float[] states = Arrays.copyOf(agent.sample().observations(), 20 * width);
    double[] pay = new double[20];
    pay[4] = 1;
    for (ZeroShotPolicy policy :
        List.of(
            agent.solve("reach_top_left"),
            agent.solve("x + 1"),
            agent.solveGoal(state(7)),
            agent.solveSamples(states, pay),
            agent.track(states, 5))) {
      double squares = 0;
      for (float each : policy.taskVector()) {
        squares += each * each;
      }
      assertEquals(agent.model().featureDimension(), squares, 1e-3);
    }
    assertArrayEquals(
        agent.solveGoal(state(4)).taskVector(),
        agent.solveSamples(states, pay).taskVector(),
        1e-4f,
        "a reward in one place is a goal");
  }

  @Test
  void aDemonstrationMovesOnWithEveryStepAndStaysAtItsEnd() {
    ZeroShotAgent agent = trained.get(0);
    int width = MAZE.observationSize();
    float[] states = Arrays.copyOf(agent.sample().observations(), 4 * width);
    ZeroShotPolicy following = agent.track(states, 1);
    for (int again = 0; again < 2; again++) {
      for (int step = 0; step < 6; step++) {
        float[] towards = agent.solveGoal(state(Math.min(step + 1, 3))).act(state(9));
        assertArrayEquals(towards, following.act(state(9)), 1e-5f, "step " + step);
      }
      following.restart();
    }
    float[] far = agent.track(states, 100).taskVector();
    assertFalse(Arrays.equals(far, following.taskVector()), "the window matters");
  }

  @Test
  void promptsOfTheWrongSizeAreRefused() {
    ZeroShotAgent agent = trained.get(0);
    refused(() -> agent.solveGoal(new float[3]), "as the goal, 4 numbers", "found 3");
    refused(() -> agent.solveGoal(new float[8]), "as the goal, 4 numbers", "found 8");
    refused(() -> agent.track(new float[4], 1), "at least 2 states");
    refused(() -> agent.track(new float[10], 1), "has 4 numbers");
    refused(() -> agent.track(new float[8], 0), "a window of at least 1");
    refused(() -> agent.solveSamples(new float[8], new double[1]), "expected 1 of them");
    refused(() -> agent.solve("x + velocitee"), "velocitee");
    refused(() -> agent.solve("reach_top_middle"), "reach_top_");
    refused(() -> agent.solve("1 / (x - x)"), "not finite in 300 of 300 states");
  }

  @Test
  void neitherAnOffsetNorAScaleOfAFormulaMovesTheTaskVector() {
    ZeroShotAgent agent = trained.get(0);
    String reward = "x * y + abs(velocity_x)";
    float[] expected = agent.solve(reward).taskVector();
    for (String same :
        List.of("1e-300 * (%s)", "1e300 * (%s)", "100 + %s", "%s - 100", "7 * (%s) - 10")) {
      String formula = same.formatted(reward);
      assertArrayEquals(expected, agent.solve(formula).taskVector(), 1e-6f, formula);
    }
  }

  @Test
  void numbersBeyondTheNetworksAreRefusedAtTheDoor() {
    ZeroShotAgent agent = trained.get(0);
    float[] states = Arrays.copyOf(agent.sample().observations(), 3 * MAZE.observationSize());
    for (float bad :
        new float[] {(float) 1e16, (float) -1e18, 1e38f, Float.NaN, Float.POSITIVE_INFINITY}) {
      float[] wrong = states.clone();
      wrong[6] = bad;
      float[] goal = Arrays.copyOfRange(wrong, 4, 8);
      String found = "is " + bad;
      refused(() -> agent.solveGoal(goal), "number 2 of observation 0", found, "in its data");
      refused(() -> agent.track(wrong, 1), "number 2 of observation 1", found);
      refused(() -> agent.solveSamples(wrong, new double[] {0, 1, 2}), "observation 1", found);
      ZeroShotPolicy policy = agent.solve("x");
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> policy.act(goal))
              .getMessage()
              .contains("must be finite"));
    }
    refused(
        () -> agent.solveSamples(states, new double[] {0, Double.NaN, 1}), "sample 1", "is NaN");
  }

  @Test
  void withoutPhysicsThereAreNoRewardsButGoals() {
    ZeroShotAgent whole = trained.get(0);
    ZeroShotAgent blind =
        new ZeroShotAgent(
            "psm",
            whole.model(),
            MAZE,
            new InferenceSample(whole.sample().observations(), Optional.empty()));
    blind.save(fresh, Json.object());
    ZeroShotAgent loaded = ZeroShotAgent.load(fresh);
    refused(() -> loaded.solve("reach_top_left"), "without physics");
    assertArrayEquals(
        whole.solveGoal(state(1)).taskVector(), loaded.solveGoal(state(1)).taskVector());
  }
}
