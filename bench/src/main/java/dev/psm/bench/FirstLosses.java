package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import java.util.List;
import java.util.Map;

/** Whether two sides that took the same first steps found the same losses. */
final class FirstLosses {
  private FirstLosses() {}

  /**
   * The largest difference at the first step, relative where losses are large; more than is allowed
   * at any step is an error.
   *
   * @param watched per step, what psm watches
   * @param losses per step, what the peer watches
   */
  static double difference(
      String subject,
      List<Map<String, double[]>> watched,
      JsonNode losses,
      double firstTolerance,
      double laterTolerance) {
    double largest = 0;
    for (int step = 0; step < watched.size(); step++) {
      double tolerance = step == 0 ? firstTolerance : laterTolerance;
      for (Map.Entry<String, JsonNode> loss : losses.path(step).properties()) {
        double mine = watched.get(step).get(loss.getKey())[0];
        double other = loss.getValue().asDouble();
        double apart = Math.abs(mine - other) / Math.max(1, Math.abs(other));
        if (step == 0) {
          largest = Math.max(largest, apart);
        }
        if (!(apart <= tolerance)) {
          throw UserError.failed(
              null,
              "%s of %s differs at step %d: psm has %s, the peer %s; the two are not the same"
                  + " update",
              loss.getKey(),
              subject,
              step + 1,
              mine,
              other);
        }
      }
    }
    return largest;
  }
}
