package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.Scenery;
import dev.psm.core.io.Json;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Colour;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.util.List;
import java.util.Locale;

/** What stays the same of a scenery from frame to frame: shapes, camera, colours, light. */
final class SceneJson {
  private SceneJson() {}

  static ObjectNode of(Scenery scenery) {
    ObjectNode json = Json.object();
    ArrayNode shapes = json.putArray("shapes");
    List<Placed> placed = scenery.shapes();
    for (int i = 0; i < placed.size(); i++) {
      shapes.add(shape(placed.get(i).shape()).put("pushable", scenery.canBePushed(i)));
    }
    ArrayNode ghost = json.putArray("ghost");
    scenery.ghost().forEach(each -> ghost.add(shape(each.shape())));
    json.set("camera", camera(scenery.camera(scenery.focus())));
    json.set("look", look(scenery));
    return json;
  }

  private static ObjectNode shape(Shape shape) {
    ObjectNode json = Json.object().put("kind", shape.kind().name().toLowerCase(Locale.ROOT));
    numbers(json.putArray("size"), shape.sizeX(), shape.sizeY(), shape.sizeZ());
    colour(json.putArray("colour"), shape.colour());
    return json;
  }

  private static ObjectNode camera(Camera camera) {
    ObjectNode json = Json.object().put("fieldOfView", camera.fieldOfView());
    numbers(json.putArray("eye"), camera.eye());
    numbers(json.putArray("target"), camera.target());
    numbers(json.putArray("up"), camera.up());
    return json;
  }

  private static ObjectNode look(Scenery scenery) {
    Look look = scenery.look().litFor(scenery.camera(scenery.focus()));
    ObjectNode json = Json.object().put("square", look.square());
    colour(json.putArray("groundDark"), look.groundDark());
    colour(json.putArray("groundLight"), look.groundLight());
    colour(json.putArray("horizon"), look.horizon());
    colour(json.putArray("zenith"), look.zenith());
    numbers(json.putArray("light"), look.light());
    return json;
  }

  private static void colour(ArrayNode array, Colour colour) {
    numbers(array, colour.red(), colour.green(), colour.blue(), colour.alpha());
  }

  private static void numbers(ArrayNode array, double... numbers) {
    for (double number : numbers) {
      array.add((float) number);
    }
  }
}
