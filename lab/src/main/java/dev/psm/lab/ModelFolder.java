package dev.psm.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorBoardWriter;
import dev.psm.core.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
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
 *   events.out.tfevents.*  the same for TensorBoard, written as training goes
 * </pre>
 */
public final class ModelFolder {
  private static final int FORMAT = 1;
  private static final String DESCRIPTION = "model.json";
  private static final String TENSORS = "model.safetensors";

  /** What {@link GridRun} found the model to be worth; of no use without the model. */
  static final String GRADE = "grade.json";

  private static final String METRICS = "metrics.jsonl";

  /** The key in the tensors' metadata that binds them to their description. */
  private static final String REQUEST = "request";

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

  /** Whether a folder holds nothing but what pretraining on a grid leaves, however it ended. */
  static boolean isOwn(Path folder) {
    if (isComplete(folder)) {
      return Json.read(folder.resolve(DESCRIPTION)).path("format").asInt(-1) == FORMAT;
    }
    return OutputFolder.visible(folder).stream()
        .map(file -> file.getFileName().toString())
        .allMatch(
            name ->
                List.of(TENSORS, METRICS, GRADE).contains(name)
                    || name.startsWith("events.out.tfevents."));
  }

  /** Refuses a folder that holds anything else than a grid's model; that only where it may go. */
  public static void requireFree(Path folder, boolean replace) {
    OutputFolder.holds(folder, "a model of a grid", ModelFolder::isOwn);
    if (isComplete(folder) && !replace) {
      throw UserError.usage(
          "%s already holds a model; choose another --out, or replace it with --force", folder);
    }
  }

  /**
   * Pretrains into a folder. A model that is already there stays until the new one has been
   * learned, and is then replaced: at no moment does the folder load as a mix of both.
   */
  public static Pretrainer.Result pretrain(
      Pretrainer.Request request, Path folder, Progress progress) {
    requireFree(folder, true);
    try (FolderLock lock =
            FolderLock.take(
                folder,
                "another run is training into %s; wait for it or choose another --out"
                    .formatted(folder));
        TensorBoardWriter events = TensorBoardWriter.create(folder)) {
      boolean learned = false;
      try {
        Pretrainer.Result result =
            Pretrainer.run(
                request,
                progress,
                point ->
                    point
                        .metrics()
                        .forEach((name, value) -> events.scalar(name, point.step(), value)));
        learned = true;
        save(result, folder);
        deleteOtherEvents(folder, events.file());
        return result;
      } finally {
        if (!learned) {
          delete(events.file());
        }
      }
    }
  }

  private static String lines(List<Pretrainer.Point> curve) {
    StringBuilder text = new StringBuilder();
    for (Pretrainer.Point point : curve) {
      ObjectNode line = Json.object();
      line.put("step", point.step());
      line.put("seconds", point.seconds());
      point.metrics().forEach(line::put);
      text.append(Json.line(line)).append('\n');
    }
    return text.toString();
  }

  static void save(Pretrainer.Result result, Path folder) {
    Pretrainer.Request request = result.request();
    // Without its description a folder holds no model: old and new files are never taken for one.
    delete(folder.resolve(DESCRIPTION));
    delete(folder.resolve(GRADE));
    AtomicFiles.writeText(folder.resolve(METRICS), lines(result.curve()));
    Safetensors.write(
        folder.resolve(TENSORS),
        result.model().tensors(),
        Map.of(
            "agent",
            request.agent().id(),
            "format",
            "psm " + FORMAT,
            REQUEST,
            hash(request.agent(), request.settings(), request.problem(), request.seed())));
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
    description.set(
        "provenance", Provenance.of(request.problem(), request.device(), result.seconds()));
    Json.write(folder.resolve(DESCRIPTION), description);
  }

  /** TensorBoard would draw the curves of an earlier or broken-off run into this one's. */
  private static void deleteOtherEvents(Path folder, Path own) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "events.out.tfevents.*")) {
      for (Path file : files) {
        if (!file.getFileName().equals(own.getFileName())) {
          delete(file);
        }
      }
    } catch (IOException e) {
      throw UserError.failed(e, "cannot tidy %s: %s", folder, e.getMessage());
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw UserError.failed(e, "cannot replace %s: %s", file, e.getMessage());
    }
  }

  /** Everything that decides what is learned, so that tensors know which description is theirs. */
  private static String hash(AgentKind agent, Record settings, GridProblem problem, long seed) {
    String request =
        String.join(
            "\n",
            agent.id(),
            Json.line(Settings.toJson(settings)),
            Provenance.dataHash(problem),
            Long.toString(seed));
    return Hashes.sha256(request.getBytes(StandardCharsets.UTF_8));
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
    if (description.path("format").asText().startsWith("psm zero-shot agent")) {
      throw UserError.usage(
          "%s holds an agent of continuous control, not a model of a grid", folder);
    }
    int format = description.path("format").asInt(-1);
    if (format != FORMAT) {
      throw UserError.usage(
          "%s: field 'format' is %s, expected %d; it was not written by this version's pretrain",
          file, description.hasNonNull("format") ? description.get("format") : "missing", FORMAT);
    }
    AgentKind agent = agent(file, description);
    Record settings =
        Settings.fromJson(description.get("settings"), agent.settingsType(), file.toString());
    JsonNode environment = description.path("environment");
    StringBuilder map = new StringBuilder();
    environment.path("map").forEach(line -> map.append(line.asText()).append('\n'));
    GridProblem problem =
        new GridProblem(
            GridMap.parse(text(file, environment, "name"), file + ", field 'map'", map.toString()));
    JsonNode seed = description.path("seed");
    if (!seed.isIntegralNumber()) {
      throw UserError.usage("%s: field 'seed' is %s, expected a whole number", file, seed);
    }
    Path tensors = folder.resolve(TENSORS);
    Safetensors.Contents contents = Safetensors.read(tensors);
    String expected = hash(agent, settings, problem, seed.asLong());
    if (!expected.equals(contents.metadata().get(REQUEST))) {
      throw UserError.usage(
          "%s was not learned by the agent, settings, map and seed that %s names: one of the two"
              + " was edited or comes from another model; copy both again, or pretrain again",
          tensors, DESCRIPTION);
    }
    FiniteModel model =
        agent.model(settings, problem.data(AgentKind.discount(settings)), seed.asLong());
    model.load(contents.tensors(), tensors.toString());
    return new Loaded(
        agent,
        text(file, description, "preset"),
        settings,
        problem,
        seed.asLong(),
        model,
        description);
  }

  private static AgentKind agent(Path file, JsonNode description) {
    String id = text(file, description, "agent");
    try {
      return AgentKind.parse(id);
    } catch (UserError refused) {
      throw UserError.usage("%s: field 'agent': %s", file, refused.getMessage());
    }
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
