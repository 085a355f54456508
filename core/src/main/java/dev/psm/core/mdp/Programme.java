package dev.psm.core.mdp;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import java.util.List;

/** Which linear programme solves a finite MDP exactly. */
public enum Programme {
  /** In the coordinates w of the basis, the paper's equation 4. */
  W,
  /** In the visitation d itself, sparse. */
  D,
  /** {@link #W} where its basis is small enough to store, else {@link #D}. */
  AUTO;

  /** Reads {@code w}, {@code d} or {@code auto}. */
  public static Programme parse(String name) {
    return switch (name) {
      case "w" -> W;
      case "d" -> D;
      case "auto" -> AUTO;
      default ->
          throw UserError.invalid(
              "programme: expected w, d or auto, found '%s'; %s",
              name, Nearest.hint(name, List.of("w", "d", "auto")));
    };
  }
}
