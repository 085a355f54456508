package dev.psm.agents.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.control.ControlTrainer;
import dev.psm.agents.control.StepTrial;
import dev.psm.agents.control.TinyAgent;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps as a GPU takes them, here one operation after the other. */
class RecordedStepsTest {
  private static final List<Long> SEEDS = List.of(3L, 8L);
  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void write() {
    data = StepTrial.noise(folder.resolve("data"));
  }

  private static ControlTrainer trainer(TinyAgent agent) {
    ControlTrainer trainer =
        agent.trainer(data, SEEDS, "protoSteps=70", "gradientSteps=200", "decay=cosine");
    trainer.stepEagerly();
    return trainer;
  }

  private static void assertSame(Map<String, TensorData> expected, Map<String, TensorData> found) {
    assertEquals(expected.keySet(), found.keySet());
    expected.forEach(
        (name, tensor) -> {
          if (tensor.dtype() == DType.F32) {
            assertArrayEquals(tensor.floats(), found.get(name).floats(), name);
          }
        });
  }

  /** Across a block's end, a phase's end and the middle of a block. */
  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void aRunThatWasInterruptedGoesOnWithTheDrawsItWouldHaveHad(TinyAgent agent) {
    ControlTrainer whole = trainer(agent);
    for (int step = 0; step < 140; step++) {
      whole.step();
    }
    ControlTrainer first = trainer(agent);
    for (int step = 0; step < 75; step++) {
      first.step();
    }
    ControlTrainer second = trainer(agent);
    SEEDS.forEach(seed -> second.restore(seed, first.checkpoint(seed), "a checkpoint"));
    for (int step = 75; step < 140; step++) {
      second.step();
    }
    SEEDS.forEach(seed -> assertSame(whole.checkpoint(seed), second.checkpoint(seed)));
  }

  /** The cursor picks this step's draws and rates: the same numbers, given by hand, do the same. */
  @ParameterizedTest
  @EnumSource
  void aStepIsWhatItsDrawsMakeOfIt(TinyAgent agent) {
    ControlTrainer replayed = trainer(agent);
    ControlTrainer given =
        agent.trainer(data, SEEDS, "protoSteps=70", "gradientSteps=200", "decay=cosine");
    RandomInputBlock chance = new RandomInputBlock(SEEDS, data, given.sizes());
    for (long step = 0; step < 72; step++) {
      replayed.step();
      chance.load(step / RandomInputBlock.STEPS, given.needs(step));
      given.step(
          chance.at(
              Tensors.longs(new long[] {step % RandomInputBlock.STEPS}, 1), given.needs(step)));
    }
    SEEDS.forEach(seed -> assertSame(given.checkpoint(seed), replayed.checkpoint(seed)));
    assertTrue(replayed.metrics().keySet().containsAll(given.metrics().keySet()));
  }
}
