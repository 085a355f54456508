package dev.psm.zeroshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.Float16;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.Shards;
import dev.psm.core.io.TensorData;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tensors beside an agent's description: in one file, of which the description has the hash, or
 * in several, of which it has the index. Half precision on disk becomes single for an agent.
 */
public final class AgentTensors {
  private static final String STEM = "model";
  static final String WHOLE = STEM + ".safetensors";
  private static final String HASH = "tensorsSha256";
  private static final String INDEX = "tensors";

  /** What a description says of how its folder was exported, where it was. */
  public static final String EXPORT = "export";

  /** What {@link #write} adds to a description. */
  static final List<String> KEYS = List.of(HASH, INDEX);

  private static final String EXPORT_AGAIN =
      "copy the folder again from where it comes from, or export the agent again";

  private AgentTensors() {}

  /** Writes one file where that is small enough, else several, and says so in the description. */
  static void write(
      Path folder,
      ObjectNode description,
      Map<String, TensorData> tensors,
      Map<String, String> metadata,
      long maxBytes) {
    if (Safetensors.size(tensors, metadata) <= maxBytes) {
      description.put(HASH, Safetensors.write(folder.resolve(WHOLE), tensors, metadata));
    } else {
      description.set(INDEX, Shards.write(folder, STEM, tensors, metadata, maxBytes));
    }
  }

  /** Empty where the one file is not of the same save as the description. */
  static Optional<Map<String, TensorData>> read(Path folder, JsonField description) {
    Map<String, TensorData> stored;
    if (description.has(INDEX)) {
      stored = shards(folder, description.get(INDEX));
    } else {
      String hash = description.get(HASH).sha256();
      Path file = folder.resolve(WHOLE);
      stored = Safetensors.read(file).tensors();
      // The hash is taken last: a file that was replaced before would not have it.
      if (!Hashes.sha256(file).equals(hash)) {
        return Optional.empty();
      }
    }
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    stored.forEach(
        (name, tensor) -> {
          if (tensor.dtype() == DType.F64) {
            throw UserError.invalid(
                "%s: tensor '%s' has type %s, expected F32, F16 or I64",
                source(folder, description), name, tensor.dtype());
          }
          tensors.put(name, Float16.widen(tensor));
        });
    return Optional.of(tensors);
  }

  private static Map<String, TensorData> shards(Path folder, JsonField index) {
    try {
      return Shards.read(folder, index, EXPORT_AGAIN);
    } catch (UserError e) {
      throw e.kind() == UserError.Kind.INVALID ? e.with(Remedy.EXPORT_AGAIN) : e;
    }
  }

  /** What tells the files of a description from all others; empty where it has none. */
  static String fingerprint(ObjectNode description) {
    return description.has(INDEX)
        ? Hashes.sha256(Json.line(description.get(INDEX)).getBytes(StandardCharsets.UTF_8))
        : description.path(HASH).asText();
  }

  /** What to name in an error about a tensor. */
  static String source(Path folder, JsonField description) {
    return folder.resolve(description.has(INDEX) ? STEM + "-*.safetensors" : WHOLE).toString();
  }

  static void refuseStrangers(Set<String> found, Set<String> known, String source) {
    for (String name : found) {
      if (!known.contains(name)) {
        throw UserError.invalid(
            "%s: tensor '%s' is none of this agent's, so the files are another's or were edited;"
                + " copy or train the agent again",
            source, name);
      }
    }
  }

  static UserError ofAnotherSave(Path folder) {
    boolean exported = Json.read(folder.resolve(ZeroShotAgent.DESCRIPTION)).has(EXPORT);
    String problem =
        "%s: %s and %s are of different saves".formatted(folder, ZeroShotAgent.DESCRIPTION, WHOLE);
    return exported
        ? UserError.invalid("%s; %s", problem, EXPORT_AGAIN).with(Remedy.EXPORT_AGAIN)
        : UserError.invalid("%s; resume the run, which writes both anew", problem)
            .with(Remedy.RESUME);
  }

  /** Whether a file of that name can be an agent's. */
  public static boolean owns(String fileName) {
    return fileName.equals(ZeroShotAgent.DESCRIPTION)
        || fileName.equals(WHOLE)
        || fileName.matches(STEM + "-\\d{5}-of-\\d{5}\\.safetensors");
  }
}
