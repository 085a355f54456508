package dev.psm.lab.run;

import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;

/** A run that came to numbers that are not finite; others beside it may still do well. */
public final class Diverged extends UserError {
  private static final long serialVersionUID = 1L;

  @FormatMethod
  Diverged(String message, Object... arguments) {
    super(Kind.FAILED, message.formatted(arguments), null);
  }
}
