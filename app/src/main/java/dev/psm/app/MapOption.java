package dev.psm.app;

import dev.psm.agents.Agents;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which world of few and known states: a grid or a plugin's by name, or a map file. */
final class MapOption {
  @Option(
      names = "--env",
      paramLabel = "NAME",
      description =
          "A grid: gridworld, four-rooms, four-rooms-dark, four-rooms-large or spiral; or a world of a plugin's whose"
              + " states are few and known.")
  private String environment;

  @Option(
      names = "--map",
      paramLabel = "FILE",
      description = "A map of your own: # is a wall; a dot, a space or s is free.")
  private Path file;

  boolean isGiven() {
    return environment != null || file != null;
  }

  /** The world asked for, which must be one whose transitions are all known. */
  FiniteWorld world() {
    World world = any();
    if (world instanceof FiniteWorld finite) {
      return finite;
    }
    if (Agents.learning(world).isEmpty()) {
      throw UserError.invalid(
          "--env %s: its actions are numbered and its states are not known one by one, which no agent"
              + " learns yet",
          environment);
    }
    throw UserError.invalid(
        "--env %1$s: its states are not few and known, so it is learned from data: ./psm collect"
            + " --env %1$s --steps 1000000 --out data/%2$s, then ./psm pretrain --data data/%2$s"
            + " --out runs/%2$s",
        environment, world.name());
  }

  /** The world asked for, if one was, which must be one that has exact solutions. */
  Optional<FiniteWorld> solvable() {
    if (!isGiven()) {
      return Optional.empty();
    }
    if (any() instanceof FiniteWorld finite) {
      return Optional.of(finite);
    }
    throw UserError.invalid(
        "--env %s: there are no exact solutions; give a world whose states are few and known",
        environment);
  }

  private World any() {
    if (environment != null && file != null) {
      throw UserError.invalid("give either --env or --map, not both");
    }
    return file == null ? Worlds.named(environment) : new GridWorld(GridMap.read(file));
  }
}
