package dev.psm.mujoco.mjcf;

import dev.psm.core.Nearest;
import dev.psm.core.env.Plane;
import dev.psm.core.io.JsonField;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.StateFunction;
import dev.psm.core.reward.formula.Vocabulary;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.mjcf.MjcfSettings.ResetRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads {@code NAME.psm.json}; every mistake is told with its place. */
final class SettingsFile {
  private static final String OBSERVATION = "observation";
  private static final String TASKS = "tasks";
  private static final String CONTROL_STEP = "controlStep";
  private static final String EPISODE_STEPS = "episodeSteps";
  private static final String RESET_NOISE = "resetNoise";
  private static final String RESET_RANGES = "resetRanges";
  private static final String PLANE = "plane";
  private static final String PLACE = "place";
  private static final String DISCOUNT = "discount";
  private static final List<String> KEYS =
      List.of(
          OBSERVATION,
          TASKS,
          CONTROL_STEP,
          EPISODE_STEPS,
          RESET_NOISE,
          RESET_RANGES,
          PLANE,
          PLACE,
          DISCOUNT);
  private static final String FORMULA = "formula";
  private static final String MEANING = "meaning";

  /** What these would mean in --tasks, or in a table, is something else. */
  private static final Set<String> RESERVED_TASKS = Set.of("all", "average");

  private static final int MAX_SUBSTEPS = 10_000;
  private static final int MAX_EPISODE_STEPS = 1_000_000;
  private static final int MAX_AXES = 3;

  private final JsonField root;
  private final Gauges gauges;
  private final ModelFacts model;

  SettingsFile(Path file, Gauges gauges, ModelFacts model) {
    this.root = JsonField.read(file);
    this.gauges = gauges;
    this.model = model;
  }

  MjcfSettings read() {
    root.checkKeys(KEYS);
    List<Quantity> place = field(PLACE).map(this::place).orElse(List.of());
    return new MjcfSettings(
        field(OBSERVATION).map(this::observation).orElseGet(() -> MjcfSettings.observation(gauges)),
        field(TASKS).map(tasks -> tasks(tasks, place)).orElse(List.of()),
        field(CONTROL_STEP).map(this::substeps).orElseGet(() -> MjcfSettings.substeps(model)),
        field(EPISODE_STEPS)
            .map(steps -> steps.integer(1, MAX_EPISODE_STEPS))
            .orElse(MjcfSettings.EPISODE_STEPS),
        field(RESET_NOISE).map(SettingsFile::noise).orElse(MjcfSettings.RESET_NOISE),
        field(RESET_RANGES).map(this::resetRanges).orElse(List.of()),
        field(PLANE).map(this::plane),
        place,
        field(DISCOUNT).map(SettingsFile::discount).orElse(MjcfSettings.DISCOUNT));
  }

  private Optional<JsonField> field(String key) {
    return root.has(key) ? Optional.of(root.get(key)) : Optional.empty();
  }

  private List<Gauge> observation(JsonField field) {
    List<Gauge> observation = distinct(field, gauges.all());
    if (observation.isEmpty()) {
      throw field.error("expected at least one quantity, found none");
    }
    return observation;
  }

  private List<Quantity> place(JsonField field) {
    List<Gauge> place = distinct(field, gauges.all());
    if (place.isEmpty() || place.size() > MAX_AXES) {
      throw field.error(
          "expected 1 to %d quantities that are coordinates, found %d"
              .formatted(MAX_AXES, place.size()));
    }
    return place.stream().map(Gauge::quantity).toList();
  }

  private static List<Gauge> distinct(JsonField field, List<Gauge> known) {
    List<Gauge> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (JsonField element : field.elements()) {
      Gauge gauge = gauge(element.text(), known, element);
      if (!seen.add(gauge.name())) {
        throw element.error("'%s' is named twice".formatted(gauge.name()));
      }
      found.add(gauge);
    }
    return found;
  }

  private static Gauge gauge(String name, List<Gauge> known, JsonField field) {
    return known.stream()
        .filter(gauge -> gauge.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                field.error(
                    "expected a quantity of the model, found '%s'; %s"
                        .formatted(name, Nearest.hint(name, names(known)))));
  }

  private static List<String> names(List<Gauge> gauges) {
    return gauges.stream().map(Gauge::name).toList();
  }

  private List<Task> tasks(JsonField field, List<Quantity> place) {
    List<Quantity> quantities = gauges.all().stream().map(Gauge::quantity).toList();
    Vocabulary vocabulary =
        place.isEmpty()
            ? Vocabulary.of(quantities)
            : Vocabulary.of(quantities, StateFunction.distance("straight distance", place));
    List<Task> tasks = new ArrayList<>();
    for (String name : keys(field)) {
      JsonField task = field.get(name);
      task.checkKeys(List.of(FORMULA, MEANING));
      if (!Vocabulary.canName(name)
          || RESERVED_TASKS.contains(name)
          || names(gauges.all()).contains(name)) {
        throw task.error(
            "a task's name has letters, digits and _, and is neither a quantity nor a word of the"
                + " reward language, found '%s'; choose another".formatted(name));
      }
      JsonField formula = task.get(FORMULA);
      String meaning = task.has(MEANING) ? task.get(MEANING).text() : "as written";
      tasks.add(
          formula.within(() -> Formula.parse(formula.text(), vocabulary).task(name, meaning)));
    }
    return tasks;
  }

  private static List<String> keys(JsonField field) {
    List<String> keys = new ArrayList<>();
    field.object().fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  private int substeps(JsonField field) {
    double seconds = field.number();
    double timestep = model.timestep();
    long substeps = Math.round(seconds / timestep);
    if (substeps < 1
        || substeps > MAX_SUBSTEPS
        || Math.abs(substeps * timestep - seconds) > 1e-6 * seconds) {
      throw field.error(
          "expected 1 to %,d times the model's timestep of %s s, found %s"
              .formatted(MAX_SUBSTEPS, timestep, seconds));
    }
    return (int) substeps;
  }

  private static double noise(JsonField field) {
    double noise = field.number();
    if (noise < 0) {
      throw field.error("expected 0 or more, found " + noise);
    }
    return noise;
  }

  private static double discount(JsonField field) {
    double discount = field.number();
    if (!(discount > 0 && discount < 1)) {
      throw field.error("expected a number above 0 and below 1, found " + discount);
    }
    return discount;
  }

  private List<ResetRange> resetRanges(JsonField field) {
    List<JointLimits> limits = JointLimits.of(model);
    return ranges(
        field,
        gauges.state(),
        entry -> {
          for (JointLimits joint : limits) {
            if (entry.gauge.array() == Gauge.Array.POSITIONS
                && entry.gauge.address() == joint.address()
                && (entry.low < joint.low() || entry.high > joint.high())) {
              throw entry.field.error(
                  "expected a range within the joint's limits %s to %s, found %s to %s"
                      .formatted(joint.low(), joint.high(), entry.low, entry.high));
            }
          }
          return new ResetRange(entry.gauge, entry.low, entry.high);
        });
  }

  /** Two quantities with their ranges, x first. */
  private Plane plane(JsonField field) {
    List<Entry> axes =
        ranges(
            field,
            gauges.all(),
            axis -> {
              if (axis.low == axis.high) {
                throw axis.field.error(
                    "expected a range wider than 0, found " + axis.field.shown());
              }
              return axis;
            });
    if (axes.size() != 2) {
      throw field.error("expected two quantities with their ranges, found " + axes.size());
    }
    Entry x = axes.get(0);
    Entry y = axes.get(1);
    return new Plane(x.gauge.name(), x.low, x.high, y.gauge.name(), y.low, y.high);
  }

  private record Entry(JsonField field, Gauge gauge, double low, double high) {}

  private static <T> List<T> ranges(
      JsonField field, List<Gauge> known, Function<Entry, T> checked) {
    List<T> ranges = new ArrayList<>();
    for (String name : keys(field)) {
      JsonField range = field.get(name);
      Gauge gauge = gauge(name, known, range);
      double[] ends = range.numbers(2);
      if (ends[0] > ends[1]) {
        throw range.error("expected [low, high], found " + range.shown());
      }
      ranges.add(checked.apply(new Entry(range, gauge, ends[0], ends[1])));
    }
    return ranges;
  }
}
