package dev.psm.lab;

import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridWorld;
import dev.psm.core.reward.Task;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A reward as a command is given it: the name of a file, or a formula. */
public final class RewardText {
  private RewardText() {}

  /**
   * The reward of entering each state: a formula, the name of a task, or, on a grid, a file drawn
   * like the map.
   */
  public static double[] everywhere(String text, FiniteWorld world) {
    Path file = path(text);
    boolean isFile = file != null && !text.isBlank() && Files.exists(file);
    if (isFile && world instanceof GridWorld grid) {
      return RewardFile.read(file, grid.map());
    }
    Task task;
    try {
      task = world.taskOrFormula(text);
    } catch (UserError e) {
      throw text.length() > 200 || !(world instanceof GridWorld)
          ? e
          : UserError.invalid("%s: no such file; and read as a formula: %s", text, e.getMessage());
    }
    return world.allStates().orElseThrow().rewards(task);
  }

  /** Null for what cannot be the name of a file. */
  static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      return null;
    }
  }
}
