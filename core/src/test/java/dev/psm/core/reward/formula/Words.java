package dev.psm.core.reward.formula;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Readings;
import java.util.List;

/** A small vocabulary to try the language with. */
final class Words {
  static final Quantity X = new Quantity("x", "m", "a place");
  static final Quantity Y = new Quantity("y", "m", "another");
  static final Quantity VELOCITY = new Quantity("velocity", "m/s", "how fast");
  static final Vocabulary VOCABULARY =
      Vocabulary.of(
          List.of(X, Y, VELOCITY), StateFunction.distance("from (x, y) to a point", List.of(X, Y)));

  private Words() {}

  static Readings state(double x, double y, double velocity) {
    return quantity -> quantity.equals(X) ? x : quantity.equals(Y) ? y : velocity;
  }

  static Formula formula(String text) {
    return Formula.parse(text, VOCABULARY);
  }

  /** In the state x = 3, y = -2, velocity = 0.5. */
  static double value(String text) {
    return formula(text).value(state(3, -2, 0.5));
  }
}
