package dev.psm.core.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DatasetCheckTest {
  @TempDir Path folder;

  @BeforeEach
  void write() {
    SampleEpisodes.write(folder);
  }

  @Test
  void aSoundDatasetPasses() {
    DatasetCheck check = DatasetCheck.of(folder);
    assertEquals(List.of(), check.problems());
    try (Dataset dataset = Dataset.open(folder)) {
      assertEquals(dataset.fingerprint(), check.fingerprint());
    }
  }

  @Test
  void aFlippedBitIsFound() throws IOException {
    Path chunk = folder.resolve("chunk-000001.safetensors");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[bytes.length - 3] ^= 1;
    Files.write(chunk, bytes);
    assertProblems("chunk-000001.safetensors has the hash");
  }

  @Test
  void allProblemsAreToldAtOnce() throws IOException {
    edit("observation", 3 * 4 + 1, Float.NaN);
    edit("action", 0, 1);
    edit("discount", 2, -1);
    Files.delete(folder.resolve("chunk-000001.safetensors"));
    assertProblems(
        "chunk-000000.safetensors has the hash",
        "column 'observation', row 4 (episode 0 of the chunk, row 4 of it) holds NaN",
        "column 'action', row 0 (episode 0 of the chunk, row 0 of it) holds 1.0",
        "column 'discount', row 2 (episode 0 of the chunk, row 2 of it) holds -1.0",
        "chunk-000001.safetensors is missing");
  }

  @Test
  void theSameFaultInManyEpisodesIsToldOnce() {
    edit("reward", 1, Float.POSITIVE_INFINITY);
    edit("reward", SampleEpisodes.LENGTHS[0] + 1, Float.POSITIVE_INFINITY);
    assertProblems(
        "has the hash", "row 1 (episode 0 of the chunk, row 1 of it) holds Infinity; and 1");
  }

  @Test
  void aDamagedCheckpointIsFound() throws IOException {
    try (DatasetWriter writer = DatasetWriter.resume(folder)) {
      writer.checkpointWith(file -> AtomicFiles.writeText(file, "state"));
      writer.flush();
      Files.writeString(writer.checkpoint().orElseThrow(), "stale");
    }
    assertProblems("checkpoint-000000.state has the hash");
    Files.delete(folder.resolve("checkpoint-000000.state"));
    assertProblems("there is no such file");
  }

  @Test
  void withoutAManifestThereIsNothingToCheck() {
    assertThrows(UserError.class, () -> DatasetCheck.of(folder.resolve("nowhere")).problems());
  }

  /** Changes a number in the first chunk as a program would that knows the format. */
  private void edit(String column, int index, float value) {
    Path chunk = folder.resolve("chunk-000000.safetensors");
    Map<String, TensorData> tensors = new LinkedHashMap<>(Safetensors.read(chunk).tensors());
    float[] values = tensors.get(column).floats();
    values[index] = value;
    tensors.put(column, TensorData.of(values, tensors.get(column).shape()));
    Safetensors.write(chunk, tensors, Map.of());
  }

  private void assertProblems(String... words) {
    List<String> problems = DatasetCheck.of(folder).problems();
    assertEquals(words.length, problems.size(), problems.toString());
    for (int i = 0; i < words.length; i++) {
      assertTrue(problems.get(i).contains(words[i]), problems.get(i));
    }
  }
}
