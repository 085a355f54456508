package dev.psm.lab.run;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static dev.psm.lab.run.TinyAgents.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlModel;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.DType;
import dev.psm.core.io.Float16;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.core.reward.Task;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentExportTest {
  private static final long WHOLE = 1_000_000;

  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path run;
  private static Path data;
  private static List<ZeroShotAgent> trained;

  @BeforeAll
  static void train() {
    data = shared.resolve("data");
    run = shared.resolve("run");
    TinyAgents.collect(MAZE, data);
    trained = TinyAgents.train(MAZE, data, List.of(0L, 1L));
    TinyAgents.save(trained, run);
  }

  private static AgentExport.Options options(boolean float16, long shardBytes) {
    return new AgentExport.Options(float16, OptionalInt.empty(), shardBytes, false);
  }

  private AgentExport.Result export(boolean float16, long shardBytes) {
    return AgentExport.run(
        run, OptionalLong.empty(), fresh.resolve("out"), options(float16, shardBytes));
  }

  private static float[] states(ZeroShotAgent agent, int from, int count) {
    int width = agent.environment().observationSize();
    return Arrays.copyOfRange(agent.sample().observations(), from * width, (from + count) * width);
  }

  /** One prompt of every kind. */
  private static List<ZeroShotPolicy> policies(ZeroShotAgent agent, ZeroShotAgent prompting) {
    float[] states = states(prompting, 0, 20);
    double[] pay = new double[20];
    pay[4] = 1;
    return List.of(
        agent.solve("reach_top_left"),
        agent.solve("exp(-distance(0.1, 0.1))"),
        agent.solve("x > 0.02 ? 1 : velocity_y"),
        agent.solveGoal(states(prompting, 7, 1)),
        agent.solveSamples(states, pay),
        agent.track(states, 5));
  }

  @ParameterizedTest
  @CsvSource({"false,1000000", "false,4000", "true,1000000", "true,4000"})
  void anExportedAgentAnswersEveryPromptAsTheOriginal(boolean float16, long shardBytes) {
    AgentExport.Result result = export(float16, shardBytes);
    assertEquals(shardBytes == WHOLE, result.files().containsKey("model.safetensors"));
    assertTrue(shardBytes == WHOLE || result.files().size() > 3, result.files().toString());
    ZeroShotAgent original = ZeroShotAgent.load(run);
    ZeroShotAgent shipped = ZeroShotAgent.load(fresh.resolve("out"));
    List<ZeroShotPolicy> before = policies(original, original);
    List<ZeroShotPolicy> after = policies(shipped, original);
    for (int i = 0; i < before.size(); i++) {
      double cosine = Agreement.cosine(before.get(i).taskVector(), after.get(i).taskVector());
      assertTrue(cosine > 0.999, "prompt " + i + ": " + cosine);
      for (int row = 0; row < 30; row++) {
        float[] state = states(original, row, 1);
        assertArrayEquals(
            before.get(i).act(state), after.get(i).act(state), float16 ? 2e-2f : 0, "prompt " + i);
      }
    }
    for (Task task : MAZE.tasks()) {
      assertArrayEquals(original.rewards(task), shipped.rewards(task), 1e-3, task.name());
    }
    assertEquals(float16, result.agreement().maxDifference() > 0);
    assertTrue(result.agreement().maxDifference() < 2e-2, result.agreement().toString());
  }

  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void everyMethodSurvivesHalfPrecision(ControlAgent kind) {
    TinyAgents.train(kind, data).save(fresh.resolve("agent"), Json.object());
    AgentExport.Result result =
        AgentExport.run(
            fresh.resolve("agent"),
            OptionalLong.empty(),
            fresh.resolve("out"),
            options(true, WHOLE));
    result
        .agreement()
        .tasks()
        .forEach(
            (task, part) ->
                assertTrue(
                    Double.isNaN(part.cosine()) || part.cosine() > 0.999, task + " " + part));
    assertTrue(result.agreement().maxDifference() < 2e-2, result.agreement().toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped", "point_mass_maze", "fetchreach"})
  void quantitiesMustStayInSinglePrecisionForRewardsToStayTheSame(String name) {
    World world = Worlds.named(name);
    Path folder = fresh.resolve("data");
    TinyAgents.collect(world, folder);
    InferenceSample drawn;
    try (Dataset dataset = Dataset.open(folder)) {
      drawn = InferenceSample.draw(dataset, world, 1000, 1, 2);
    }
    Map<String, TensorData> shipped = new LinkedHashMap<>();
    Map<String, TensorData> halved = new LinkedHashMap<>();
    drawn
        .tensors(world)
        .forEach(
            (tensor, values) -> {
              TensorData half = Float16.widen(Float16.narrow(tensor, values));
              halved.put(tensor, half);
              shipped.put(tensor, InferenceSample.mustBePrecise(tensor, MAZE) ? values : half);
            });
    double worst = 0;
    for (Task task : world.tasks()) {
      double[] exact = drawn.quantities().orElseThrow().rewards(task);
      InferenceSample sample = InferenceSample.load(shipped, world, "file");
      assertArrayEquals(exact, sample.quantities().orElseThrow().rewards(task), 1e-3, task.name());
    }
    // A formula has the slopes and edges that its author likes.
    for (String formula : sharp(world)) {
      Task task = world.taskOrFormula(formula);
      double[] exact = drawn.quantities().orElseThrow().rewards(task);
      double[] half =
          InferenceSample.load(halved, world, "file").quantities().orElseThrow().rewards(task);
      for (int i = 0; i < exact.length; i++) {
        worst = Math.max(worst, Math.abs(exact[i] - half[i]));
      }
    }
    assertTrue(worst > 1e-3, "half precision would do for quantities: " + worst);
  }

  private static List<String> sharp(World world) {
    return world.quantities().stream()
        .filter(quantity -> quantity.name().startsWith("velocity") || quantity.unit().equals("m"))
        .map(quantity -> "tolerance(%s, 0.05, 0.1, 0.05)".formatted(quantity.name()))
        .toList();
  }

  @Test
  void onDiskWeightsAndObservationsAreHalvedAndQuantitiesAreNot() {
    AgentExport.Result whole = export(false, WHOLE);
    Map<String, TensorData> original =
        Safetensors.read(run.resolve("seed-0/model.safetensors")).tensors();
    Path file = fresh.resolve("out/model.safetensors");
    assertEquals(original, Safetensors.read(file).tensors(), "without float16 nothing changes");
    AgentExport.Result half =
        AgentExport.run(
            run,
            OptionalLong.empty(),
            fresh.resolve("out"),
            new AgentExport.Options(true, OptionalInt.empty(), WHOLE, true));
    Safetensors.read(file)
        .tensors()
        .forEach(
            (name, tensor) ->
                assertEquals(
                    name.startsWith("sample.quantity.") ? DType.F32 : DType.F16,
                    tensor.dtype(),
                    name));
    assertTrue(half.files().get("model.safetensors") < whole.files().get("model.safetensors"));
    assertTrue(whole.originalBytes() > 0);
  }

  @Test
  void aSmallerSampleIsTheBeginningOfTheOriginalOne() {
    AgentExport.Result result =
        AgentExport.run(
            run,
            OptionalLong.of(1),
            fresh.resolve("out"),
            new AgentExport.Options(false, OptionalInt.of(50), WHOLE, false));
    ZeroShotAgent original = ZeroShotAgent.load(run, 1);
    ZeroShotAgent shipped = ZeroShotAgent.load(fresh.resolve("out"));
    assertArrayEquals(states(original, 0, 50), shipped.sample().observations());
    Task task = MAZE.task("reach_top_left");
    assertArrayEquals(Arrays.copyOf(original.rewards(task), 50), shipped.rewards(task));
    assertEquals(TinyAgents.SAMPLE, result.agreement().states(), "compared in all states");
    assertTrue(result.agreement().tasks().get("reach_top_left").cosine() < 1);
    assertEquals(50, result.description().at("/export/sampleStates").asInt());
  }

  @Test
  void provenanceTravelsWithoutPathsOfTheMachine() {
    ObjectNode about = Json.object();
    about.put("preset", "small").put("seed", 0).put("gradientSteps", 20);
    about.putObject("settings").put("width", 16);
    about.putObject("data").put("collector", "rnd").put("fingerprint", "abc");
    about.putObject("provenance").put("java", "17").put("home", "C:\\Users\\me\\psm\\");
    about.putArray("logs").add("/var/log/me").addObject().put("file", "/a/b/c");
    Path own = fresh.resolve("walks");
    trained.get(0).save(own.resolve("seed-0"), about);
    ObjectNode description = Json.object();
    description.putArray("seeds").add(0).add(3);
    description
        .putObject("data")
        .put("folder", "/home/me/data/maze")
        .put("episodes", 2)
        .put("collector", "other");
    Json.write(own.resolve("run.json"), description);
    AgentExport.run(own, OptionalLong.empty(), fresh.resolve("out"), options(true, WHOLE));
    JsonNode shipped = Json.read(fresh.resolve("out/model.json"));
    assertEquals("psm", shipped.path("agent").asText());
    assertEquals("small", shipped.path("preset").asText());
    assertEquals(20, shipped.path("gradientSteps").asInt());
    assertEquals(16, shipped.at("/settings/width").asInt());
    assertEquals("[0,3]", shipped.path("seedsOfRun").toString());
    assertEquals("maze", shipped.at("/data/folder").asText());
    assertEquals("rnd", shipped.at("/data/collector").asText());
    assertEquals("abc", shipped.at("/data/fingerprint").asText());
    assertEquals(2, shipped.at("/data/episodes").asInt());
    assertEquals("psm", shipped.at("/provenance/home").asText());
    assertEquals("[\"me\",{\"file\":\"c\"}]", shipped.path("logs").toString());
    assertEquals("walks/seed-0", shipped.at("/export/from").asText());
    assertEquals("float16", shipped.at("/export/weights").asText());
    assertEquals(
        Json.read(own.resolve("seed-0/model.json")).path("tensorsSha256"),
        shipped.at("/export/originalTensorsSha256"));
    assertTrue(shipped.at("/export/software/libtorch").isTextual());
    assertTrue(shipped.at("/export/agreement/tasks/reach_top_left/cosine").isNumber());
    assertFalse(shipped.toString().contains(fresh.toString()));
    assertFalse(shipped.toString().contains("/home"));

    AgentExport.run(
        fresh.resolve("out"), OptionalLong.empty(), fresh.resolve("again"), options(false, WHOLE));
    JsonNode again = Json.read(fresh.resolve("again/model.json"));
    assertEquals("float32", again.at("/export/weights").asText());
    assertEquals("float16", again.at("/export/before/weights").asText(), "once rounded is told");
    assertEquals(0, again.at("/export/agreement/maxActionDifference").asDouble());
  }

  @Test
  void withoutPhysicsGoalsAreCompared() {
    ZeroShotAgent whole = trained.get(0);
    new ZeroShotAgent(
            "psm",
            whole.model(),
            MAZE,
            new InferenceSample(whole.sample().observations(), Optional.empty()))
        .save(fresh.resolve("agent"), Json.object());
    AgentExport.Result result =
        AgentExport.run(
            fresh.resolve("agent"),
            OptionalLong.empty(),
            fresh.resolve("out"),
            options(true, WHOLE));
    assertTrue(result.agreement().tasks().isEmpty());
    assertTrue(result.agreement().goals().cosine() > 0.999);
    ZeroShotAgent shipped = ZeroShotAgent.load(fresh.resolve("out"));
    refused(() -> shipped.solve("reach_top_left"), "without physics");
  }

  @Test
  void whatHalfPrecisionCannotHoldIsRefusedByName() throws IOException {
    ZeroShotAgent tame = trained.get(0);
    ControlModel model =
        new ControlModel(
            ((ControlModel) tame.model()).shape(), MAZE.observationSize(), MAZE.actionSize());
    Map<String, TensorData> tensors = new LinkedHashMap<>(tame.model().tensors());
    tensors.put("features.0.bias", spoilt(tensors.get("features.0.bias"), 70000));
    model.load(tensors, "test");
    new ZeroShotAgent("psm", model, MAZE, tame.sample()).save(fresh.resolve("wild"), Json.object());
    refused(
        () ->
            AgentExport.run(
                fresh.resolve("wild"),
                OptionalLong.empty(),
                fresh.resolve("out"),
                options(true, WHOLE)),
        "'features.0.bias'",
        "element 2 is 70000",
        "float16");
    assertEquals(List.of("wild"), names(fresh), "nothing is left behind");
  }

  private static TensorData spoilt(TensorData tensor, float value) {
    float[] values = tensor.floats();
    values[2] = value;
    return TensorData.of(values, tensor.shape());
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void onlyAnAgentIsReplacedAndOnlyWhenAsked() throws IOException {
    export(true, 4_000);
    Path out = fresh.resolve("out");
    refused(() -> export(true, 4_000), "already holds an agent; replace it");
    AgentExport.Options force = new AgentExport.Options(false, OptionalInt.empty(), WHOLE, true);
    AgentExport.run(run, OptionalLong.of(1), out, force);
    assertEquals(List.of("model.json", "model.safetensors"), names(out), "no old file is left");
    assertEquals(List.of("out"), names(fresh));
    AgentExport.run(out, OptionalLong.empty(), out, force);
    Files.writeString(out.resolve("notes.txt"), "mine");
    refused(() -> AgentExport.run(run, OptionalLong.of(1), out, force), "notes.txt", "lost");
    refused(
        () -> AgentExport.run(run, OptionalLong.of(1), run, force),
        "is not an agent but holds other files");
    Path file = Files.writeString(fresh.resolve("file"), "x");
    refused(() -> AgentExport.run(run, OptionalLong.of(1), file, force), "is a file");
    Path foreign = fresh.resolve("foreign");
    Json.write(foreign.resolve("model.json"), Json.object().put("format", 7));
    refused(() -> AgentExport.run(run, OptionalLong.of(1), foreign, force), "is not an agent");
    refused(
        () -> AgentExport.run(foreign, OptionalLong.empty(), out.resolve("x"), force), "format");
    Path empty = Files.createDirectory(fresh.resolve("empty"));
    AgentExport.run(run, OptionalLong.of(1), empty, options(false, WHOLE));
    refused(() -> AgentExport.run(run, OptionalLong.of(7), fresh.resolve("z"), force), "no seed 7");
    assertFalse(Files.exists(fresh.resolve("z")));
  }

  @Test
  void unusableOptionsAreRefused() {
    refused(() -> options(true, 3_999), "shard: ", "4000");
    refused(() -> new AgentExport.Options(true, OptionalInt.of(0), WHOLE, false), "sample: ");
    refused(
        () ->
            AgentExport.run(
                run,
                OptionalLong.empty(),
                fresh.resolve("out"),
                new AgentExport.Options(true, OptionalInt.of(301), WHOLE, false)),
        "sample: ",
        "300");
    refused(
        () -> AgentExport.run(run, OptionalLong.empty(), Path.of(""), options(true, WHOLE)),
        "out: ");
  }

  @Test
  void foreignTensorsAndTypesAreRefusedByName() {
    export(true, WHOLE);
    rewrite("spy", TensorData.of(new float[] {1}, 1), "'spy' is none of this agent's");
    rewrite("sample.quantity.x", TensorData.of(new long[300], 300), "has type I64");
    rewrite("actor.trunk.0.bias", null, "tensor 'actor.trunk.0.bias' is missing");
  }

  /** Changes a tensor of the export, with a true hash, and wants the agent refused. */
  private void rewrite(String name, TensorData tensor, String word) {
    Path out = fresh.resolve("out");
    Path file = out.resolve("model.safetensors");
    Map<String, TensorData> before = Safetensors.read(file).tensors();
    Map<String, TensorData> tensors = new LinkedHashMap<>(before);
    tensors.remove(name);
    if (tensor != null) {
      tensors.put(name, tensor);
    }
    ObjectNode description = (ObjectNode) Json.read(out.resolve("model.json"));
    String hash = Safetensors.write(file, tensors, Map.of());
    Json.write(out.resolve("model.json"), description.put("tensorsSha256", hash));
    refused(() -> ZeroShotAgent.load(out), file.toString(), word);
    Safetensors.write(file, before, Map.of());
  }

  @Test
  void aBadFolderOfShardsIsRefusedWithTheRemedy() throws IOException {
    export(true, 4_000);
    Path out = fresh.resolve("out");
    Path shard = out.resolve(names(out).get(0));
    byte[] bytes = Files.readAllBytes(shard);
    Files.delete(shard);
    refused(() -> ZeroShotAgent.load(out), shard.toString(), "missing", "export the agent again");
    Files.write(shard, Arrays.copyOf(bytes, 50));
    refused(() -> ZeroShotAgent.load(out), shard.toString(), "cut short", "export the agent again");
    Files.copy(
        out.resolve(names(out).get(1)), shard, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    refused(() -> ZeroShotAgent.load(out), shard.toString(), "belongs into", names(out).get(1));
    Files.write(shard, bytes);
    ZeroShotAgent.load(out);
  }
}
