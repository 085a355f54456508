package dev.psm.lab;

import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridQuantities;
import dev.psm.core.reward.formula.Formula;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A reward as a command is given it: the name of a file, or a formula. */
public final class RewardText {
  private RewardText() {}

  /** The reward of entering each state of a grid. */
  public static double[] onGrid(String text, GridMap map) {
    Path file = path(text);
    if (file != null && !text.isBlank() && Files.exists(file)) {
      return RewardFile.read(file, map);
    }
    Formula formula;
    try {
      formula = Formula.parse(text, GridQuantities.vocabulary(map));
    } catch (UserError e) {
      throw text.length() > 200
          ? e
          : UserError.invalid("%s: no such file; and read as a formula: %s", text, e.getMessage());
    }
    return formula.of(GridQuantities.cells(map));
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
