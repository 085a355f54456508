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
import dev.psm.torch.Device;
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
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Discounts of this data are 0, a half and 1. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void aLongerTransitionHasTheMeanActionAndTheProductOfDiscounts(int stride) {
    Dataset data = StepTrial.noise(folder.resolve("data")).dataset();
    try (Experience experience = new Experience(data, Device.CPU, stride)) {
      for (int episode = 0; episode < data.episodes(); episode++) {
        long end = data.lastRow(episode) - stride;
        for (long row = data.firstRow(episode); row <= end; row++) {
          assertTransition(experience, row);
        }
      }
    }
  }

  private static void assertTransition(Experience experience, long row) {
    Dataset data = experience.dataset();
    int stride = experience.stride();
    int width = experience.actionSize();
    double[] mean = new double[width];
    double discount = 1;
    for (long step = row + 1; step <= row + stride; step++) {
      float[] action = new float[width];
      float[] own = new float[1];
      data.actions(step, 1, action, 0);
      data.discounts(step, 1, own, 0);
      for (int k = 0; k < width; k++) {
        mean[k] += action[k] / stride;
      }
      discount *= own[0];
    }
    float[] state = new float[experience.observationSize()];
    float[] next = new float[state.length];
    data.observations(row, 1, state, 0);
    data.observations(row + stride, 1, next, 0);
    Experience.Batch batch = experience.gather(Tensors.longs(new long[] {row}, 1, 1));
    assertArrayEquals(state, Tensors.toFloats(batch.observations()));
    assertArrayEquals(next, Tensors.toFloats(batch.nextObservations()));
    float[] found = Tensors.toFloats(batch.actions());
    for (int k = 0; k < width; k++) {
      assertEquals(mean[k], found[k], 1e-6);
    }
    assertEquals(discount, Tensors.toFloats(batch.discounts())[0]);
    assertEquals(row + stride, batch.nextRows().item_long());
  }

  /** Data is loaded by blocks of 65,536 rows, and a transition may reach from one into the next. */
  @Test
  void aLongerTransitionReachesIntoTheNextBlock() {
    Path data = folder.resolve("long");
    DatasetDescription description =
        new DatasetDescription("long", "none", "random", Json.object(), 1, new Columns(1, 1, 0));
    int rows = (1 << 16) + 10;
    float[] actions = new float[rows];
    float[] discounts = new float[rows];
    float[] observations = new float[rows];
    for (int row = 0; row < rows; row++) {
      actions[row] = row == 0 ? 0 : (float) Math.sin(row);
      discounts[row] = row == 0 ? 1 : (float) Math.abs(Math.cos(row));
      observations[row] = row;
    }
    try (DatasetWriter writer = DatasetWriter.create(data, description)) {
      writer.append(new Episode(observations, actions, discounts, new double[0], Map.of()));
      writer.flush();
    }
    try (Dataset dataset = Dataset.open(data);
        Experience experience = new Experience(dataset, Device.CPU, 5)) {
      for (long row = (1 << 16) - 8; row < (1 << 16) + 4; row++) {
        float mean = 0;
        double discount = 1;
        for (int step = 1; step <= 5; step++) {
          mean += actions[(int) row + step] / 5;
          discount *= discounts[(int) row + step];
        }
        Experience.Batch batch = experience.gather(Tensors.longs(new long[] {row}, 1, 1));
        assertEquals(mean, Tensors.toFloats(batch.actions())[0], 1e-6);
        assertEquals(discount, Tensors.toFloats(batch.discounts())[0], 1e-7);
      }
    }
  }

  @Test
  void dataWithoutAnEpisodeAsLongAsATransitionIsRefused() {
    Dataset data = StepTrial.noise(folder.resolve("data")).dataset();
    UserError refused =
        assertThrows(UserError.class, () -> new Experience(data, Device.CPU, 9).close());
    assertEquals(
        "with stride=9 a transition is 9 environment steps, and the longest episode in "
            + data.folder()
            + " has 8; lower stride, or collect longer episodes",
        refused.getMessage());
    assertEquals(UserError.Kind.INVALID, refused.kind());
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
