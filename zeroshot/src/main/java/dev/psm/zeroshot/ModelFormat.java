package dev.psm.zeroshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.discrete.DiscreteModel;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Hashes;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a {@code model.json} says, in any of the formats that there have been. Every one of them
 * still loads; only {@link #CURRENT} is written. It describes a model by its own shape; the two
 * before, one for robots and one for grids, by the settings of the training that made it.
 *
 * @param agent what learned it
 * @param shape of the model
 */
record ModelFormat(Agent agent, World world, Record shape) {
  static final String CURRENT = "psm model 2";

  private static final String ROBOT_1 = "psm zero-shot agent 1";
  private static final int GRID_1 = 1;

  /** Keys of a description that are not said {@link ZeroShotAgent#about} a model. */
  static final List<String> KEYS =
      List.of("format", "agent", "environment", "world", "shape", "kind", "networks");

  /** Refuses a description of another version, or of something else. */
  static void requireKnown(JsonField description) {
    JsonField format = description.get("format");
    String found = format.shown();
    if (!isGrid1(description) && !isCurrent(description) && !found.equals('"' + ROBOT_1 + '"')) {
      throw format.error(
          "expected '%s', '%s' (a model of a robot) or %d (a model of a grid), found %s; if another"
                  .formatted(CURRENT, ROBOT_1, GRID_1, found)
              + " version of psm wrote it, use that one, else pretrain the model again");
    }
  }

  private static boolean isCurrent(JsonField description) {
    return description.get("format").shown().equals('"' + CURRENT + '"');
  }

  static boolean isGrid1(JsonField description) {
    return description.get("format").shown().equals(Integer.toString(GRID_1));
  }

  static ModelFormat of(JsonField description, Path file) {
    requireKnown(description);
    World world = world(description, file);
    JsonField id = description.get("agent");
    Set<String> keys = new HashSet<>();
    if (isCurrent(description)) {
      description.get("shape").object().fieldNames().forEachRemaining(keys::add);
    }
    Agent agent = id.within(() -> Agents.ofModel(id.text(), world, keys));
    String field = isCurrent(description) ? "shape" : isGrid1(description) ? "settings" : "kind";
    String place = file + ", field " + field;
    Record shape = Settings.fromJson(shape(description, agent), agent.shapeType(), place);
    description
        .get(field)
        .within(
            () -> {
              agent.check(shape);
              return shape;
            });
    return new ModelFormat(agent, world, shape);
  }

  private static World world(JsonField description, Path file) {
    JsonField environment = description.get("environment");
    if (isGrid1(description)) {
      String map =
          String.join(
              "\n",
              environment.get("map").elements().stream().map(JsonField::textOrBlank).toList());
      String source = file + ", field environment.map";
      return new GridWorld(GridMap.parse(environment.get("name").text(), source, map));
    }
    Optional<StoredWorld> stored = StoredWorld.in(description);
    return environment.within(() -> Worlds.resolve(environment.text(), stored));
  }

  /** Of older formats, those settings of the training that say what the model is. */
  private static ObjectNode shape(JsonField description, Agent agent) {
    if (isCurrent(description)) {
      ObjectNode shape = description.get("shape").object();
      // Features told whole states and goals apart before there was a choice.
      return agent.shapeType() == DiscreteModel.Shape.class && !shape.has("featureScope")
          ? shape.deepCopy().put("featureScope", "both")
          : shape;
    }
    ObjectNode shape = Json.object();
    if (isGrid1(description)) {
      ObjectNode settings = description.get("settings").object();
      Settings.keys(agent.shapeType())
          .forEach(
              key -> {
                if (settings.has(key)) {
                  shape.set(key, settings.get(key));
                } else if (key.equals("seed")) {
                  shape.put(key, description.get(key).whole(Long.MIN_VALUE, Long.MAX_VALUE));
                }
              });
      return shape;
    }
    JsonField networks = description.get("networks");
    String kind = description.get("kind").text();
    shape.put("kind", kind.toLowerCase(Locale.ROOT).replace('_', '-'));
    ObjectNode sizes = shape.putObject("networks");
    for (String size : List.of("featureDimension", "width", "featureWidth")) {
      sizes.put(size, networks.get(size).integer(1, Integer.MAX_VALUE));
    }
    return shape;
  }

  /**
   * The tensors of a grid's model of the first format, which knew its description by a hash of the
   * request; its inference sample was not written, since it is all states.
   */
  static Map<String, TensorData> tensorsOfGrid1(
      Path file, JsonField description, ModelFormat format) {
    Safetensors.Contents contents = Safetensors.read(file);
    String map = String.join("\n", ((GridWorld) format.world).map().lines());
    String request =
        String.join(
            "\n",
            format.agent.id(),
            Json.line(description.get("settings").object()),
            Hashes.sha256(map.getBytes(StandardCharsets.UTF_8)),
            description.get("seed").shown());
    if (!Hashes.sha256(request.getBytes(StandardCharsets.UTF_8))
        .equals(contents.metadata().get("request"))) {
      throw UserError.invalid(
          "%s was not learned by the agent, settings, map and seed that %s names: one of the two"
              + " was edited or comes from another model; copy both again, or pretrain again",
          file, ZeroShotAgent.DESCRIPTION);
    }
    Map<String, TensorData> tensors = new LinkedHashMap<>(contents.tensors());
    tensors.putAll(InferenceSample.everyState((FiniteWorld) format.world).tensors(format.world));
    return tensors;
  }
}
