package dev.psm.core.data;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.util.Optional;

/**
 * Where a dataset comes from, so that it can be judged, and collected again.
 *
 * @param environment what the environment is found by: see {@link World#reference}
 * @param stored what is known of the environment, in files that say so
 * @param engine what computed the dynamics, with its version
 * @param collector name of what chose the actions
 * @param settings the collector's, in its own terms
 * @param seed of the collection
 */
public record DatasetDescription(
    String environment,
    Optional<StoredWorld> stored,
    String engine,
    String collector,
    ObjectNode settings,
    long seed,
    Columns columns) {
  /** The engine of data from elsewhere that does not name it. */
  public static final String UNKNOWN_ENGINE = "unknown";

  /** Of data from a world. */
  public DatasetDescription(
      World world,
      String engine,
      String collector,
      ObjectNode settings,
      long seed,
      Columns columns) {
    this(
        world.reference(),
        Optional.of(StoredWorld.of(world)),
        engine,
        collector,
        settings,
        seed,
        columns);
  }

  /** Of data that does not describe its world. */
  public DatasetDescription(
      String environment,
      String engine,
      String collector,
      ObjectNode settings,
      long seed,
      Columns columns) {
    this(environment, Optional.empty(), engine, collector, settings, seed, columns);
  }

  public DatasetDescription {
    checkText("environment", environment);
    checkText("engine", engine);
    checkText("collector", collector);
    settings = settings.deepCopy();
  }

  /** Where the data comes from. */
  public World world() {
    return Worlds.resolve(environment, stored);
  }

  /** The same with other settings. */
  DatasetDescription withSettings(ObjectNode changed) {
    return new DatasetDescription(environment, stored, engine, collector, changed, seed, columns);
  }

  @Override
  public ObjectNode settings() {
    return settings.deepCopy();
  }

  private static void checkText(String name, String value) {
    if (value == null || value.isBlank()) {
      throw UserError.invalid("the %s in the description of a dataset is empty", name);
    }
  }
}
