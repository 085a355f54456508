package dev.psm.zeroshot;

import dev.psm.core.io.JsonField;

/** What a {@code model.json} says that it describes; both kinds of model have a file so called. */
public enum ModelFormat {
  GRID,
  ROBOT;

  public static final int GRID_VERSION = 1;
  public static final String ROBOT_VERSION = "psm zero-shot agent 1";

  /** Refuses a file of neither format, or of a version that is not known here. */
  public static ModelFormat of(JsonField description) {
    JsonField format = description.get("format");
    if (format.shown().equals(Integer.toString(GRID_VERSION))) {
      return GRID;
    }
    if (format.shown().equals('"' + ROBOT_VERSION + '"')) {
      return ROBOT;
    }
    throw format.error(
        "expected '%s' (an agent for robots) or %d (a model of a grid), found %s; if another version"
                .formatted(ROBOT_VERSION, GRID_VERSION, format.shown())
            + " of psm wrote it, use that one, else pretrain the model again");
  }
}
