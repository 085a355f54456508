package dev.psm.studio.runs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.MetricsTail;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.RunFolder;
import dev.psm.studio.web.Bodies;
import dev.psm.zeroshot.AgentFolder;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The requests of the runs' view. */
public final class RunsApi {
  private static final Path REQUEST = Path.of("request");
  private static final List<String> LOGS = List.of("metrics.jsonl", "result.json");

  private final RunPlaces places;
  private final Map<Path, Known> known = new ConcurrentHashMap<>();

  /** A description as it was read, which takes longer than to see that it has not changed. */
  private record Known(
      FileTime written, RunDescription description, String world, String headline) {}

  /**
   * @param looked where runs are looked for
   * @param made where the studio puts its own
   */
  public RunsApi(List<Path> looked, Path made) {
    List<Path> all = new ArrayList<>(looked);
    all.add(made);
    places = new RunPlaces(all);
  }

  public void routes(RoutesConfig routes) {
    routes.get("/api/runs", this::list);
    routes.post("/api/runs/about", this::about);
    routes.post("/api/runs/curves", this::curves);
  }

  private void list(Context request) {
    ObjectNode answer = Json.object();
    ArrayNode runs = answer.putArray("runs");
    places
        .find()
        .forEach(
            (id, folder) -> {
              ObjectNode run = runs.addObject().put("id", id);
              try {
                describe(folder, run);
              } catch (UserError damaged) {
                run.put("error", damaged.getMessage());
              }
            });
    Bodies.answer(request, answer);
  }

  private void describe(Path folder, ObjectNode run) {
    RunFolder place = new RunFolder(folder);
    Known read = read(folder, place);
    RunDescription description = read.description;
    run.put("agent", description.agent().id())
        .put("title", description.agent().title())
        .put("world", read.world)
        .put("preset", description.preset())
        .put("steps", description.gradientSteps())
        .put("headline", read.headline);
    ArrayNode seeds = run.putArray("seeds");
    description.seeds().forEach(seeds::add);
    Optional<Long> finished = place.finishedAt();
    run.put("finished", finished.isPresent());
    finished.ifPresent(step -> run.put("endedAt", step));
    run.put("secondsSinceWritten", (System.currentTimeMillis() - lastWritten(folder)) / 1000);
  }

  private Known read(Path folder, RunFolder place) {
    FileTime written = FileTime.fromMillis(written(folder.resolve(AgentFolder.RUN)));
    Known before = known.get(folder);
    if (before != null && before.written.equals(written)) {
      return before;
    }
    RunDescription description = place.description();
    World world = description.world();
    Grade grade = Grade.of(description.agent(), world);
    Known now = new Known(written, description, world.name(), grade.metric(grade.headline()));
    known.put(folder, now);
    return now;
  }

  private static long lastWritten(Path folder) {
    long last = 0;
    List<Path> folders = new ArrayList<>(AgentFolder.seedFolders(folder).values());
    folders.add(folder);
    for (Path each : folders) {
      for (String name : LOGS) {
        last = Math.max(last, written(each.resolve(name)));
      }
    }
    return last == 0 ? written(folder.resolve(AgentFolder.RUN)) : last;
  }

  private static long written(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException missing) {
      return 0;
    }
  }

  /** Settings, provenance and how it ended, as they are on disk. */
  private void about(Context request) {
    Path folder = places.run(field(request).get("run").text());
    ObjectNode answer = Json.object();
    describe(folder, answer);
    answer.set("description", Json.read(folder.resolve(AgentFolder.RUN)));
    Path result = folder.resolve("result.json");
    if (Files.isRegularFile(result)) {
      answer.set("result", Json.read(result));
    }
    Bodies.answer(request, answer);
  }

  /** What was logged since the marks that an earlier answer gave. */
  private void curves(Context request) {
    JsonField root = field(request);
    Path folder = places.run(root.get("run").text());
    ObjectNode answer = Json.object();
    ObjectNode seeds = answer.putObject("seeds");
    for (Map.Entry<Long, Path> seed : AgentFolder.seedFolders(folder).entrySet()) {
      String name = Long.toString(seed.getKey());
      MetricsTail.Mark since =
          root.has("marks") && root.get("marks").has(name)
              ? mark(root.get("marks").get(name))
              : MetricsTail.Mark.BEGINNING;
      tell(MetricsTail.read(seed.getValue(), since), seeds.putObject(name));
    }
    answer.put("finished", new RunFolder(folder).finishedAt().isPresent());
    Bodies.answer(request, answer);
  }

  private static MetricsTail.Mark mark(JsonField field) {
    return new MetricsTail.Mark(
        field.get("file").textOrBlank(),
        field.get("offset").whole(0, Long.MAX_VALUE),
        field.get("lines").whole(0, Long.MAX_VALUE));
  }

  private static void tell(MetricsTail.Reading reading, ObjectNode seed) {
    seed.putObject("mark")
        .put("file", reading.mark().file())
        .put("offset", reading.mark().offset())
        .put("lines", reading.mark().lines());
    seed.put("anew", reading.anew()).put("every", reading.every());
    reading.problem().ifPresent(problem -> seed.put("problem", problem));
    ArrayNode lines = seed.putArray("lines");
    for (MetricsTail.Line line : reading.lines()) {
      ObjectNode values = lines.addObject().put("step", line.step()).putObject("values");
      line.values().forEach(values::put);
    }
  }

  private static JsonField field(Context request) {
    return JsonField.of(REQUEST, Bodies.object(request));
  }
}
