package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.FiniteModel;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
    assertEquals(2, error.exitCode());
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
