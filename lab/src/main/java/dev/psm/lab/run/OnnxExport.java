package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.control.ControlGraphs;
import dev.psm.agents.control.ControlModel;
import dev.psm.core.env.ActionScaling;
import dev.psm.core.env.Space;
import dev.psm.core.io.onnx.OnnxGraph;
import dev.psm.core.io.onnx.OnnxModel;
import dev.psm.lab.Provenance;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes what an agent computes as ONNX files, for programs without psm: the networks that answer
 * any task vector, or the policy of one prompt. Their weights are in single precision.
 */
public final class OnnxExport {
  private OnnxExport() {}

  /** Where the features go: beside {@code walker.onnx} into {@code walker.features.onnx}. */
  public static Path featuresFile(Path file) {
    String name = file.getFileName().toString();
    return file.resolveSibling(name.replaceFirst("(?i)(\\.onnx)?$", ".features.onnx"));
  }

  /** Refuses in words an agent of which there are no ONNX graphs. */
  public static void requireGraphs(ZeroShotAgent agent) {
    model(agent);
  }

  /**
   * Writes the actor, and the features beside it; files that are there are replaced.
   *
   * @return each file's bytes
   */
  public static Map<Path, Long> write(ZeroShotAgent agent, Path file) {
    ControlModel model = model(agent);
    Map<String, String> metadata = metadata(agent);
    Map<Path, Long> bytes = new LinkedHashMap<>();
    Path features = featuresFile(file);
    long featuresBytes = write(ControlGraphs.features(model), metadata, features);
    bytes.put(file, write(ControlGraphs.actor(model), metadata, file));
    bytes.put(features, featuresBytes);
    return bytes;
  }

  /**
   * Writes the policy for a prompt; a file that is there is replaced. That of a demonstration,
   * which changes with every step, is refused.
   *
   * @return the file's bytes
   */
  public static long write(ZeroShotAgent agent, Prompt prompt, Path file) {
    Map<String, String> metadata = metadata(agent);
    metadata.put("prompt", prompt.kind());
    if (prompt instanceof Prompt.Reward paid) {
      metadata.put("task", paid.task().name());
      if (!paid.task().formula().isEmpty()) {
        metadata.put("formula", paid.task().formula());
      }
    }
    return write(prompt.solve(agent).graph(), metadata, file);
  }

  private static long write(OnnxGraph graph, Map<String, String> metadata, Path file) {
    return new OnnxModel(graph, Provenance.version(), metadata).write(file);
  }

  private static ControlModel model(ZeroShotAgent agent) {
    return ZeroShotPolicy.requireGraphs(agent.model());
  }

  private static Map<String, String> metadata(ZeroShotAgent agent) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("agent", agent.name());
    metadata.put("environment", agent.environment().name());
    JsonNode description = agent.description();
    put(metadata, "preset", description.path("preset"));
    put(metadata, "seed", description.path("seed"));
    put(metadata, "gradientSteps", description.path("gradientSteps"));
    put(metadata, "dataFingerprint", description.path("data").path("fingerprint"));
    metadata.put("observationNormalisation", "none");
    metadata.put(
        "featureNormalisation",
        model(agent).kind().onSphere() ? "scaled to length sqrt(d)" : "centred");
    metadata.put("action", "tanh of the actor's mean, in [-1, 1]");
    if (ActionScaling.of(agent.environment()).isPresent()
        && agent.environment().actionUnits() instanceof Space.Box units) {
      // The world's own units, onto which [-1, 1] is to be stretched.
      metadata.put("actionLow", Arrays.toString(units.low()));
      metadata.put("actionHigh", Arrays.toString(units.high()));
    }
    return metadata;
  }

  private static void put(Map<String, String> metadata, String key, JsonNode value) {
    if (!value.isMissingNode()) {
      metadata.put(key, value.asText());
    }
  }
}
