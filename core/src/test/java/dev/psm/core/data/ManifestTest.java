package dev.psm.core.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A manifest and files that do not belong together are refused, each lie by its name. */
final class ManifestTest {
  @TempDir Path folder;

  @BeforeEach
  void write() {
    SampleEpisodes.write(folder);
  }

  @Test
  void itSaysWhereTheDataComesFrom() {
    JsonNode root = manifest();
    assertEquals(1, root.get("format").intValue());
    assertEquals("walker", root.get("environment").textValue());
    assertEquals("MuJoCo 2.2.2", root.get("engine").textValue());
    assertEquals("random", root.at("/collector/name").textValue());
    assertEquals(0.2, root.at("/collector/settings/noise").doubleValue());
    assertEquals(7, root.get("seed").intValue());
    assertEquals(SampleEpisodes.LENGTHS.length, root.get("episodes").intValue());
    assertEquals(SampleEpisodes.TRANSITIONS, root.get("transitions").intValue());
    assertTrue(root.get("created").textValue().endsWith("Z"));
    assertFalse(root.get("psm").textValue().isEmpty());
    assertEquals("chunk-000001.safetensors", root.at("/chunks/1/file").textValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/format | 2 | field format: this version reads format 1, found 2",
        "/format | 'one' | field format: expected a whole number",
        "/environment | '' | field environment: expected a text",
        "/engine | 3 | field engine: expected a text, found 3",
        "/collector | 'rnd' | field collector: expected an object",
        "/collector/name | 1 | field collector.name: expected a text",
        "/collector/settings | [] | field collector.settings: expected an object",
        "/seed | 1.5 | field seed: expected a whole number",
        "/colour | 1 | unknown key 'colour'",
        "/columns/observation | 0 | field columns.observation: expected a whole number from 1",
        "/columns/physics | 0 | field columns.physics: expected a whole number from 1",
        "/columns/physics | 3 | 'physics' is F64",
        "/columns/observation | 4 | 'observation' is F32",
        "/columns/action | 1 | 'action' is F32",
        "/columns/goal | 1 | has no 'goal', which dataset.json lists",
        "/columns/Goal | 1 | field columns: an extra column cannot be called 'Goal'",
        "/episodes | 3 | field episodes: the chunks have 11 together, found 3",
        "/transitions | 3 | field transitions: the chunks have 69 together, found 3",
        "/chunks | {} | field chunks: expected a list",
        "/chunks/0/file | '../chunk-000000.safetensors' | field chunks[0].file: expected chunk-000000",
        "/chunks/1/file | 'chunk-000000.safetensors' | field chunks[1].file: expected chunk-000001",
        "/chunks/0/bytes | 4000 | chunk-000000.safetensors has",
        "/chunks/0/sha256 | 'xyz' | field chunks[0].sha256: expected 64 digits",
        "/chunks/0/episodes | 0 | field chunks[0].episodes: expected a whole number from 1",
        "/chunks/0/rows | 3 | field chunks[0].rows: 3 rows are too few",
        "/chunks/0/rows | 4294967296 | field chunks[0].rows: expected a whole number",
        "/checkpoint | {'file':'x','bytes':1,'sha256':''} | field checkpoint.sha256: expected",
      })
  void aLieIsRefused(String pointer, String value, String words) {
    ObjectNode root = manifest();
    int slash = pointer.lastIndexOf('/');
    JsonNode parent = root.at(pointer.substring(0, slash));
    ((ObjectNode) parent)
        .set(pointer.substring(slash + 1), Json.parse(value.replace('\'', '"'), "value"));
    replace(root);
    refused(words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "format",
        "environment",
        "engine",
        "collector",
        "seed",
        "psm",
        "created",
        "columns",
        "episodes",
        "transitions",
        "chunks"
      })
  void aFieldThatIsMissingIsNamed(String name) {
    ObjectNode root = manifest();
    root.remove(name);
    replace(root);
    refused("key '%s' is missing".formatted(name));
  }

  @Test
  void aColumnThatTheManifestLeavesOutIsNamed() {
    ObjectNode root = manifest();
    ((ObjectNode) root.get("columns")).remove("reward");
    replace(root);
    refused("holds [reward], which dataset.json does not list");
    ((ObjectNode) root.get("columns")).remove("action");
    replace(root);
    refused("field columns: key 'action' is missing");
  }

  @Test
  void countsThatOnlyTheChunkCanDisproveAreRefused() {
    ObjectNode root = manifest();
    ObjectNode chunk = (ObjectNode) root.at("/chunks/0");
    chunk.put("episodes", chunk.get("episodes").intValue() - 1);
    root.put("episodes", root.get("episodes").intValue() - 1);
    root.put("transitions", root.get("transitions").intValue() + 1);
    replace(root);
    refused("'episode_length' is I64");
  }

  @Test
  void aCheckpointElsewhereIsRefused() {
    ObjectNode root = manifest();
    ObjectNode entry = root.putObject("checkpoint").put("file", "../x").put("bytes", 1);
    entry.put("sha256", "0".repeat(64));
    replace(root);
    refused("field checkpoint.file: expected a name like checkpoint-000000.state, found ../x");
  }

  @Test
  void aFolderWithoutAManifestIsNoDataset() throws IOException {
    Files.delete(folder.resolve("dataset.json"));
    refused("holds no dataset: there is no dataset.json in it");
  }

  @Test
  void aDatasetWithoutEpisodesSaysSo() {
    Path empty = folder.resolve("empty");
    DatasetWriter.create(empty, SampleEpisodes.description()).close();
    UserError refusal = assertThrows(UserError.class, () -> Dataset.open(empty));
    assertTrue(refusal.getMessage().contains("no episode yet"), refusal.getMessage());
  }

  @Test
  void aMissingChunkIsNamed() throws IOException {
    Files.delete(folder.resolve("chunk-000001.safetensors"));
    refused("chunk-000001.safetensors is missing");
  }

  @Test
  void aChunkCutShortIsNamed() throws IOException {
    Path chunk = folder.resolve("chunk-000001.safetensors");
    byte[] bytes = Files.readAllBytes(chunk);
    Files.write(chunk, Arrays.copyOf(bytes, bytes.length - 1));
    refused("chunk-000001.safetensors has %d bytes".formatted(bytes.length - 1));
  }

  @ParameterizedTest
  @CsvSource({
    "6, its episodes have",
    "0, episode 0 of the chunk has 0 transitions",
    "-4, episode 0 of the chunk has -4 transitions",
    "9223372036854775807, episode 0 of the chunk has 9223372036854775807 transitions",
  })
  void episodesThatDoNotFillTheRowsAreRefused(long length, String words) throws IOException {
    Path chunk = folder.resolve("chunk-000000.safetensors");
    Map<String, TensorData> tensors = new LinkedHashMap<>(Safetensors.read(chunk).tensors());
    long[] lengths = tensors.get("episode_length").longs();
    lengths[0] = length;
    tensors.put("episode_length", TensorData.of(lengths, lengths.length));
    Safetensors.write(chunk, tensors, Map.of());
    refused(words);
  }

  private ObjectNode manifest() {
    return (ObjectNode) Json.read(folder.resolve("dataset.json"));
  }

  private void replace(ObjectNode root) {
    Json.write(folder.resolve("dataset.json"), root);
  }

  private void refused(String words) {
    UserError refusal = assertThrows(UserError.class, () -> Dataset.open(folder));
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(folder.toString()), refusal.getMessage());
  }

  /** Some languages have digits of their own, which no other machine would look for. */
  @Test
  void filesHaveTheSameNamesInEveryLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertEquals("chunk-000012.safetensors", Manifest.chunkName(12));
      assertEquals("checkpoint-000012.state", Manifest.checkpointName(12));
    } finally {
      Locale.setDefault(before);
    }
  }
}
