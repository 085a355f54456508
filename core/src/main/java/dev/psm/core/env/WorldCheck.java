package dev.psm.core.env;

import dev.psm.core.UserError;
import java.util.List;
import java.util.Objects;

/**
 * What must hold of a world before anything is done with it: else it would fail in the midst of
 * work, and where nobody could tell whose mistake it is. Nothing is asked here that takes time.
 */
final class WorldCheck {
  private final World world;

  private WorldCheck(World world) {
    this.world = world;
  }

  /** The world itself, or a refusal in words. */
  static World checked(World world) {
    WorldCheck check = new WorldCheck(world);
    check.present("title", world.title());
    check.actions();
    check.present("actionUnits", world.actionUnits());
    check.atLeast(1, "observationSize", world.observationSize());
    check.atLeast(1, "episodeSteps", world.episodeSteps());
    check.atLeast(0, "stateSize", world.stateSize());
    check.list("quantities", world.quantities());
    check.list("tasks", world.tasks());
    check.list("furtherTasks", world.furtherTasks());
    check.list("place", world.place());
    check.list("examples", world.examples());
    check.list("regions", world.regions());
    check.list("aliases", world.aliases());
    check.present("achievedGoal", world.achievedGoal());
    check.present("episodeGoal", world.episodeGoal());
    check.present("plane", world.plane());
    check.present("volume", world.volume());
    check.present("reference", world.reference());
    check.present("definition", world.definition());
    return world;
  }

  private void actions() {
    Space space;
    try {
      space = world.actionSpace();
    } catch (IllegalArgumentException e) {
      throw refusal(String.valueOf(e.getMessage()));
    }
    present("actionSpace", space);
    if (space instanceof Space.Discrete numbered && numbered.count() < 2) {
      throw refusal(
          "actionSpace() has a single action, so there is nothing to choose; expected at least two");
    }
    if (space instanceof Space.Box box) {
      atLeast(1, "the size of actionSpace", box.size());
    }
  }

  private void list(String method, List<?> found) {
    present(method, found);
    if (found.stream().anyMatch(Objects::isNull)) {
      throw refusal(method + "() has a null in its list");
    }
  }

  private void present(String method, Object found) {
    if (found == null) {
      throw refusal("%s() must give something, found null".formatted(method));
    }
  }

  private void atLeast(int least, String method, int found) {
    if (found < least) {
      throw refusal("%s() must be at least %d, found %d".formatted(method, least, found));
    }
  }

  private UserError refusal(String why) {
    return UserError.invalid(
        "the world '%s' of %s cannot be used: %s", world.name(), world.getClass().getName(), why);
  }
}
