package dev.psm.lab.sweep;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What somebody wants to sweep over, as a document.
 *
 * @param agents by id
 * @param env worlds by name, of few and known states
 * @param map grids by file
 * @param data datasets by folder, each of its own world
 * @param together whether all seeds of a setting are one run, side by side
 * @param settings by key, {@code agent.key} where they are one agent's alone
 * @param draws how often all ranges are drawn from; 0 where there are none
 * @param preset empty for every agent's default
 * @param steps gradient steps; empty for the preset's
 * @param grade what runs are compared by; empty for what stands for all in a world
 * @param baseline what the others are tested against: an agent, and settings where it has several
 * @param evaluations of a run; empty for as many as are usual
 * @param episodes of an evaluation, per task, or goals; empty for as many as are usual
 * @param threads of a run
 */
public record Sweep(
    List<String> agents,
    List<String> env,
    List<Path> map,
    List<Path> data,
    List<Long> seeds,
    boolean together,
    Map<String, SettingChoice> settings,
    int draws,
    long drawSeed,
    Optional<String> preset,
    Optional<Integer> steps,
    Optional<String> grade,
    Optional<String> baseline,
    Optional<Integer> evaluations,
    Optional<Integer> episodes,
    int threads,
    Path out) {
  private static final int MAX_DRAWS = 100_000;
  private static final int MAX_THREADS = 1024;
  private static final List<String> KEYS =
      List.of(
          "agents",
          "env",
          "map",
          "data",
          "seeds",
          "together",
          "settings",
          "draws",
          "drawSeed",
          "preset",
          "steps",
          "grade",
          "baseline",
          "evaluations",
          "episodes",
          "threads",
          "out");

  /** Reads a document; where it leaves out what has a default, that is taken. */
  public static Sweep read(JsonField root) {
    root.checkKeys(KEYS);
    Sweep sweep =
        new Sweep(
            list(root, "agents", JsonField::text),
            list(root, "env", JsonField::text),
            list(root, "map", Sweep::path),
            list(root, "data", Sweep::path),
            root.has("seeds")
                ? list(root, "seeds", seed -> seed.whole(Long.MIN_VALUE, Long.MAX_VALUE))
                : List.of(0L),
            root.has("together") && root.get("together").truth(),
            settings(root),
            root.has("draws") ? root.get("draws").integer(1, MAX_DRAWS) : 0,
            root.has("drawSeed") ? root.get("drawSeed").whole(Long.MIN_VALUE, Long.MAX_VALUE) : 0,
            optional(root, "preset", JsonField::text),
            optional(root, "steps", field -> field.integer(1, Integer.MAX_VALUE)),
            optional(root, "grade", JsonField::text),
            optional(root, "baseline", JsonField::text),
            optional(root, "evaluations", field -> field.integer(1, Integer.MAX_VALUE)),
            optional(root, "episodes", field -> field.integer(1, Integer.MAX_VALUE)),
            root.has("threads") ? root.get("threads").integer(1, MAX_THREADS) : 1,
            path(root.get("out")));
    sweep.requireRanges();
    return sweep;
  }

  private void requireRanges() {
    Optional<String> drawn =
        settings.entrySet().stream()
            .filter(each -> each.getValue().range().isPresent())
            .map(Map.Entry::getKey)
            .findFirst();
    if (drawn.isPresent() && draws == 0) {
      throw UserError.argument(
          "draws", "%s is drawn from a range; how many draws are there to be?", drawn.get());
    }
    if (drawn.isEmpty() && draws > 0) {
      throw UserError.argument(
          "draws", "no setting is drawn from a range, such as log-uniform:1e-4:1e-2");
    }
  }

  private static Map<String, SettingChoice> settings(JsonField root) {
    Map<String, SettingChoice> settings = new LinkedHashMap<>();
    if (!root.has("settings")) {
      return settings;
    }
    JsonField group = root.get("settings");
    for (Iterator<String> keys = group.object().fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      settings.put(key, choice(group.get(key)));
    }
    return settings;
  }

  private static SettingChoice choice(JsonField field) {
    return field.within(
        () ->
            field.isList()
                ? SettingChoice.of(field.elements().stream().map(JsonField::scalar).toList())
                : SettingChoice.parse(field.scalar()));
  }

  private static <T> List<T> list(JsonField root, String key, Function<JsonField, T> read) {
    return root.has(key) ? root.get(key).elements().stream().map(read).toList() : List.of();
  }

  private static <T> Optional<T> optional(JsonField root, String key, Function<JsonField, T> read) {
    return root.has(key) ? Optional.of(read.apply(root.get(key))) : Optional.empty();
  }

  private static Path path(JsonField field) {
    try {
      return Path.of(field.text());
    } catch (InvalidPathException e) {
      throw field.error("expected a path, found " + field.shown());
    }
  }

  /** The same document, with what it left out. */
  public ObjectNode toJson() {
    ObjectNode root = Json.object();
    texts(root, "agents", agents);
    texts(root, "env", env);
    texts(root, "map", map);
    texts(root, "data", data);
    ArrayNode seedList = root.putArray("seeds");
    seeds.forEach(seedList::add);
    root.put("together", together);
    ObjectNode group = root.putObject("settings");
    settings.forEach(
        (key, choice) ->
            choice
                .range()
                .ifPresentOrElse(
                    range -> group.put(key, range.toString()),
                    () -> choice.values().forEach(group.putArray(key)::add)));
    if (draws > 0) {
      root.put("draws", draws).put("drawSeed", drawSeed);
    }
    preset.ifPresent(value -> root.put("preset", value));
    steps.ifPresent(value -> root.put("steps", value));
    grade.ifPresent(value -> root.put("grade", value));
    baseline.ifPresent(value -> root.put("baseline", value));
    evaluations.ifPresent(value -> root.put("evaluations", value));
    episodes.ifPresent(value -> root.put("episodes", value));
    return root.put("threads", threads).put("out", out.toString());
  }

  private static void texts(ObjectNode root, String key, Collection<?> values) {
    if (!values.isEmpty()) {
      ArrayNode list = root.putArray(key);
      List<Object> all = new ArrayList<>(values);
      all.forEach(value -> list.add(value.toString()));
    }
  }
}
