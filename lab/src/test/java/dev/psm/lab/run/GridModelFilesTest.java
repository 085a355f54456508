package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.zeroshot.ZeroShotAgent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of grids on disk: of the first format too, damaged, and hostile. */
class GridModelFilesTest {
  @TempDir private Path folder;

  private Path trained(String agent) {
    TinyGrids.train(agent, 1, folder.resolve("run"));
    return folder.resolve("run/seed-1");
  }

  /** Written by psm before all models had one format, with what it answered then. */
  @ParameterizedTest
  @ValueSource(strings = {"psm", "fb", "laplacian"})
  void modelsOfTheFirstFormatAnswerAsTheyDid(String agent) throws IOException {
    for (String file : new String[] {"model.json", "model.safetensors"}) {
      try (InputStream in = resource(agent, file)) {
        Files.copy(in, folder.resolve(file));
      }
    }
    JsonNode expected;
    try (InputStream in = resource(agent, "answer.json")) {
      expected = Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), "answer.json");
    }
    try (ZeroShotAgent loaded = ZeroShotAgent.load(folder)) {
      GridWorld world = (GridWorld) loaded.environment();
      assertEquals("room", world.name());
      double[] goal = Goals.reward(world.stateNamed("0,3"), world);
      double[][] q = ((FiniteModel) loaded.model()).actionValues(new double[][] {goal})[0];
      for (int state = 0; state < q.length; state++) {
        for (int action = 0; action < q[state].length; action++) {
          assertEquals(
              expected.at("/policy/%d/q/%d".formatted(state, action)).doubleValue(),
              q[state][action],
              1e-6);
        }
      }
    }
    ObjectNode edited = (ObjectNode) Json.read(folder.resolve("model.json"));
    edited.put("seed", 4);
    Json.write(folder.resolve("model.json"), edited);
    refused(folder, folder.resolve("model.safetensors").toString(), "was not learned by");
  }

  private static InputStream resource(String agent, String file) {
    return GridModelFilesTest.class.getResourceAsStream("format-1/" + agent + "/" + file);
  }

  @ParameterizedTest
  @CsvSource({
    "/format,3,'field format: expected'",
    "/format,null,'field format: expected'",
    "/format,1.0,'field format: expected'",
    "/agent,null,'field agent: expected a text'",
    "/agent,'\"psn\"','did you mean ''psm''?'",
    "/agent,'\"hilp\"','agent hilp learns data'",
    "/shape,7,'field shape: expected an object'",
    "/shape/basisDimension,-1,'field shape: basisDimension must be'",
    "/shape/coordinateWidth,2000000000,'coordinateWidth must be from 1 to 65536'",
    "/shape/coordinateLayers,2000000000,'coordinateLayers must be from 1 to 64'",
    "/shape/solveCodes,100000,'solveCodes must be at most'",
    "/shape/enrichedCodes,65536,'enrichedCodes must be at most 4096'",
    "/shape/dualSteps,2147483647,'dualSteps must be at most'",
    "/world/definition,7,'field world.definition: expected an object'",
    "/world/definition/text,'[7]','field world.definition.text[0]: expected a text'",
    "/world/definition/text,'[\"..\",\".\"]','line 2'",
    "/world/observationSize,3,'is described with numbers per observation 3'",
    "/shape/seed,9223372036854775808,'seed'"
  })
  void anEditedDescriptionIsRefusedByItsField(String field, String value, String words) {
    Path model = trained("psm");
    edit(model, field, value);
    refused(model, words);
  }

  private static void edit(Path model, String field, String value) {
    Path file = model.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    int slash = field.lastIndexOf('/');
    ObjectNode owner = (ObjectNode) description.at(field.substring(0, slash));
    owner.set(field.substring(slash + 1), Json.parse(value, "value"));
    Json.write(file, description);
  }

  @ParameterizedTest
  @CsvSource({"psm,coordinateWidth", "fb,featureWidth", "laplacian,forwardWidth"})
  void sizesAreComparedWithTheTensorsBeforeAnythingIsAllocated(String agent, String size) {
    Path model = trained(agent);
    edit(model, "/shape/" + size, "60000");
    refused(model, model.resolve("model.safetensors") + ": tensor", "60000");
  }

  /** Somebody who gives away hostile tensors gives their hash as well. */
  @ParameterizedTest
  @CsvSource({"fb,features.2.bias", "laplacian,features.2.bias", "psm,bias"})
  void tensorsThatAreNotFiniteAreRefusedByTheirFile(String agent, String name) {
    Path model = trained(agent);
    rewrite(
        model,
        tensors -> {
          float[] values = tensors.get(name).floats();
          values[0] = Float.NaN;
          tensors.put(name, TensorData.of(values, tensors.get(name).shape()));
        });
    refused(model, model.resolve("model.safetensors") + ": tensor '" + name + "'");
  }

  /** The model's own way of solving may take minutes, or fail: loading must not depend on it. */
  @ParameterizedTest
  @CsvSource({"dual,10000000", "lp,1"})
  void loadingDoesNotSolveByTheModelsOwnMethod(String method, int steps) {
    Path model = trained("psm");
    edit(model, "/shape/solve", '"' + method + '"');
    edit(model, "/shape/dualSteps", Integer.toString(steps));
    ZeroShotAgent.load(model).close();
  }

  /** Finite weights whose answers are not: the greedy action of a NaN would be the first. */
  @ParameterizedTest
  @ValueSource(strings = {"fb", "laplacian"})
  void answersThatAreNoNumbersAreRefused(String agent) {
    Path model = trained(agent);
    rewrite(
        model,
        tensors -> {
          String name = "forward.trunk.0.weight";
          float[] values = tensors.get(name).floats();
          Arrays.fill(values, Float.MAX_VALUE);
          tensors.put(name, TensorData.of(values, tensors.get(name).shape()));
        });
    refused(model, "an action value is", "model.safetensors");
  }

  @Test
  void aSampleThatIsNotEveryStateOnceIsRefused() {
    Path model = trained("fb");
    rewrite(
        model,
        tensors -> {
          float[] few = {0, 0, 0, 0};
          tensors.put("sample.observations", TensorData.of(few, 2, 2));
        });
    refused(model, "tensor 'sample.observations' must hold every state of tiny once");
  }

  private static void rewrite(Path model, Consumer<Map<String, TensorData>> change) {
    Path file = model.resolve("model.safetensors");
    Safetensors.Contents contents = Safetensors.read(file);
    Map<String, TensorData> tensors = new HashMap<>(contents.tensors());
    change.accept(tensors);
    Safetensors.write(file, tensors, contents.metadata());
    edit(model, "/tensorsSha256", '"' + Hashes.sha256(file) + '"');
  }

  @Test
  void theSameRequestLearnsTheSameTensorsToTheByte() throws IOException {
    TinyGrids.train("fb", 4, folder.resolve("a"));
    TinyGrids.train("fb", 4, folder.resolve("b"));
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("a/seed-4/model.safetensors")),
        Files.readAllBytes(folder.resolve("b/seed-4/model.safetensors")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"psm", "fb", "laplacian"})
  void aRewardsSizeNeverChangesItsPolicy(String agent) {
    double[] reward = {0, 1, -1, 0.5, 0, 0, 2, 0, 0, 0, -3};
    try (ZeroShotAgent loaded = ZeroShotAgent.load(trained(agent))) {
      FiniteModel model = (FiniteModel) loaded.model();
      int[] expected = FiniteModel.greedy(model.actionValues(new double[][] {reward})[0]);
      // Powers of two, so that scaling rounds nothing and ties stay ties.
      for (int power : new int[] {-200, 130, 1000}) {
        double[] scaled = Arrays.stream(reward).map(value -> Math.scalb(value, power)).toArray();
        double[][] q = model.actionValues(new double[][] {scaled})[0];
        assertArrayEquals(expected, FiniteModel.greedy(q), "2^" + power);
      }
    }
  }

  private static void refused(Path model, String... words) {
    UserError error = assertThrows(UserError.class, () -> ZeroShotAgent.load(model).close());
    assertEquals(UserError.Kind.INVALID, error.kind(), error.getMessage());
    for (String word : words) {
      assertTrue(
          error.getMessage().contains(word), "'" + word + "' is not in: " + error.getMessage());
    }
  }
}
