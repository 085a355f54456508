package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.training.Experience;
import dev.psm.core.UserError;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperienceTest {
  @TempDir Path folder;

  /** As many as a study of many runs in one process would hold. */
  @Test
  void whatIsClosedLeavesNoMemoryBehind() {
    Path wide = folder.resolve("wide");
    DatasetDescription description =
        new DatasetDescription("wide", "none", "random", Json.object(), 1, new Columns(1000, 1, 0));
    try (DatasetWriter writer = DatasetWriter.create(wide, description)) {
      for (int i = 0; i < 10; i++) {
        float[] discounts = new float[1000];
        Arrays.fill(discounts, 1);
        float[] observations = new float[1000 * 1000];
        writer.append(
            new Episode(observations, new float[1000], discounts, new double[0], Map.of()));
      }
      writer.flush();
    }
    try (Dataset dataset = Dataset.open(wide)) {
      train(dataset);
      train(dataset);
      long before = Pointer.physicalBytes() - Runtime.getRuntime().totalMemory();
      for (int i = 0; i < 10; i++) {
        train(dataset);
      }
      long growth = Pointer.physicalBytes() - Runtime.getRuntime().totalMemory() - before;
      // Ten times 40 MB of observations would be left; Java's heap may become resident meanwhile.
      assertTrue(growth < 200 << 20, "grew by " + (growth >> 20) + " MB");
    }
  }

  private static void train(Dataset dataset) {
    try (Experience experience = new Experience(dataset);
        ControlTrainer trainer = TinyAgent.PSM.trainer(experience, List.of(1L, 2L), "width=64")) {
      trainer.step();
      try (ControlModel model = trainer.model(2)) {
        assertEquals(1000, model.observationSize());
      }
    }
  }

  @Test
  void aTransitionIsARowAndTheActionDiscountAndStateOfTheNext() {
    Experience experience = StepTrial.noise(folder.resolve("data"));
    Dataset data = experience.dataset();
    assertEquals(StepTrial.OBSERVATION, experience.observationSize());
    assertEquals(StepTrial.ACTION, experience.actionSize());
    long[] rows = {0, 7, 9, 12, 45, 52};
    Experience.Batch batch = experience.gather(Tensors.longs(rows, 2, 3));
    for (int i = 0; i < rows.length; i++) {
      int seed = i / 3;
      int place = i % 3;
      float[] state = new float[StepTrial.OBSERVATION];
      float[] next = new float[StepTrial.OBSERVATION];
      float[] action = new float[StepTrial.ACTION];
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

  private Path twoRows(float action) {
    Path data = folder.resolve("two");
    DatasetDescription description =
        new DatasetDescription("small", "none", "random", Json.object(), 1, new Columns(1, 2, 0));
    try (DatasetWriter writer = DatasetWriter.create(data, description)) {
      float[] actions = {0, 0, 1, action};
      writer.append(
          new Episode(new float[2], actions, new float[] {1, 1}, new double[0], Map.of()));
      writer.flush();
    }
    return data;
  }

  private static UserError refused(Path data) {
    try (Dataset dataset = Dataset.open(data)) {
      return assertThrows(UserError.class, () -> new Experience(dataset).close());
    }
  }

  @Test
  void anActionThatNoActorCanChooseIsRefused() {
    Path data = twoRows(-7);
    UserError refused = refused(data);
    assertTrue(refused.getMessage().contains("row 1 in " + data + " holds -7.0"));
    assertEquals(UserError.Kind.INVALID, refused.kind());
  }

  /** What the writer would refuse, in a file whose hash was made to fit. */
  @ParameterizedTest
  @CsvSource({"observation,NaN,finite numbers", "discount,2,a number from 0 to 1"})
  void whatCannotBeLearnedFromIsRefusedByItsRow(String column, float value, String expected)
      throws IOException {
    Path data = twoRows(-1);
    Path chunk = data.resolve("chunk-000000.safetensors");
    Path manifest = data.resolve("dataset.json");
    String before = Hashes.sha256(chunk);
    Safetensors.Contents contents = Safetensors.read(chunk);
    Map<String, TensorData> tensors = new LinkedHashMap<>(contents.tensors());
    float[] values = tensors.get(column).floats();
    values[1] = value;
    tensors.put(column, TensorData.of(values, tensors.get(column).shape()));
    Safetensors.write(chunk, tensors, contents.metadata());
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace(before, Hashes.sha256(chunk)));
    String message = refused(data).getMessage();
    assertTrue(
        message.startsWith(
            "the %s of row 1 in %s holds %s, expected %s".formatted(column, data, value, expected)),
        message);
  }

  @Test
  void aFlippedBitIsRefused() throws IOException {
    Path data = twoRows(-1);
    try (Dataset dataset = Dataset.open(data)) {
      new Experience(dataset).close();
    }
    Path chunk = data.resolve("chunk-000000.safetensors");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[bytes.length - 1] ^= 1;
    Files.write(chunk, bytes);
    UserError refused = refused(data);
    assertTrue(refused.getMessage().contains(chunk + " has the hash"), refused.getMessage());
    assertEquals(UserError.Kind.FAILED, refused.kind());
  }
}
