package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardsTest {
  private static final Map<String, String> METADATA = Map.of("format", "test");
  @TempDir Path folder;

  private static Map<String, TensorData> sample() {
    Random random = new Random(7);
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    for (int i = 0; i < 12; i++) {
      tensors.put("small." + i, TensorData.of(floats(random, 100 + 37 * i), 100 + 37 * i));
    }
    tensors.put("large", TensorData.of(floats(random, 70 * 90), 1, 70, 90));
    tensors.put("half", Float16.narrow("half", TensorData.of(floats(random, 5000), 50, 100)));
    tensors.put("none", TensorData.of(new float[0], 0, 3));
    tensors.put("one", TensorData.of(new float[] {1}));
    return tensors;
  }

  private static float[] floats(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat();
    }
    return values;
  }

  private ObjectNode write(long maxBytes) {
    return Shards.write(folder, "model", sample(), METADATA, maxBytes);
  }

  private Map<String, TensorData> read(ObjectNode index) {
    Path file = folder.resolve("index.json");
    Json.write(file, index);
    return Shards.read(folder, JsonField.read(file), "export again");
  }

  @ParameterizedTest
  @ValueSource(longs = {4_000, 4_001, 5_777, 10_000, 26_000, 1_000_000})
  void tensorsComeBackInOrderFromFilesThatAreNoLargerThanAsked(long maxBytes) throws IOException {
    ObjectNode index = write(maxBytes);
    long total = 0;
    for (JsonNode shard : index.get("shards")) {
      Path file = folder.resolve(shard.get("file").asText());
      assertEquals(shard.get("bytes").asLong(), Files.size(file));
      assertTrue(Files.size(file) <= maxBytes, shard.get("file") + " has " + Files.size(file));
      total += Files.size(file);
    }
    int count = index.get("shards").size();
    assertTrue(count <= 2 * total / maxBytes + 1, count + " files");
    assertEquals(maxBytes < 26_000, index.has("cut"), "only what is too large is cut");
    Map<String, TensorData> read = read(index);
    assertEquals(sample(), read);
    assertEquals(List.copyOf(sample().keySet()), List.copyOf(read.keySet()));
  }

  @Test
  void theSizeIsThatOfTheFile() throws IOException {
    Path file = folder.resolve("whole.safetensors");
    Safetensors.write(file, sample(), METADATA);
    assertEquals(Files.size(file), Safetensors.size(sample(), METADATA));
  }

  @Test
  void namesOfPiecesAndFilesTooSmallAreTheCallersFault() {
    Map<String, TensorData> named = Map.of("w[0:1]", TensorData.of(new float[] {1}, 1));
    assertThrows(
        IllegalArgumentException.class, () -> Shards.write(folder, "m", named, METADATA, 4_000));
    assertThrows(IllegalArgumentException.class, () -> write(3_999));
  }

  private void refused(ObjectNode index, String... words) {
    UserError error = assertThrows(UserError.class, () -> read(index));
    for (String word : words) {
      assertTrue(
          error.getMessage().contains(word), "'" + word + "' is not in: " + error.getMessage());
    }
    assertFalse(error.getMessage().contains("null"), error.getMessage());
  }

  private Path file(ObjectNode index, int shard) {
    return folder.resolve(index.at("/shards/" + shard + "/file").asText());
  }

  @Test
  void aMissingFileIsRefused() throws IOException {
    ObjectNode index = write(10_000);
    Files.delete(file(index, 2));
    refused(index, file(index, 2).toString(), "is missing", "export again");
  }

  @Test
  void aCutOrLongerFileIsRefused() throws IOException {
    ObjectNode index = write(10_000);
    byte[] bytes = Files.readAllBytes(file(index, 1));
    Files.write(file(index, 1), Arrays.copyOf(bytes, bytes.length - 100));
    refused(index, file(index, 1).toString(), "cut short", "export again");
    Files.write(file(index, 1), Arrays.copyOf(bytes, bytes.length + 1));
    refused(index, "added to");
  }

  @Test
  void aFlippedBitIsRefused() throws IOException {
    ObjectNode index = write(10_000);
    byte[] bytes = Files.readAllBytes(file(index, 0));
    bytes[bytes.length - 5] ^= 4;
    Files.write(file(index, 0), bytes);
    refused(index, file(index, 0).toString(), "does not match its checksum", "export again");
  }

  @Test
  void filesInTheWrongOrderAreToldApart() throws IOException {
    ObjectNode index = write(10_000);
    Path hidden = folder.resolve("hidden");
    Files.move(file(index, 0), hidden);
    Files.move(file(index, 1), file(index, 0));
    Files.move(hidden, file(index, 1));
    refused(
        index,
        file(index, 0).toString(),
        "holds what belongs into " + file(index, 1).getFileName(),
        "give them their names again");
  }

  /** Writes a shard anew with other tensors, and its true hash into the index. */
  private void rewrite(ObjectNode index, int shard, Consumer<Map<String, TensorData>> change) {
    Map<String, TensorData> tensors =
        new LinkedHashMap<>(Safetensors.read(file(index, shard)).tensors());
    change.accept(tensors);
    ObjectNode node = (ObjectNode) index.at("/shards/" + shard);
    node.put("sha256", Safetensors.write(file(index, shard), tensors, METADATA));
    node.put("bytes", Safetensors.size(tensors, METADATA));
  }

  @Test
  void anExtraOrMissingTensorIsRefused() {
    ObjectNode index = write(10_000);
    rewrite(index, 0, tensors -> tensors.put("spy", TensorData.of(new float[] {1}, 1)));
    refused(index, file(index, 0).toString(), "'spy'", "not in the index", "export again");
    rewrite(index, 0, tensors -> tensors.remove("spy"));
    assertEquals(sample(), read(index));
    rewrite(index, 0, tensors -> tensors.remove("small.1"));
    refused(index, file(index, 0).toString(), "'small.1' is missing", "export again");
  }

  private static int shardWith(ObjectNode index, String word) {
    for (int shard = 0; shard < index.get("shards").size(); shard++) {
      if (index.at("/shards/" + shard + "/tensors").toString().contains(word)) {
        return shard;
      }
    }
    throw new AssertionError(word);
  }

  private static String tensor(ObjectNode index, int shard, String prefix) {
    for (JsonNode name : index.at("/shards/" + shard + "/tensors")) {
      if (name.asText().startsWith(prefix)) {
        return name.asText();
      }
    }
    throw new AssertionError(prefix);
  }

  @Test
  void piecesThatDoNotJoinAreRefused() {
    ObjectNode index = write(10_000);
    int shard = shardWith(index, "large[0:");
    String piece = tensor(index, shard, "large[0:");
    ArrayNode listed = (ArrayNode) index.at("/shards/" + shard + "/tensors");
    int at = listed.size() - 1;
    assertEquals(piece, listed.get(at).asText());
    TensorData[] data = new TensorData[1];
    rewrite(index, shard, tensors -> data[0] = tensors.remove(piece));
    listed.remove(at);
    refused(index, "large[", "does not follow on element 0");
    rewrite(index, shard, tensors -> tensors.put("large[0:1]", data[0]));
    listed.add("large[0:1]");
    refused(index, "large[0:1]", "is not what it says");
  }

  @Test
  void theShapeOfWhatWasCutMustBeThere() {
    ObjectNode index = write(10_000);
    ObjectNode cut = (ObjectNode) index.get("cut");
    JsonNode shape = cut.get("large");
    cut.putArray("large").add(70).add(91);
    refused(index, "'large' have 6300 elements", "[70, 91]");
    cut.putArray("large").add(Integer.MAX_VALUE).add(Integer.MAX_VALUE).add(Integer.MAX_VALUE);
    refused(index, "'large' have 6300 elements");
    cut.remove("large");
    refused(index, "pieces of tensor 'large'", "not among those that were cut");
    cut.set("large", shape);
    cut.putArray("ghost").add(3);
    refused(index, "'ghost' was cut", "none of its pieces");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../model.safetensors", "/etc/passwd", "a/b", "..", ""})
  void anIndexCannotLeadOutOfItsFolder(String name) {
    ObjectNode index = write(10_000);
    ((ObjectNode) index.at("/shards/0")).put("file", name);
    refused(index, "shards[0].file");
  }

  @Test
  void anEditedIndexIsRefusedAtItsPlace() {
    ObjectNode twice = write(10_000);
    ((ObjectNode) twice.at("/shards/1")).set("file", twice.at("/shards/0/file"));
    refused(twice, "listed twice");
    ObjectNode again = write(10_000);
    ((ArrayNode) again.at("/shards/0/tensors")).add("small.0");
    refused(again, "'small.0' is listed twice");
    ObjectNode negative = write(10_000);
    ((ObjectNode) negative.at("/shards/1")).put("bytes", -1);
    refused(negative, "index.json, field shards[1].bytes", "whole number from 0", "found -1");
    ObjectNode other = write(10_000);
    ((ObjectNode) other.at("/shards/1")).put("bytes", 7);
    refused(other, "shards[1].bytes", "the size of " + file(other, 1), "found 7", "export again");
    ObjectNode hash = write(10_000);
    ((ObjectNode) hash.at("/shards/0")).put("sha256", "0");
    refused(hash, "shards[0].sha256", "64 digits", "found \"0\"");
    ObjectNode unknown = write(10_000);
    unknown.put("colour", "red");
    refused(unknown, "unknown key 'colour'");
  }
}
