package dev.psm.lab.run;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static dev.psm.lab.run.TinyAgents.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxModelMetadata;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.agents.control.ControlModel;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Exported networks compute in ONNX Runtime what they compute in psm. */
class OnnxExportTest {
  private static final Path WALKER = Path.of("../models/walker-psm");
  private static final float TOLERANCE = 1e-5f;

  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path data;

  @BeforeAll
  static void collect() {
    data = shared.resolve("data");
    TinyAgents.collect(MAZE, data);
  }

  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void actorAndFeaturesOfEveryMethodAreThoseOfPsm(ControlAgent kind) throws OrtException {
    requireSame(TinyAgents.train(kind, data), TOLERANCE);
  }

  /**
   * Its actions are the tanh of numbers up to 190, so rounding shows: between one row and a
   * thousand psm's own differ by up to 6e-5.
   */
  @Test
  void actorAndFeaturesOfTheShippedWalkerAreThoseOfPsm() throws OrtException {
    requireSame(ZeroShotAgent.load(WALKER), 1e-4f);
  }

  private void requireSame(ZeroShotAgent agent, float actionTolerance) throws OrtException {
    Path file = fresh.resolve("new/agent.onnx");
    Map<Path, Long> written = OnnxExport.write(agent, file);
    Path features = fresh.resolve("new/agent.features.onnx");
    assertEquals(Set.of(file, features), written.keySet());
    written.forEach((path, bytes) -> assertEquals(path.toFile().length(), bytes));
    ControlModel model = (ControlModel) agent.model();
    Random random = new Random(1);
    for (int rows : new int[] {1, 100}) {
      float[] observations = gaussian(random, rows * model.observationSize());
      float[] tasks = gaussian(random, rows * model.featureDimension());
      float[] expected = model.act(observations, tasks);
      float[] actions =
          run(file, rows, "action", Map.of("observation", observations, "task", tasks));
      assertArrayEquals(expected, actions, actionTolerance);
      assertTrue(meanDifference(expected, actions) < 2e-6);
      assertArrayEquals(
          model.features(observations),
          run(features, rows, "features", Map.of("observation", observations)),
          TOLERANCE);
    }
  }

  /** Among them is HILP's for a goal, whose task vector depends on the observation. */
  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void thePolicyOfAPromptActsAsThatOfPsm(ControlAgent kind) throws OrtException {
    ZeroShotAgent agent = TinyAgents.train(kind, data);
    float[] states = Arrays.copyOf(agent.sample().observations(), 20 * MAZE.observationSize());
    float[] state = Arrays.copyOf(states, MAZE.observationSize());
    double[] rewards = new double[20];
    rewards[4] = 1;
    Path file = fresh.resolve("policy.onnx");
    for (Prompt prompt :
        List.of(
            new Prompt.Reward(MAZE.task("reach_top_left")),
            new Prompt.Goal(state, "here", Optional.empty()),
            new Prompt.Samples(states, rewards, "here"))) {
      ZeroShotPolicy policy = prompt.solve(agent);
      OnnxExport.write(agent, prompt, file);
      int rows = 50;
      float[] observations = gaussian(new Random(2), rows * MAZE.observationSize());
      float[] actions = run(file, rows, "action", Map.of("observation", observations));
      int width = MAZE.actionSize();
      for (int row = 0; row < rows; row++) {
        int from = row * MAZE.observationSize();
        float[] here = Arrays.copyOfRange(observations, from, from + MAZE.observationSize());
        assertArrayEquals(
            policy.act(here),
            Arrays.copyOfRange(actions, row * width, (row + 1) * width),
            TOLERANCE,
            prompt.kind());
      }
    }
  }

  @Test
  void aDemonstrationIsRefusedAndNothingIsWritten() {
    ZeroShotAgent agent = TinyAgents.train(FactoredPsm.AGENT, data);
    float[] states = Arrays.copyOf(agent.sample().observations(), 5 * MAZE.observationSize());
    Prompt demonstration = new Prompt.Demonstration(states, 2, "here", Optional.empty());
    Path file = fresh.resolve("policy.onnx");
    refused(
        () -> OnnxExport.write(agent, demonstration, file),
        "demonstration",
        "every step",
        "the actor's graph");
    assertFalse(Files.exists(file));
  }

  @Test
  void theFileSaysWhatItIs() throws OrtException {
    ZeroShotAgent agent = ZeroShotAgent.load(WALKER);
    Path file = fresh.resolve("run.onnx");
    Prompt prompt = new Prompt.Reward(agent.environment().taskOrFormula("upright * velocity_x"));
    OnnxExport.write(agent, prompt, file);
    try (OrtSession session = open(file)) {
      OnnxModelMetadata metadata = session.getMetadata();
      assertEquals("psm", metadata.getProducerName());
      assertEquals("policy", metadata.getGraphName());
      Map<String, String> expected = new HashMap<>();
      expected.put("agent", "psm");
      expected.put("environment", "walker");
      expected.put("preset", "paper");
      expected.put("seed", "2");
      expected.put("gradientSteps", "500000");
      expected.put(
          "dataFingerprint", "a2ce46e2ee7e6625d6e78bd34c43d53fefa8e9a2766179773aa55116a2b4a27c");
      expected.put("observationNormalisation", "none");
      expected.put("featureNormalisation", "scaled to length sqrt(d)");
      expected.put("action", "tanh of the actor's mean, in [-1, 1]");
      expected.put("prompt", "reward");
      expected.put("task", "upright * velocity_x");
      expected.put("formula", "upright * velocity_x");
      assertEquals(expected, metadata.getCustomMetadata());
      assertEquals(Set.of("observation"), session.getInputNames());
      TensorInfo input = (TensorInfo) session.getInputInfo().get("observation").getInfo();
      assertArrayEquals(new long[] {-1, 24}, input.getShape());
      assertEquals("batch", input.getDimensionNames()[0]);
      TensorInfo output = (TensorInfo) session.getOutputInfo().get("action").getInfo();
      assertArrayEquals(new long[] {-1, 6}, output.getShape());
    }
  }

  @Test
  void theSameAgentGivesTheSameBytes() throws IOException {
    ZeroShotAgent agent = TinyAgents.train(ControlForwardBackward.AGENT, data);
    OnnxExport.write(agent, fresh.resolve("a.onnx"));
    OnnxExport.write(agent, fresh.resolve("b.onnx"));
    assertEquals(-1, Files.mismatch(fresh.resolve("a.onnx"), fresh.resolve("b.onnx")));
  }

  private static double meanDifference(float[] expected, float[] found) {
    double sum = 0;
    for (int i = 0; i < expected.length; i++) {
      sum += Math.abs(expected[i] - found[i]);
    }
    return sum / expected.length;
  }

  private static float[] gaussian(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static OrtSession open(Path file) throws OrtException {
    return OrtEnvironment.getEnvironment().createSession(file.toString());
  }

  private static float[] run(Path file, int rows, String output, Map<String, float[]> inputs)
      throws OrtException {
    Map<String, OnnxTensor> tensors = new HashMap<>();
    for (var input : inputs.entrySet()) {
      long[] shape = {rows, input.getValue().length / rows};
      FloatBuffer values = FloatBuffer.wrap(input.getValue());
      tensors.put(
          input.getKey(), OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), values, shape));
    }
    try (OrtSession session = open(file);
        OrtSession.Result result = session.run(tensors, Set.of(output))) {
      FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] copy = new float[values.remaining()];
      values.get(copy);
      return copy;
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }
}
