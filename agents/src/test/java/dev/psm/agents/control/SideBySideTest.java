package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.Steps;
import dev.psm.agents.Trainer;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Slice;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many seeds at once are as many runs alone; an interrupted run is an uninterrupted one. */
class SideBySideTest {
  private static final List<Long> SEEDS = List.of(7L, 1L, 20L);
  @TempDir static Path folder;
  private static Experience data;

  /** Of transitions of three steps. */
  private static Experience strided;

  @BeforeAll
  static void write() {
    data = StepTrial.noise(folder.resolve("data"));
    Experience line = new Steps(6, false).collect(folder.resolve("line"), 20, 25, 1);
    strided = new Experience(line.dataset(), Device.CPU, 3);
  }

  private static void steps(ControlTrainer trainer, int count) {
    for (int step = 0; step < count; step++) {
      trainer.step();
    }
  }

  private static void assertSameDraws(ControlTrainer together, ControlTrainer alone, int index) {
    StepInputs all = together.draw();
    StepInputs own = alone.draw();
    for (Draw draw : together.needs(together.stepsDone())) {
      Tensor part = new Slice(index, SEEDS.size()).of(all.get(draw));
      assertTrue(torch.equal(part, own.get(draw)), draw.name());
    }
  }

  /** The largest difference of a tensor, relative to its largest number. */
  private static double difference(TensorData one, TensorData other) {
    float[] a = one.floats();
    float[] b = other.floats();
    assertArrayEquals(one.shape(), other.shape());
    double largest = 1e-3;
    double worst = 0;
    for (int i = 0; i < a.length; i++) {
      largest = Math.max(largest, Math.abs(a[i]));
      worst = Math.max(worst, Math.abs(a[i] - b[i]));
    }
    return worst / largest;
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void threeSeedsAreThreeRunsAlone(TinyAgent agent) {
    ControlTrainer together = agent.trainer(data, SEEDS, "protoSteps=50");
    List<ControlTrainer> alone =
        SEEDS.stream().map(seed -> agent.trainer(data, List.of(seed), "protoSteps=50")).toList();
    for (int step = 0; step < 100; step++) {
      for (int i = 0; i < SEEDS.size(); i++) {
        assertSameDraws(together, alone.get(i), i);
      }
      together.step();
      alone.forEach(ControlTrainer::step);
    }
    for (int i = 0; i < SEEDS.size(); i++) {
      Map<String, TensorData> expected = alone.get(i).checkpoint(SEEDS.get(i));
      Map<String, TensorData> found = together.checkpoint(SEEDS.get(i));
      assertEquals(expected.keySet(), found.keySet());
      for (String name : expected.keySet()) {
        if (!name.equals("steps") && !name.startsWith("adam_")) {
          double difference = difference(expected.get(name), found.get(name));
          assertTrue(difference < 1e-4, name + " differs by " + difference);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRestoredRunIsTheSameToTheBit(TinyAgent agent) {
    ControlTrainer first = agent.trainer(data, SEEDS, "protoSteps=30");
    steps(first, 20);
    List<Map<String, TensorData>> saved = SEEDS.stream().map(first::checkpoint).toList();
    steps(first, 20);

    ControlTrainer second = agent.trainer(data, SEEDS, "protoSteps=30");
    steps(second, 3);
    for (int i = 0; i < SEEDS.size(); i++) {
      second.restore(SEEDS.get(i), saved.get(i), "file");
    }
    assertEquals(20, second.stepsDone());
    steps(second, 20);
    for (long seed : SEEDS) {
      assertEquals(first.checkpoint(seed), second.checkpoint(seed));
    }
    assertTrue(second.firstNotFinite().isEmpty());
  }

  /** With random inputs as the processor draws them, and as a GPU does. */
  @ParameterizedTest
  @EnumSource
  void aRestoredRunOfLongerTransitionsIsTheSameToTheBit(TinyAgent agent) {
    for (boolean byBlock : new boolean[] {false, true}) {
      List<ControlTrainer> trainers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        ControlTrainer trainer = agent.trainer(strided, SEEDS, "protoSteps=6");
        if (byBlock) {
          trainer.stepEagerly();
        }
        trainers.add(trainer);
      }
      ControlTrainer first = trainers.get(0);
      steps(first, 4);
      List<Map<String, TensorData>> saved = SEEDS.stream().map(first::checkpoint).toList();
      steps(first, 8);
      ControlTrainer second = trainers.get(1);
      for (int i = 0; i < SEEDS.size(); i++) {
        second.restore(SEEDS.get(i), saved.get(i), "file");
      }
      steps(second, 8);
      for (long seed : SEEDS) {
        assertEquals(first.checkpoint(seed), second.checkpoint(seed));
      }
    }
  }

  @Test
  void transitionsAreThoseOfTheSettings() {
    FactoredPsmSettings single = FactoredPsmSettings.presets(SmallWorlds.BODY).get("small");
    assertThrows(
        IllegalArgumentException.class, () -> new FactoredPsm(single, strided, List.of(1L)));
  }

  @ParameterizedTest
  @EnumSource
  void someOfTheSeedsGoOnWithoutTheOthers(TinyAgent agent) {
    ControlTrainer all = agent.trainer(data, SEEDS, "protoSteps=30");
    steps(all, 20);
    List<Long> some = List.of(20L, 7L);
    ControlTrainer fewer = agent.trainer(data, some, "protoSteps=30");
    some.forEach(seed -> fewer.restore(seed, all.checkpoint(seed), "file"));
    some.forEach(seed -> assertEquals(all.checkpoint(seed), fewer.checkpoint(seed)));
    steps(all, 20);
    steps(fewer, 20);
    for (long seed : some) {
      Map<String, TensorData> expected = all.checkpoint(seed);
      Map<String, TensorData> found = fewer.checkpoint(seed);
      for (String name : expected.keySet()) {
        if (!name.equals("steps") && !name.startsWith("adam_")) {
          double difference = difference(expected.get(name), found.get(name));
          assertTrue(difference < 1e-4, name + " differs by " + difference);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTensorOfACheckpointIsNeeded(TinyAgent agent) {
    ControlTrainer trainer = agent.trainer(data, SEEDS);
    steps(trainer, 1);
    Map<String, TensorData> saved = trainer.checkpoint(1);
    for (String name : saved.keySet()) {
      Map<String, TensorData> fewer = new LinkedHashMap<>(saved);
      fewer.remove(name);
      assertEquals(
          "file: tensor '" + name + "' is missing",
          assertThrows(UserError.class, () -> trainer.restore(1, fewer, "file")).getMessage());
    }
    Map<String, TensorData> wrong = new LinkedHashMap<>(saved);
    wrong.put("actor/actor.trunk.1.bias", TensorData.of(new float[3], 1, 1, 3));
    assertEquals(
        "file: tensor 'actor/actor.trunk.1.bias' has shape [1, 1, 3], expected [1, 1, 2]",
        assertThrows(UserError.class, () -> trainer.restore(1, wrong, "file")).getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void everyMetricHasAFiniteNumberPerSeed(TinyAgent agent) {
    ControlTrainer trainer = agent.trainer(data, SEEDS);
    steps(trainer, 2);
    Map<String, double[]> metrics = trainer.metrics();
    assertTrue(metrics.keySet().containsAll(List.of("feature_rank", "feature_norm")));
    assertTrue(metrics.size() > 3, metrics.keySet().toString());
    metrics.forEach(
        (name, values) -> {
          assertEquals(SEEDS.size(), values.length, name);
          assertTrue(Arrays.stream(values).allMatch(Double::isFinite), name);
          assertEquals(SEEDS.size(), onlyDifferent(name, values), name);
        });
  }

  /** Of features on a sphere all norms are equal. */
  private static long onlyDifferent(String name, double[] values) {
    return name.equals("feature_norm") ? values.length : Arrays.stream(values).distinct().count();
  }

  @Test
  void seedsAreGivenAndDiffer() {
    assertThrows(IllegalArgumentException.class, () -> TinyAgent.PSM.trainer(data, List.of()));
    assertThrows(
        IllegalArgumentException.class, () -> TinyAgent.PSM.trainer(data, List.of(1L, 1L)));
    ControlTrainer trainer = TinyAgent.PSM.trainer(data, List.of(1L));
    assertThrows(IllegalArgumentException.class, () -> trainer.checkpoint(2));
  }

  @Test
  void aNumberThatIsNotFiniteIsFoundByName() {
    ControlTrainer trainer = TinyAgent.HILP.trainer(data, SEEDS);
    Map<String, TensorData> clean = trainer.checkpoint(1);
    assertTrue(trainer.firstNotFinite().isEmpty());
    try (NoGradGuard noGradient = new NoGradGuard()) {
      trainer
          .actor
          .weights()
          .get("actor.trunk.1.bias")
          .get(SEEDS.indexOf(1L))
          .fill_(Tensors.scalar(Double.NaN));
    }
    assertEquals(
        new Trainer.NotFinite(1, "actor/actor.trunk.1.bias"),
        trainer.firstNotFinite().orElseThrow());
    trainer.restore(1, clean, "file");
    assertTrue(trainer.firstNotFinite().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"actor/actor.trunk.1.bias", "adam_features/features.0.bias.second"})
  void aCheckpointWithANumberThatIsNotFiniteIsRefusedByName(String name) {
    ControlTrainer trainer = TinyAgent.HILP.trainer(data, SEEDS);
    Map<String, TensorData> saved = trainer.checkpoint(1);
    float[] values = saved.get(name).floats();
    values[0] = Float.POSITIVE_INFINITY;
    saved.put(name, TensorData.of(values, saved.get(name).shape()));
    String refusal =
        assertThrows(UserError.class, () -> trainer.restore(1, saved, "file")).getMessage();
    assertTrue(refusal.startsWith("file: tensor '" + name + "': expected finite"), refusal);
  }
}
