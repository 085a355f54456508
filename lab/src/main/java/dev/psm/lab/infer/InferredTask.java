package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;

/**
 * What a reward became.
 *
 * @param vector the task vector; zeros for a constant reward
 * @param standardErrors of its numbers; NaN where the data is too short to tell
 * @param directionError the standard error of the vector's direction, in radians
 * @param meanReward over all states
 * @param offset the 0.4 quantile, and {@code offsetError} what it may be off by at most; NaN where
 *     that is not known
 * @param scale the largest reward less its offset; 0 for a constant reward
 */
@SuppressWarnings("ArrayRecordComponent")
public record InferredTask(
    String name,
    String formula,
    float[] vector,
    float[] standardErrors,
    double directionError,
    double meanReward,
    double offset,
    double offsetError,
    double scale) {

  /** The same in every state: nothing to pursue. */
  public boolean isConstant() {
    return scale == 0;
  }

  ObjectNode toJson() {
    ObjectNode node = Json.object().put("name", name).put("formula", formula);
    put(node.putArray("taskVector"), vector);
    put(node.putArray("standardErrors"), standardErrors);
    return node.put("directionError", directionError)
        .put("meanReward", meanReward)
        .put("offset", offset)
        .put("offsetError", offsetError)
        .put("scale", scale);
  }

  private static void put(ArrayNode array, float[] values) {
    for (float value : values) {
      array.add(value);
    }
  }
}
