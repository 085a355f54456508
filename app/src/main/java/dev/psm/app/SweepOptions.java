package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The fields of a sweep's document as options: one document is read, whether it was written as a
 * file, as options, or as both.
 */
final class SweepOptions {
  private static final String SUFFIX = ".json";

  @Parameters(
      paramLabel = "FILE|KEY=VALUES",
      arity = "0..*",
      description =
          "A sweep as a JSON document; and settings, such as discount=0.9,0.95 for every agent, or"
              + " fb.learningRate=log-uniform:1e-4:1e-2 for one (also uniform, integers and choice), drawn --draws times.")
  private List<String> words = List.of();

  @Option(
      names = "--agents",
      paramLabel = "NAME",
      split = ",",
      completionCandidates = AgentNames.class,
      description = "Which agents, of ${COMPLETION-CANDIDATES}.")
  private List<String> agents;

  @Option(
      names = "--env",
      paramLabel = "NAME",
      split = ",",
      description = "Grids, or other worlds whose states are few and known.")
  private List<String> env;

  @Option(names = "--map", paramLabel = "FILE", split = ",", description = "Maps of your own.")
  private List<String> map;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      split = ",",
      description = "Datasets, each of its own world.")
  private List<String> data;

  @Option(
      names = {"--seeds", "--seed"},
      paramLabel = "N",
      split = ",",
      description = "Seeds (default: 0).")
  private List<Long> seeds;

  @Option(
      names = "--together",
      description = "Train all seeds of a setting side by side, in one run.")
  private boolean together;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description = "How often settings are drawn from their ranges, all at once.")
  private Integer draws;

  @Option(names = "--draw-seed", paramLabel = "N", description = "Decides the draws (default: 0).")
  private Long drawSeed;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description = "Settings that are changed (default: each agent's own default).")
  private String preset;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Gradient steps of every run (default: the preset's).")
  private Integer steps;

  @Option(
      names = "--grade",
      paramLabel = "NAME",
      description =
          "What runs are compared by: goals or rewards where states are few and known, average or a task for robots,"
              + " success where episodes draw goals (default: the first of these).")
  private String grade;

  @Option(
      names = "--baseline",
      paramLabel = "SETTING",
      description =
          "What the others are tested against: an agent, and where it has several its settings, as in 'fb"
              + " learningRate=0.001' (default: the first row of each world).")
  private String baseline;

  @Option(
      names = "--evaluations",
      paramLabel = "N",
      description = "Evaluations of a run (default: as pretrain has it).")
  private Integer evaluations;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "Episodes per task and evaluation, or goals (default: as pretrain has it).")
  private Integer episodes;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Cores of a run, part of what decides its last bits (default: 1).")
  private Integer threads;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where runs and results go (default: runs/ and the FILE's name, or runs/sweep).")
  private Path out;

  /** The file's fields, and the options over them. */
  JsonField document() {
    List<String> settings = new ArrayList<>();
    List<String> files = new ArrayList<>();
    words.forEach(word -> (isFile(word) ? files : settings).add(word));
    if (files.size() > 1) {
      throw UserError.invalid("give one sweep's file, not several: %s", String.join(", ", files));
    }
    if (files.isEmpty()) {
      return JsonField.of("the sweep", over(Json.object(), "sweep", settings));
    }
    Path file = Path.of(files.get(0));
    String name = file.getFileName().toString();
    return JsonField.of(
        file,
        over(
            JsonField.read(file).object(),
            name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name,
            settings));
  }

  private static boolean isFile(String word) {
    return !word.contains("=") || Files.isRegularFile(Path.of(word));
  }

  private ObjectNode over(ObjectNode root, String name, List<String> settings) {
    texts(root, "agents", agents);
    texts(root, "env", env);
    texts(root, "map", map);
    texts(root, "data", data);
    if (seeds != null) {
      ArrayNode list = root.putArray("seeds");
      seeds.forEach(list::add);
    }
    if (together) {
      root.put("together", true);
    }
    put("draws", draws, root::put);
    put("drawSeed", drawSeed, root::put);
    put("preset", preset, root::put);
    put("steps", steps, root::put);
    put("grade", grade, root::put);
    put("baseline", baseline, root::put);
    put("evaluations", evaluations, root::put);
    put("episodes", episodes, root::put);
    put("threads", threads, root::put);
    if (out != null || !root.has("out")) {
      root.put("out", out != null ? out.toString() : Path.of("runs", name).toString());
    }
    if (!settings.isEmpty()) {
      ObjectNode group =
          root.has("settings")
              ? JsonField.of("the sweep", root).get("settings").object()
              : Json.object();
      Set<String> typed = new HashSet<>();
      for (String setting : settings) {
        int equals = setting.indexOf('=');
        if (!typed.add(setting.substring(0, equals).strip())) {
          throw UserError.invalid(
              "%s is given twice; give all its values at once, as in %s=1,2",
              setting.substring(0, equals), setting.substring(0, equals));
        }
        group.put(setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
      }
      root.set("settings", group);
    }
    return root;
  }

  private static <T> void put(String key, T value, BiConsumer<String, T> put) {
    if (value != null) {
      put.accept(key, value);
    }
  }

  private static void texts(ObjectNode root, String key, List<String> values) {
    if (values != null) {
      ArrayNode list = root.putArray(key);
      values.forEach(list::add);
    }
  }
}
