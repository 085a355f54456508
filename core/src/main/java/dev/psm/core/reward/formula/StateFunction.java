package dev.psm.core.reward.formula;

import dev.psm.core.reward.Quantity;
import java.util.List;

/**
 * A function that an environment adds to the language, such as the distance from where it is.
 *
 * @param parameters their names, for a person
 * @param meaning one sentence for a person
 * @param reads the quantities it takes from the state by itself
 * @param constant whether arguments must not depend on the state
 * @param cost of a call, counted as {@link Formula#MAX_COST} does
 * @param binder makes the operation of one call
 */
public record StateFunction(
    String name,
    List<String> parameters,
    String meaning,
    List<Quantity> reads,
    boolean constant,
    int cost,
    Binder binder) {
  static final String DISTANCE = "distance";

  /** Makes the operation of one call. */
  @FunctionalInterface
  public interface Binder {
    /**
     * @param arguments their values when they must be constant, else empty
     * @return an operation on the quantities read, followed by the arguments unless constant
     * @throws IllegalArgumentException with a sentence for the user, when the arguments are wrong
     */
    Kernel bind(double[] arguments);
  }

  /** The straight distance between where the environment is and a point. */
  public static StateFunction distance(String meaning, List<Quantity> place) {
    int axes = place.size();
    List<String> parameters = List.of("x", "y", "z").subList(0, axes);
    Kernel kernel =
        (in, out, count) -> {
          for (int i = 0; i < count; i++) {
            double squares = 0;
            for (int axis = 0; axis < axes; axis++) {
              double difference = in[axis][i] - in[axes + axis][i];
              squares += difference * difference;
            }
            out[i] = Math.sqrt(squares);
          }
        };
    return new StateFunction(
        DISTANCE, parameters, meaning, place, false, 2 * axes, constants -> kernel);
  }

  /** As it is written: {@code distance(x, y)}. */
  public String usage() {
    return name + "(" + String.join(", ", parameters) + ")";
  }
}
