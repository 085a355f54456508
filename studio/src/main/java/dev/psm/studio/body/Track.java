package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.Environment;
import dev.psm.core.io.Json;
import java.util.function.ToDoubleBiFunction;

/**
 * A number that is plotted beside a body.
 *
 * @param kind what it is: reward, projected, part or distance
 * @param name for a person
 * @param unit empty for a pure number
 * @param value after a step, from the environment and what is observed there; NaN for none
 */
record Track(
    String kind, String name, String unit, ToDoubleBiFunction<Environment, float[]> value) {

  ObjectNode json() {
    return Json.object().put("kind", kind).put("name", name).put("unit", unit);
  }
}
