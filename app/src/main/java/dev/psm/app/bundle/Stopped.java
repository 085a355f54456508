package dev.psm.app.bundle;

import dev.psm.core.UserError;
import java.util.function.BooleanSupplier;

/** The user wants no bundle any more. */
final class Stopped extends UserError {
  private static final long serialVersionUID = 1L;

  Stopped() {
    super(Kind.FAILED, "stopped; nothing was left behind", null);
  }

  static void check(BooleanSupplier stop) {
    if (stop.getAsBoolean()) {
      throw new Stopped();
    }
  }
}
