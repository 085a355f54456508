package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.data.Dataset;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperienceTest {
  @TempDir Path folder;

  @Test
  void aTransitionIsARowAndTheActionDiscountAndStateOfTheNext() {
    Experience experience = Trial.noise(folder.resolve("data"));
    Dataset data = experience.dataset();
    assertEquals(Trial.OBSERVATION, experience.observationSize());
    assertEquals(Trial.ACTION, experience.actionSize());
    long[] rows = {0, 7, 9, 12, 45, 52};
    Experience.Batch batch = experience.gather(Tensors.longs(rows, 2, 3));
    for (int i = 0; i < rows.length; i++) {
      int seed = i / 3;
      int place = i % 3;
      float[] state = new float[Trial.OBSERVATION];
      float[] next = new float[Trial.OBSERVATION];
      float[] action = new float[Trial.ACTION];
      float[] discount = new float[1];
      data.observations(rows[i], 1, state, 0);
      data.observations(rows[i] + 1, 1, next, 0);
      data.actions(rows[i] + 1, 1, action, 0);
      data.discounts(rows[i] + 1, 1, discount, 0);
      assertArrayEquals(state, Tensors.toFloats(batch.observations().get(seed).get(place)));
      assertArrayEquals(next, Tensors.toFloats(batch.nextObservations().get(seed).get(place)));
      assertArrayEquals(action, Tensors.toFloats(batch.actions().get(seed).get(place)));
      assertArrayEquals(discount, Tensors.toFloats(batch.discounts().get(seed).get(place)));
      assertEquals(rows[i] + 1, batch.nextRows().get(seed).get(place).item_long());
    }
  }
}
