package dev.psm.core.data;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;

/**
 * Where a dataset comes from, so that it can be judged, and collected again.
 *
 * @param environment name of the environment
 * @param engine what computed the dynamics, with its version
 * @param collector name of what chose the actions
 * @param settings the collector's, in its own terms
 * @param seed of the collection
 */
public record DatasetDescription(
    String environment,
    String engine,
    String collector,
    ObjectNode settings,
    long seed,
    Columns columns) {
  /** The engine of data from elsewhere that does not name it. */
  public static final String UNKNOWN_ENGINE = "unknown";

  public DatasetDescription {
    checkText("environment", environment);
    checkText("engine", engine);
    checkText("collector", collector);
    settings = settings.deepCopy();
  }

  @Override
  public ObjectNode settings() {
    return settings.deepCopy();
  }

  private static void checkText(String name, String value) {
    if (value.isBlank()) {
      throw UserError.usage("the %s in the description of a dataset is empty", name);
    }
  }
}
