package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.PoseCoordinate;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.StateFunction;
import dev.psm.studio.ModelShelf;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** All that a page has to know of an agent and its world before anything moves. */
final class BodyDescription {
  /** Sliders for more numbers than these are no way to say a goal. */
  private static final int MAX_GOAL = 6;

  private static final double LOW = 0.01;
  private static final double HIGH = 0.99;

  private final ZeroShotAgent agent;
  private final World world;

  private BodyDescription(ZeroShotAgent agent) {
    this.agent = agent;
    this.world = agent.environment();
  }

  /** Refuses in words where this machine cannot open the world. */
  static ObjectNode of(ModelShelf.Entry entry) {
    ZeroShotAgent agent = entry.agent();
    return new BodyDescription(agent).json(entry);
  }

  private ObjectNode json(ModelShelf.Entry entry) {
    ObjectNode json =
        Json.object()
            .put("id", entry.id())
            .put("folder", relative(entry.folder()))
            .put("agent", agent.title())
            .put("world", world.name())
            .put("worldTitle", world.title())
            .put("stepSeconds", world.stepSeconds())
            .put("episodeSteps", world.episodeSteps())
            .put("taskVectors", agent.hasTaskVectors())
            .put("sample", agent.sample().states(world))
            .put("rewards", agent.sample().quantities().isPresent());
    ArrayNode quantities = json.putArray("quantities");
    world.quantities().forEach(each -> quantities.add(quantity(each)));
    ArrayNode functions = json.putArray("functions");
    Formula.functions().forEach((usage, meaning) -> word(functions, usage, meaning));
    for (StateFunction each : world.vocabulary().functions()) {
      word(functions, each.usage(), each.meaning());
    }
    ArrayNode constants = json.putArray("constants");
    Formula.constants().forEach((name, meaning) -> word(constants, name, meaning));
    ArrayNode tasks = json.putArray("tasks");
    world.tasks().forEach(each -> tasks.add(each.toJson()));
    world.examples().forEach(json.putArray("examples")::add);
    world.plane().ifPresent(plane -> json.putArray("plane").add(plane.x()).add(plane.y()));
    pose(json.putArray("pose"));
    goal(json.putArray("goal"));
    return json;
  }

  private static void word(ArrayNode words, String name, String meaning) {
    words.addObject().put("name", name).put("meaning", meaning);
  }

  /** As somebody would type it where psm was started. */
  private static String relative(Path folder) {
    Path here = Path.of("").toAbsolutePath();
    return (folder.startsWith(here) ? here.relativize(folder) : folder).toString();
  }

  private ObjectNode quantity(Quantity quantity) {
    ObjectNode json = quantity.toJson();
    Optional<QuantityTable> table = agent.sample().quantities();
    table.ifPresent(known -> range(json, known.column(quantity)));
    return json;
  }

  private static void range(ObjectNode json, double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    json.put("low", sorted[(int) (LOW * (sorted.length - 1))]);
    json.put("high", sorted[(int) Math.ceil(HIGH * (sorted.length - 1))]);
  }

  private void pose(ArrayNode list) {
    try (Mannequin mannequin = new Mannequin(world)) {
      List<PoseCoordinate> pose = mannequin.pose();
      double[] initial = mannequin.initial();
      for (int i = 0; i < initial.length; i++) {
        PoseCoordinate each = pose.get(i);
        list.addObject()
            .put("name", each.name())
            .put("low", each.low())
            .put("high", each.high())
            .put("unit", each.unit())
            .put("value", initial[i]);
      }
    }
  }

  /** The numbers of a goal, where they are few: what each is called, and its range in the data. */
  private void goal(ArrayNode list) {
    int[] columns = agent.goalColumns();
    if (columns.length > MAX_GOAL) {
      return;
    }
    InferenceSample sample = agent.sample();
    int states = sample.states(world);
    for (int i = 0; i < columns.length; i++) {
      double[] values = new double[states];
      for (int row = 0; row < states; row++) {
        values[row] = sample.observations()[row * world.observationSize() + columns[i]];
      }
      ObjectNode axis = list.addObject().put("name", goalName(i, columns[i]));
      range(axis, values);
      widen(axis, i);
    }
  }

  private String goalName(int number, int column) {
    if (agent.takesEpisodeGoals()) {
      return world.episodeGoal().orElseThrow().place().get(number).name();
    }
    return world.quantitiesObserved() ? world.quantities().get(column).name() : "number_" + column;
  }

  /** Where the world itself says which goals there are, that is the range. */
  private void widen(ObjectNode axis, int number) {
    if (agent.takesEpisodeGoals() && world.volume().isPresent()) {
      var wanted = world.volume().get().axes().get(number);
      axis.put("low", wanted.low()).put("high", wanted.high());
    }
  }
}
