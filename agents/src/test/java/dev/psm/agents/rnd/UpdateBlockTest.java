package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a GPU would record, computed one operation after the other on the CPU. */
class UpdateBlockTest {
  private static final int OBSERVATION = 5;
  private static final int ACTION = 2;

  /** More than two blocks, the last one not full. */
  private static final int UPDATES = 2 * UpdateBlock.UPDATES + 7;

  private static RndExplorer explorer(Moments moments, boolean blocks) {
    return new RndExplorer(
        Plain.tiny("seedSteps=0"),
        OBSERVATION,
        Plain.vectors(ACTION),
        3,
        Device.CPU,
        moments,
        blocks);
  }

  private static float[] floats(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) Math.tanh(random.nextGaussian());
    }
    return values;
  }

  private static NStepReplay replay() {
    NStepReplay replay = NStepReplay.of(Plain.tiny(), OBSERVATION, ACTION);
    Random random = new Random(1);
    for (int episode = 0; episode < 6; episode++) {
      float[] discounts = new float[20 + episode];
      Arrays.fill(discounts, 1);
      discounts[4] = 0.5f;
      replay.append(
          floats(random, (discounts.length + 1) * OBSERVATION),
          floats(random, discounts.length * ACTION),
          discounts);
    }
    return replay;
  }

  @Test
  void updatesInBlocksAreThoseOneByOneToTheBit() {
    RndExplorer plain =
        new RndExplorer(Plain.tiny("seedSteps=0"), OBSERVATION, Plain.vectors(ACTION), 3);
    try (RndExplorer blocks = explorer(new RunningMoments(), true)) {
      for (int i = 0; i < UPDATES; i++) {
        plain.update(replay());
      }
      blocks.update(replay(), UPDATES - 1);
      blocks.update(replay());
      assertEquals(UPDATES, blocks.updates());
      assertEquals(plain.tensors(), blocks.tensors());
      assertEquals(plain.metrics(), blocks.metrics());
      float[] observations = floats(new Random(8), 4 * OBSERVATION);
      assertArrayEquals(plain.act(observations, 4), blocks.act(observations, 4));
    }
  }

  @Test
  void momentsInTensorsChangeNoMoreThanTheLastBits() {
    RndExplorer plain = explorer(new RunningMoments(), false);
    try (RndExplorer blocks = explorer(new DeviceMoments(Device.CPU), true)) {
      plain.update(replay(), UPDATES);
      blocks.update(replay(), UPDATES);
      Map<String, TensorData> found = blocks.tensors();
      plain
          .tensors()
          .forEach(
              (name, data) -> {
                assertEquals(data.dtype(), found.get(name).dtype(), name);
                if (data.dtype() == DType.F32) {
                  assertArrayEquals(data.floats(), found.get(name).floats(), 1e-4f, name);
                }
              });
      plain.metrics().forEach((name, v) -> assertEquals(v, blocks.metrics().get(name), 1e-4, name));
    }
  }

  @Test
  void whatOneWaySavedTheOtherGoesOnWith() {
    RndExplorer plain =
        new RndExplorer(Plain.tiny("seedSteps=0"), OBSERVATION, Plain.vectors(ACTION), 3);
    plain.update(replay(), 5);
    try (RndExplorer blocks = explorer(new DeviceMoments(Device.CPU), true)) {
      blocks.load(plain.tensors(), "file");
      assertEquals(plain.tensors(), blocks.tensors());
      blocks.update(replay(), 5);
      assertEquals(10, blocks.updates());
      plain.load(blocks.tensors(), "file");
      assertEquals(plain.tensors(), blocks.tensors());
    }
  }
}
