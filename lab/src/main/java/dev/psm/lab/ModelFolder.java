package dev.psm.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.FiniteModel;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorBoardWriter;
import dev.psm.core.io.TextFiles;
import dev.psm.core.settings.Settings;
import dev.psm.zeroshot.ModelFormat;
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
    if (isComplete(folder) && !isGrid(Json.read(folder.resolve(DESCRIPTION)).path("format"))) {
      return false;
    }
    return OutputFolder.visible(folder).stream()
        .map(file -> file.getFileName().toString())
        .allMatch(
            name ->
                List.of(DESCRIPTION, TENSORS, METRICS, GRADE).contains(name)
                    || name.startsWith("events.out.tfevents."));
  }

  private static boolean isGrid(JsonNode format) {
    return format.isInt() && format.intValue() == ModelFormat.GRID_VERSION;
  }

  /** Refuses a folder that holds anything else than a grid's model; that only where it may go. */
  public static void requireFree(Path folder, boolean replace) {
    OutputFolder.holds(folder, "a model of a grid", ModelFolder::isOwn);
    if (isComplete(folder) && !replace) {
      throw UserError.argument(
              "out", "%s already holds a model; replace it, or choose another folder", folder)
          .with(Remedy.REPLACE);
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
                "another run is training into %s; wait for it or choose another folder"
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
            "psm " + ModelFormat.GRID_VERSION,
            REQUEST,
            hash(request.agent(), request.settings(), request.problem(), request.seed())));
    ObjectNode description = Json.object();
    description.put("format", ModelFormat.GRID_VERSION);
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
  static String hash(AgentKind agent, Record settings, GridProblem problem, long seed) {
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
      throw UserError.invalid("%s is not a folder; give that of a model", folder)
          .with(Remedy.PRETRAIN);
    }
    if (!Files.isRegularFile(file)) {
      throw UserError.invalid("%s holds no complete model: there is no %s", folder, DESCRIPTION)
          .with(Remedy.PRETRAIN);
    }
    JsonField description = JsonField.read(file);
    if (ModelFormat.of(description) != ModelFormat.GRID) {
      throw UserError.invalid(
          "%s holds an agent of continuous control, not a model of a grid", folder);
    }
    JsonField id = description.get("agent");
    AgentKind agent = id.within(() -> AgentKind.parse(id.text()));
    Record settings =
        Settings.fromJson(
            description.get("settings").object(), agent.settingsType(), file + ", field settings");
    GridProblem problem = new GridProblem(map(description.get("environment"), file));
    long seed = description.get("seed").whole(Long.MIN_VALUE, Long.MAX_VALUE);
    Path tensors = folder.resolve(TENSORS);
    Safetensors.Contents contents = Safetensors.read(tensors);
    if (!hash(agent, settings, problem, seed).equals(contents.metadata().get(REQUEST))) {
      throw UserError.invalid(
          "%s was not learned by the agent, settings, map and seed that %s names: one of the two"
              + " was edited or comes from another model; copy both again, or pretrain again",
          tensors, DESCRIPTION);
    }
    FiniteModel model =
        agent.model(
            settings,
            problem.data(AgentKind.discount(settings)),
            seed,
            contents.tensors(),
            tensors.toString());
    return new Loaded(
        agent,
        description.get("preset").text(),
        settings,
        problem,
        seed,
        model,
        description.object());
  }

  private static GridMap map(JsonField environment, Path file) {
    String name = environment.get("name").text();
    List<String> lines =
        environment.get("map").elements().stream().map(JsonField::textOrBlank).toList();
    return GridMap.parse(name, file + ", field environment.map", String.join("\n", lines));
  }

  /** The learning curve of a finished run. */
  public static List<Pretrainer.Point> curve(Path folder) {
    Path file = folder.resolve(METRICS);
    List<Pretrainer.Point> curve = new ArrayList<>();
    for (String line : TextFiles.lines(file, "a metrics log")) {
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
    return curve;
  }
}
