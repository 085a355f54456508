package dev.psm.core.data;

import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What every row of a dataset holds, beside its discount.
 *
 * @param observation numbers in an observation
 * @param action numbers in an action
 * @param physics numbers in the state of the physics engine, or 0 where the data came without
 * @param extras further columns of single precision, such as the reward of a dataset made
 *     elsewhere: name to numbers per row
 */
public record Columns(int observation, int action, int physics, Map<String, Integer> extras) {
  static final String OBSERVATION = "observation";
  static final String ACTION = "action";
  static final String DISCOUNT = "discount";
  static final String PHYSICS = "physics";

  /** A tensor that is not a column: it has one entry per episode. */
  static final String EPISODE_LENGTH = "episode_length";

  static final int MAX_WIDTH = 1 << 20;
  private static final List<String> TAKEN =
      List.of(OBSERVATION, ACTION, DISCOUNT, PHYSICS, EPISODE_LENGTH);

  public Columns {
    checkWidth(OBSERVATION, observation, 1);
    checkWidth(ACTION, action, 1);
    checkWidth(PHYSICS, physics, 0);
    extras = Collections.unmodifiableMap(new TreeMap<>(extras));
    extras.forEach(
        (name, width) -> {
          if (TAKEN.contains(name) || !name.matches("[a-z][a-z0-9_]*")) {
            throw UserError.invalid(
                "an extra column cannot be called '%s'; take a word of a-z, 0-9 and _ other than"
                    + " %s",
                name, TAKEN);
          }
          checkWidth(name, width, 1);
        });
  }

  /** Data without extra columns. */
  public Columns(int observation, int action, int physics) {
    this(observation, action, physics, Map.of());
  }

  List<Column> stored() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column(OBSERVATION, DType.F32, observation, false));
    columns.add(new Column(ACTION, DType.F32, action, false));
    columns.add(new Column(DISCOUNT, DType.F32, 1, true));
    if (physics > 0) {
      columns.add(new Column(PHYSICS, DType.F64, physics, false));
    }
    extras.forEach((name, width) -> columns.add(new Column(name, DType.F32, width, width == 1)));
    return columns;
  }

  private static void checkWidth(String name, int width, int low) {
    if (width < low || width > MAX_WIDTH) {
      throw UserError.invalid(
          "a row of the column '%s' has from %d to %d numbers, found %d",
          name, low, MAX_WIDTH, width);
    }
  }
}
