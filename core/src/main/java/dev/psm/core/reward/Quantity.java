package dev.psm.core.reward;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;

/**
 * Something that can be measured in an environment's state and named in a reward.
 *
 * @param name as in a formula: lower case, words joined by underscores
 * @param unit such as m, rad/s; 1 for a pure number
 * @param meaning one sentence for a person
 */
public record Quantity(String name, String unit, String meaning) {

  public ObjectNode toJson() {
    return Json.object().put("name", name).put("unit", unit).put("meaning", meaning);
  }

  /** Every reward looks quantities up at every step, and the name alone tells them apart. */
  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
