package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ModelFolderTest {
  private static final double[][] REWARDS = {
    Tiny.PROBLEM.goalReward(3), {0, 1, -1, 0.5, 0, 0, 2, 0, 0, 0, -3}
  };

  @TempDir private Path folder;

  private static double[][][] trained(AgentKind agent, long seed, Path into) {
    return ModelFolder.pretrain(Tiny.request(agent, seed), into, Progress.SILENT)
        .model()
        .actionValues(REWARDS);
  }

  private static double[][][] loaded(Path from) {
    return ModelFolder.load(from).model().actionValues(REWARDS);
  }

  @ParameterizedTest
  @EnumSource
  void aLoadedModelGivesTheSameValuesToTheBit(AgentKind agent) {
    double[][][] expected = trained(agent, 1, folder);
    assertTrue(Arrays.deepEquals(expected, loaded(folder)));
    ModelFolder.Loaded loaded = ModelFolder.load(folder);
    assertEquals(Tiny.request(agent, 1).settings(), loaded.settings());
    assertEquals(1, loaded.seed());
    assertEquals(Tiny.PROBLEM.map().lines(), loaded.problem().map().lines());
    assertEquals(20, ModelFolder.curve(folder).size());
  }

  @Test
  void workThatIsInterruptedLeavesTheEarlierModelWhole() throws IOException {
    double[][][] earlier = trained(AgentKind.PSM, 1, folder);
    List<Pretrainer.Point> curve = ModelFolder.curve(folder);
    Progress interrupting =
        (label, total) ->
            new Progress.Bar() {
              @Override
              public void update(long done, String note) {
                if (done == total) {
                  throw new IllegalStateException("interrupted");
                }
              }

              @Override
              public void close() {}
            };
    assertThrows(
        IllegalStateException.class,
        () -> ModelFolder.pretrain(Tiny.request(AgentKind.PSM, 2), folder, interrupting));
    assertTrue(Arrays.deepEquals(earlier, loaded(folder)));
    assertEquals(curve, ModelFolder.curve(folder));
  }

  @Test
  void aReplacementThatBreaksOffLeavesNoModelRatherThanAMix() throws IOException {
    trained(AgentKind.PSM, 1, folder);
    Pretrainer.Result next =
        Pretrainer.run(Tiny.request(AgentKind.PSM, 2), Progress.SILENT, point -> {});
    // A folder in the tensors' place cannot be replaced by a file, so that write must fail.
    Path tensors = folder.resolve("model.safetensors");
    Files.delete(tensors);
    Files.createDirectory(tensors);
    assertThrows(UserError.class, () -> ModelFolder.save(next, folder));
    assertFalse(ModelFolder.isComplete(folder));
  }

  @Test
  void tensorsOfAnotherSeedAreRefused() throws IOException {
    Path other = folder.resolve("other");
    Path own = folder.resolve("own");
    trained(AgentKind.PSM, 1, own);
    trained(AgentKind.PSM, 2, other);
    Files.copy(
        other.resolve("model.safetensors"),
        own.resolve("model.safetensors"),
        StandardCopyOption.REPLACE_EXISTING);
    UserError error = assertThrows(UserError.class, () -> ModelFolder.load(own));
    assertTrue(error.getMessage().contains("model.safetensors was not learned by"));
    assertEquals(UserError.Kind.INVALID, error.kind());
  }

  @ParameterizedTest
  @CsvSource({
    "/format,2,'field format: expected'",
    "/format,null,'field format: expected'",
    "/format,1.0,'field format: expected'",
    "/agent,null,'field agent: expected a text'",
    "/agent,'\"psn\"','did you mean ''psm''?'",
    "/settings,7,'field settings: expected an object'",
    "/settings/basisDimension,-1,'field settings: basisDimension must be'",
    "/settings/coordinateWidth,2000000000,'coordinateWidth must be from 1 to 65536'",
    "/settings/coordinateLayers,2000000000,'coordinateLayers must be from 1 to 64'",
    "/environment,null,'field environment: expected an object'",
    "/environment/map,'[7]','field environment.map[0]: expected a text'",
    "/environment/map,'[]','field environment.map, line 1'",
    "/seed,9223372036854775808,'field seed: expected a whole number'",
    "/preset,null,'field preset: expected a text'"
  })
  void anEditedDescriptionIsRefusedByItsField(String field, String value, String words) {
    trained(AgentKind.PSM, 1, folder);
    Path file = folder.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    int slash = field.lastIndexOf('/');
    ObjectNode owner = (ObjectNode) description.at(field.substring(0, slash));
    owner.set(field.substring(slash + 1), Json.parse(value, "value"));
    Json.write(file, description);
    UserError error = assertThrows(UserError.class, () -> ModelFolder.load(folder));
    assertTrue(error.getMessage().contains(words), error.getMessage());
    assertTrue(error.getMessage().startsWith(file.toString()), error.getMessage());
    assertEquals(UserError.Kind.INVALID, error.kind());
  }

  /** Somebody who writes a description can write its hash as well. */
  @ParameterizedTest
  @EnumSource
  void sizesAreComparedWithTheTensorsBeforeAnythingIsAllocated(AgentKind agent) {
    trained(agent, 1, folder);
    String setting = agent == AgentKind.PSM ? "coordinateWidth" : "featureWidth";
    Pretrainer.Request honest = Tiny.request(agent, 1);
    Record huge = Settings.override(honest.settings(), List.of(setting + "=60000"));
    Path file = folder.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    description.set("settings", Settings.toJson(huge));
    Json.write(file, description);
    Path tensors = folder.resolve("model.safetensors");
    Safetensors.Contents contents = Safetensors.read(tensors);
    Map<String, String> metadata = new HashMap<>(contents.metadata());
    metadata.put("request", ModelFolder.hash(agent, huge, honest.problem(), 1));
    Safetensors.write(tensors, contents.tensors(), metadata);
    UserError error = assertThrows(UserError.class, () -> ModelFolder.load(folder));
    assertTrue(error.getMessage().startsWith(tensors + ": tensor"), error.getMessage());
    assertTrue(error.getMessage().contains("60000"), error.getMessage());
  }

  @ParameterizedTest
  @EnumSource(names = {"FB", "LAPLACIAN"})
  void featuresThatAreNotFiniteAreRefusedByTheirFile(AgentKind agent) {
    trained(agent, 1, folder);
    Path file = folder.resolve("model.safetensors");
    Safetensors.Contents contents = Safetensors.read(file);
    Map<String, TensorData> tensors = new HashMap<>(contents.tensors());
    float[] bias = tensors.get("features.2.bias").floats();
    bias[0] = Float.NaN;
    tensors.put("features.2.bias", TensorData.of(bias, bias.length));
    Safetensors.write(file, tensors, contents.metadata());
    UserError error = assertThrows(UserError.class, () -> ModelFolder.load(folder));
    assertTrue(
        error.getMessage().startsWith(file + ": tensor 'features.2.bias'"), error.getMessage());
  }

  @Test
  void theSameRequestLearnsTheSameTensorsToTheByte() throws IOException {
    trained(AgentKind.FB, 4, folder.resolve("a"));
    trained(AgentKind.FB, 4, folder.resolve("b"));
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("a/model.safetensors")),
        Files.readAllBytes(folder.resolve("b/model.safetensors")));
  }

  @Test
  void twoRunsAtOnceInOneFolderAreRefused() {
    Pretrainer.Request request = Tiny.request(AgentKind.PSM, 1);
    Progress meddling =
        (label, total) -> {
          UserError refused =
              assertThrows(
                  UserError.class, () -> ModelFolder.pretrain(request, folder, Progress.SILENT));
          assertTrue(refused.getMessage().contains("another run"), refused.getMessage());
          return Progress.SILENT.start(label, total);
        };
    ModelFolder.pretrain(request, folder, meddling);
    assertTrue(ModelFolder.isComplete(folder));
  }

  @Test
  void onlyTheLastRunsEventsStay() throws IOException {
    trained(AgentKind.PSM, 1, folder);
    trained(AgentKind.PSM, 2, folder);
    try (var files = Files.list(folder)) {
      assertEquals(
          1, files.filter(file -> file.getFileName().toString().startsWith("events.")).count());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRewardsSizeNeverChangesItsPolicy(AgentKind agent) {
    trained(agent, 1, folder);
    double[] reward = REWARDS[1];
    int[] expected =
        FiniteModel.greedy(
            ModelFolder.load(folder).model().actionValues(new double[][] {reward})[0]);
    // Powers of two, so that scaling rounds nothing and ties stay ties.
    for (int power : new int[] {-200, 130, 1000}) {
      double[] scaled = Arrays.stream(reward).map(value -> Math.scalb(value, power)).toArray();
      double[][] q = ModelFolder.load(folder).model().actionValues(new double[][] {scaled})[0];
      assertArrayEquals(expected, FiniteModel.greedy(q), "2^" + power);
    }
  }
}
