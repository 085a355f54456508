package dev.psm.studio.grid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.JsonField;
import dev.psm.core.reward.Reward;
import dev.psm.studio.web.Bodies;
import dev.psm.studio.web.RequestError;
import io.javalin.http.Context;
import java.nio.file.Path;
import java.util.List;

/** A request about a grid: the map itself comes with it, so nothing is kept between requests. */
final class GridQuestion {
  /** So that exact solutions, of which most grows with the square, stay quick. */
  static final int MAX_CELLS = 2500;

  private static final Path NAME = Path.of("request");

  private final JsonField root;

  GridQuestion(Context request) {
    ObjectNode body = Bodies.object(request);
    root = JsonField.of(NAME, body);
  }

  JsonField field(String name) {
    return root.get(name);
  }

  boolean has(String name) {
    return root.has(name);
  }

  /** The map, drawn row by row. */
  GridWorld world() {
    JsonField map = root.get("map");
    List<String> lines = map.get("lines").elements().stream().map(JsonField::textOrBlank).toList();
    return world(map.get("name").text(), String.join("\n", lines));
  }

  static GridWorld world(String name, String text) {
    GridMap map = GridMap.parse(name, text);
    if ((long) map.width() * map.height() > MAX_CELLS) {
      throw RequestError.invalid(
          "a map of %d by %d cells is too large for the page, which takes up to %d cells; use the"
              + " commands for it",
          map.width(), map.height(), MAX_CELLS);
    }
    return new GridWorld(map);
  }

  /** What entering each free cell pays. */
  double[] reward(GridWorld world) {
    JsonField field = root.get("reward");
    double[] reward = field.numbers(world.stateCount());
    for (int state = 0; state < reward.length; state++) {
      if (!(Math.abs(reward[state]) <= Reward.LARGEST)) {
        throw field.error(
            "the reward of cell %s is %s, expected at most %s in size"
                .formatted(world.stateName(state), reward[state], Reward.LARGEST));
      }
    }
    return reward;
  }

  int state(String name, GridWorld world) {
    return root.get(name).integer(0, world.stateCount() - 1);
  }

  int action() {
    return root.get("action").integer(0, GridMap.ACTION_COUNT - 1);
  }
}
