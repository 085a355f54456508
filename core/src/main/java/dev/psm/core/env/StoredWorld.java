package dev.psm.core.env;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.Vocabulary;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A world as data and models describe it: enough to learn from the one and to ask the other, also
 * where nothing here can open an environment of it. {@link Worlds#resolve} says when it is used.
 *
 * @param actionUnits the bounds of actions in the data's own units, or numbered actions
 * @param quantitiesObserved whether the quantities are the numbers of an observation
 * @param goalNumbers which numbers of an observation goals speak of; empty where nobody has said
 * @param definition all of it as text, where there is one
 */
public record StoredWorld(
    String name,
    String title,
    int observationSize,
    Space actionUnits,
    List<Quantity> quantities,
    boolean quantitiesObserved,
    List<Task> tasks,
    List<Task> furtherTasks,
    List<Quantity> place,
    int episodeSteps,
    double stepSeconds,
    double discount,
    int stateSize,
    Optional<List<Integer>> goalNumbers,
    Optional<Definition> definition)
    implements World {
  private static final int MAX_NUMBERS = 1 << 20;
  private static final int MAX_AXES = 3;
  private static final String ACHIEVED_GOAL = "achievedGoal";
  private static final String FURTHER_TASKS = "furtherTasks";
  private static final List<String> KEYS =
      List.of(
          "name",
          "title",
          "observationSize",
          "actions",
          "quantities",
          "quantitiesObserved",
          "tasks",
          FURTHER_TASKS,
          "place",
          "episodeSteps",
          "stepSeconds",
          "discount",
          "stateSize",
          ACHIEVED_GOAL,
          "definition");

  /**
   * @throws UserError where a name cannot be one, or is there twice, or goals speak of nothing
   */
  public StoredWorld {
    quantities = List.copyOf(quantities);
    tasks = List.copyOf(tasks);
    furtherTasks = List.copyOf(furtherTasks);
    place = List.copyOf(place);
    goalNumbers = goalNumbers.map(List::copyOf);
    goalNumbers.ifPresent(numbers -> requirePlaces(name, numbers, observationSize));
    if (quantitiesObserved && quantities.size() != observationSize) {
      throw UserError.invalid(
          "%s has %d numbers per observation; expected a quantity for each, found %d",
          name, observationSize, quantities.size());
    }
    words(quantities, Stream.concat(tasks.stream(), furtherTasks.stream()).toList(), place);
  }

  /**
   * The description of a world; of its tasks, those that a formula alone can say.
   *
   * @throws UserError where it could not be read again: better before work than by who opens its
   *     files
   */
  public static StoredWorld of(World world) {
    if (world instanceof StoredWorld stored) {
      return stored.withGoalsOf(stored);
    }
    Vocabulary words = words(world.quantities(), List.of(), world.place());
    StoredWorld described =
        new StoredWorld(
            world.name(),
            world.title(),
            world.observationSize(),
            world.actionUnits(),
            world.quantities(),
            world.quantitiesObserved(),
            written(world.tasks(), words),
            written(world.furtherTasks(), words),
            world.place(),
            world.episodeSteps(),
            world.stepSeconds(),
            world.discount(),
            world.stateSize(),
            Optional.of(goalNumbers(world)),
            world.definition());
    return read(JsonField.of("the world '%s'".formatted(world.name()), described.toJson()));
  }

  /** The same, with what goals speak of as a world has it where the description does not say. */
  public StoredWorld withGoalsOf(World world) {
    if (goalNumbers.isPresent()) {
      return this;
    }
    return new StoredWorld(
        name,
        title,
        observationSize,
        actionUnits,
        quantities,
        quantitiesObserved,
        tasks,
        furtherTasks,
        place,
        episodeSteps,
        stepSeconds,
        discount,
        stateSize,
        Optional.of(goalNumbers(world)),
        definition);
  }

  private static List<Integer> goalNumbers(World world) {
    return Arrays.stream(world.achievedGoal()).boxed().toList();
  }

  /** Agents mark the numbers of an observation that goals speak of, so these have no order. */
  private static void requirePlaces(String name, List<Integer> numbers, int size) {
    boolean ascending =
        IntStream.range(1, numbers.size()).allMatch(i -> numbers.get(i - 1) < numbers.get(i));
    boolean inside = numbers.stream().allMatch(number -> number >= 0 && number < size);
    if (numbers.isEmpty() || !ascending || !inside) {
      throw UserError.invalid(
          "the achieved goal of %s must be ascending places in an observation of %d numbers, from 0"
              + " on, and one at least; found %s",
          name, size, numbers);
    }
  }

  private static List<Task> written(List<Task> tasks, Vocabulary words) {
    return tasks.stream().flatMap(task -> written(task, words).stream()).toList();
  }

  /** A task as its formula says it; empty where that needs functions of the world's own code. */
  private static Optional<Task> written(Task task, Vocabulary words) {
    try {
      return task.formula().isEmpty()
          ? Optional.empty()
          : Optional.of(Formula.parse(task.formula(), words).task(task.name(), task.meaning()));
    } catch (UserError e) {
      return Optional.empty();
    }
  }

  /**
   * A world of which there is nothing but data.
   *
   * @param columns a name for every number of an observation
   * @param actionUnits the bounds of its actions, or how many numbered ones there are
   * @param episodeSteps of its longest episode
   */
  public static StoredWorld ofData(
      String name, List<String> columns, Space actionUnits, int episodeSteps) {
    List<Quantity> quantities =
        IntStream.range(0, columns.size())
            .mapToObj(
                i -> new Quantity(columns.get(i), "1", "number %d of the observation".formatted(i)))
            .toList();
    return new StoredWorld(
        name,
        "known by its data alone",
        columns.size(),
        actionUnits,
        quantities,
        true,
        List.of(),
        List.of(),
        List.of(),
        episodeSteps,
        DEFAULT_STEP_SECONDS,
        DEFAULT_DISCOUNT,
        0,
        Optional.empty(),
        Optional.empty());
  }

  private static Vocabulary words(List<Quantity> quantities, List<Task> tasks, List<Quantity> at) {
    try {
      return World.vocabulary(quantities, tasks, at);
    } catch (IllegalArgumentException e) {
      throw UserError.invalid("%s; rename it", e.getMessage());
    }
  }

  @Override
  public Space actionSpace() {
    return actionUnits instanceof Space.Box box
        ? Space.Box.uniform(-1, 1, box.size())
        : actionUnits;
  }

  @Override
  public int[] achievedGoal() {
    return goalNumbers
        .map(numbers -> numbers.stream().mapToInt(Integer::intValue).toArray())
        .orElseGet(World.super::achievedGoal);
  }

  @Override
  public Environment open() {
    throw UserError.invalid(
        "there is no environment '%s' to act in: it is known by its data alone; solve answers"
            + " prompts and gives actions, but to play, evaluate or film, psm needs a world of that"
            + " name, from a file or a plugin",
        name);
  }

  /**
   * Refuses a world that has the same name but is not the one described here: what was learned from
   * the data would be read as something else.
   */
  public void requireSame(World known) {
    requireSame("numbers per observation", observationSize, known.observationSize());
    requireSame("actions", shown(actionUnits), shown(known.actionUnits()));
    requireSame("quantities", names(quantities), names(known.quantities()));
    requireSame("numbers per stored state", stateSize, known.stateSize());
    // Where actions are vectors, goals are whole observations whatever a world says.
    if (actionUnits instanceof Space.Discrete && goalNumbers.isPresent()) {
      requireSame("goals of the numbers", goalNumbers.get(), goalNumbers(known));
    }
  }

  private void requireSame(String what, Object described, Object known) {
    if (!described.equals(known)) {
      throw UserError.invalid(
          "'%s' is described with %s %s, but the environment of that name has %s here; use the psm, the"
              + " plugin or the robot's files that it was made with, or give what you make now a"
              + " folder of its own",
          name, what, described, known);
    }
  }

  private static List<String> names(List<Quantity> quantities) {
    return quantities.stream().map(Quantity::name).toList();
  }

  private static String shown(Space space) {
    return space instanceof Space.Box box
        ? "from %s to %s".formatted(Arrays.toString(box.low()), Arrays.toString(box.high()))
        : "0 to %d".formatted(((Space.Discrete) space).count() - 1);
  }

  public ObjectNode toJson() {
    ObjectNode root = Json.object();
    root.put("name", name).put("title", title).put("observationSize", observationSize);
    ObjectNode actions = root.putObject("actions");
    if (actionUnits instanceof Space.Box box) {
      ArrayNode low = actions.putArray("low");
      ArrayNode high = actions.putArray("high");
      for (int i = 0; i < box.size(); i++) {
        low.add(box.low()[i]);
        high.add(box.high()[i]);
      }
    } else {
      actions.put("count", ((Space.Discrete) actionUnits).count());
    }
    ArrayNode measured = root.putArray("quantities");
    quantities.forEach(quantity -> measured.add(quantity.toJson()));
    root.put("quantitiesObserved", quantitiesObserved);
    ArrayNode asked = root.putArray("tasks");
    tasks.forEach(task -> asked.add(task.toJson()));
    furtherTasks.forEach(task -> root.withArray(FURTHER_TASKS).add(task.toJson()));
    names(place).forEach(root.putArray("place")::add);
    root.put("episodeSteps", episodeSteps).put("stepSeconds", stepSeconds);
    root.put("discount", discount).put("stateSize", stateSize);
    goalNumbers.ifPresent(numbers -> numbers.forEach(root.putArray(ACHIEVED_GOAL)::add));
    definition.ifPresent(
        text -> {
          ObjectNode node = root.putObject("definition").put("kind", text.kind());
          text.text().lines().forEach(node.putArray("text")::add);
        });
    return root;
  }

  /** The field {@code world} of a file; empty in files from before there was one. */
  public static Optional<StoredWorld> in(JsonField root) {
    return root.has("world") ? Optional.of(read(root.get("world"))) : Optional.empty();
  }

  private static StoredWorld read(JsonField root) {
    root.checkKeys(KEYS);
    List<Quantity> quantities =
        root.get("quantities").elements().stream().map(StoredWorld::quantity).toList();
    JsonField at = root.get("place");
    List<Quantity> place = at.elements().stream().map(field -> named(field, quantities)).toList();
    if (place.size() > MAX_AXES) {
      throw at.error("expected at most %d quantities, found %d".formatted(MAX_AXES, place.size()));
    }
    Vocabulary words = root.within(() -> words(quantities, List.of(), place));
    List<Task> tasks = tasks(root.get("tasks"), words);
    List<Task> further =
        root.has(FURTHER_TASKS) ? tasks(root.get(FURTHER_TASKS), words) : List.of();
    double seconds = root.get("stepSeconds").number();
    if (seconds <= 0) {
      throw root.get("stepSeconds").error("expected a number above 0, found " + seconds);
    }
    double discount = root.get("discount").number();
    if (discount < 0 || discount >= 1) {
      throw root.get("discount").error("expected a number from 0 to below 1, found " + discount);
    }
    return root.within(
        () ->
            new StoredWorld(
                root.get("name").text(),
                root.get("title").lineOrBlank(),
                root.get("observationSize").integer(1, MAX_NUMBERS),
                space(root.get("actions")),
                quantities,
                root.get("quantitiesObserved").truth(),
                tasks,
                further,
                place,
                root.get("episodeSteps").integer(1, Integer.MAX_VALUE),
                seconds,
                discount,
                root.get("stateSize").integer(0, MAX_NUMBERS),
                root.has(ACHIEVED_GOAL)
                    ? Optional.of(places(root.get(ACHIEVED_GOAL)))
                    : Optional.empty(),
                root.has("definition")
                    ? Optional.of(definition(root.get("definition")))
                    : Optional.empty()));
  }

  private static List<Integer> places(JsonField field) {
    return field.elements().stream().map(place -> place.integer(0, MAX_NUMBERS)).toList();
  }

  private static Definition definition(JsonField field) {
    field.checkKeys(List.of("kind", "text"));
    List<String> lines = field.get("text").elements().stream().map(JsonField::textOrBlank).toList();
    return new Definition(field.get("kind").text(), String.join("\n", lines));
  }

  private static Quantity quantity(JsonField field) {
    return new Quantity(
        field.get("name").text(),
        field.get("unit").lineOrBlank(),
        field.get("meaning").lineOrBlank());
  }

  private static Quantity named(JsonField field, List<Quantity> quantities) {
    return quantities.stream()
        .filter(quantity -> quantity.name().equals(field.text()))
        .findFirst()
        .orElseThrow(() -> field.error("expected a quantity, found " + field.shown()));
  }

  private static List<Task> tasks(JsonField list, Vocabulary words) {
    return list.elements().stream().map(field -> task(field, words)).toList();
  }

  private static Task task(JsonField field, Vocabulary words) {
    JsonField formula = field.get("formula");
    return formula.within(
        () ->
            Formula.parse(formula.text(), words)
                .task(field.get("name").text(), field.get("meaning").lineOrBlank()));
  }

  private static Space space(JsonField field) {
    if (field.has("count")) {
      return new Space.Discrete(field.get("count").integer(1, Integer.MAX_VALUE));
    }
    int size = field.get("low").elements().size();
    double[] low = field.get("low").numbers(size);
    double[] high = field.get("high").numbers(size);
    float[] lows = new float[size];
    float[] highs = new float[size];
    for (int i = 0; i < size; i++) {
      lows[i] = (float) low[i];
      highs[i] = (float) high[i];
      if (!(lows[i] <= highs[i]) || Float.isInfinite(lows[i]) || Float.isInfinite(highs[i])) {
        throw field.error(
            "expected bounds of single precision, the lower one first, found %s and %s for number %d"
                .formatted(low[i], high[i], i));
      }
    }
    if (size == 0) {
      throw field.error("expected the bounds of at least one number, found none");
    }
    return new Space.Box(lows, highs);
  }

  /** As described: neither arrays nor rewards can be compared. */
  @Override
  public boolean equals(Object other) {
    return other instanceof StoredWorld world && toJson().equals(world.toJson());
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
