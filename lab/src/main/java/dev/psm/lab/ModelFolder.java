package dev.psm.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorBoardWriter;
import dev.psm.core.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pretrained model on disk:
 *
 * <pre>
 *   model.json          agent, settings, environment, seed, provenance; written last, so it marks a complete model
 *   model.safetensors   everything learned
 *   metrics.jsonl       the learning curve, one point a line
 *   events.out.tfevents.*  the same for TensorBoard
 * </pre>
 */
public final class ModelFolder {
  private static final int FORMAT = 1;
  private static final String DESCRIPTION = "model.json";
  private static final String TENSORS = "model.safetensors";
  private static final String METRICS = "metrics.jsonl";

  private ModelFolder() {}

  /** A model that was loaded, with what it was made for. */
  public record Loaded(
      AgentKind agent,
      String preset,
      Record settings,
      GridProblem problem,
      long seed,
      FiniteModel model,
      JsonNode description) {}

  public static boolean isComplete(Path folder) {
    return Files.isRegularFile(folder.resolve(DESCRIPTION));
  }

  /**
   * Pretrains into a folder; an existing model there is replaced only when the new one is whole.
   */
  public static Pretrainer.Result pretrain(
      Pretrainer.Request request, Path folder, Progress progress) {
    Path metrics = folder.resolve(METRICS);
    Pretrainer.Result result;
    try (TensorBoardWriter events = TensorBoardWriter.create(folder)) {
      List<ObjectNode> lines = new ArrayList<>();
      result =
          Pretrainer.run(
              request,
              progress,
              point -> {
                ObjectNode line = Json.object();
                line.put("step", point.step());
                line.put("seconds", point.seconds());
                point.metrics().forEach(line::put);
                lines.add(line);
                point.metrics().forEach((name, value) -> events.scalar(name, point.step(), value));
                rewrite(metrics, lines);
              });
    }
    save(result, folder);
    return result;
  }

  /** Twenty short lines are cheaper to write again than to tell apart from an earlier run's. */
  private static void rewrite(Path file, List<ObjectNode> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(Json.line(line)).append('\n'));
    AtomicFiles.writeText(file, text.toString());
  }

  private static void save(Pretrainer.Result result, Path folder) {
    Pretrainer.Request request = result.request();
    Safetensors.write(
        folder.resolve(TENSORS),
        result.model().tensors(),
        Map.of("agent", request.agent().id(), "format", "psm " + FORMAT));
    ObjectNode description = Json.object();
    description.put("format", FORMAT);
    description.put("agent", request.agent().id());
    description.put("preset", request.preset());
    description.set("settings", Settings.toJson(request.settings()));
    ObjectNode environment = description.putObject("environment");
    environment.put("name", request.problem().map().name());
    ArrayNode lines = environment.putArray("map");
    request.problem().map().lines().forEach(lines::add);
    description.put("seed", request.seed());
    ObjectNode last = description.putObject("metrics");
    Pretrainer.Point point = result.curve().get(result.curve().size() - 1);
    point.metrics().forEach(last::put);
    description.set("provenance", Provenance.of(request.problem(), result.seconds()));
    Json.write(folder.resolve(DESCRIPTION), description);
  }

  /** Loads a whole model; a missing, damaged or foreign file is refused with the reason. */
  public static Loaded load(Path folder) {
    Path file = folder.resolve(DESCRIPTION);
    if (!Files.isDirectory(folder)) {
      throw UserError.usage("%s is not a folder; give the folder that pretrain wrote", folder);
    }
    if (!Files.isRegularFile(file)) {
      throw UserError.usage(
          "%s holds no complete model: there is no %s; pretrain writes one", folder, DESCRIPTION);
    }
    JsonNode description = Json.read(file);
    int format = description.path("format").asInt(-1);
    if (format != FORMAT) {
      throw UserError.usage(
          "%s: field 'format' is %s, expected %d; it was not written by this version's pretrain",
          file, description.path("format"), FORMAT);
    }
    AgentKind agent = AgentKind.parse(text(file, description, "agent"));
    Record settings =
        Settings.fromJson(description.get("settings"), agent.settingsType(), file.toString());
    JsonNode environment = description.path("environment");
    StringBuilder map = new StringBuilder();
    environment.path("map").forEach(line -> map.append(line.asText()).append('\n'));
    GridProblem problem =
        new GridProblem(
            GridMap.parse(
                text(file, environment, "name"), file + ", field 'map'", map.toString()));
    JsonNode seed = description.path("seed");
    if (!seed.isIntegralNumber()) {
      throw UserError.usage("%s: field 'seed' is %s, expected a whole number", file, seed);
    }
    FiniteModel model =
        agent.model(settings, problem.data(AgentKind.discount(settings)), seed.asLong());
    Path tensors = folder.resolve(TENSORS);
    model.load(Safetensors.read(tensors).tensors(), tensors.toString());
    return new Loaded(
        agent,
        text(file, description, "preset"),
        settings,
        problem,
        seed.asLong(),
        model,
        description);
  }

  /** The learning curve of a finished run. */
  public static List<Pretrainer.Point> curve(Path folder) {
    Path file = folder.resolve(METRICS);
    List<Pretrainer.Point> curve = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        JsonNode node = Json.parse(line, file.toString());
        Map<String, Double> metrics = new LinkedHashMap<>();
        node.fields()
            .forEachRemaining(
                field -> {
                  if (!field.getKey().equals("step") && !field.getKey().equals("seconds")) {
                    metrics.put(field.getKey(), field.getValue().asDouble());
                  }
                });
        curve.add(
            new Pretrainer.Point(
                node.path("step").asInt(), node.path("seconds").asDouble(), metrics));
      }
    } catch (IOException e) {
      throw UserError.failed(e, "%s cannot be read: %s", file, e.getMessage());
    }
    return curve;
  }

  private static String text(Path file, JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isTextual()) {
      throw UserError.usage("%s: field '%s' is %s, expected text", file, field, value);
    }
    return value.asText();
  }
}
