package dev.psm.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code pretrain} is asked for, on a grid and on data alike; null where the user said
 * nothing.
 */
record PretrainRequest(
    String agent,
    String preset,
    Long seed,
    Path out,
    boolean replace,
    boolean onlySettings,
    Integer steps,
    List<String> settings) {

  /** All changes of the settings as {@code key=value}, the number of steps among them. */
  List<String> overrides() {
    List<String> all = new ArrayList<>(settings);
    if (steps != null) {
      all.add("gradientSteps=" + steps);
    }
    return all;
  }
}
