package dev.psm.app;

import dev.psm.agents.Agents;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which grid: a built-in one by name, or a map file. */
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
    requireOne();
    if (file != null) {
      return new GridWorld(GridMap.read(file));
    }
    World world = Worlds.named(environment);
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

  /** The map asked for, or null. */
  GridMap optional() {
    requireOne();
    if (file != null) {
      return GridMap.read(file);
    }
    return environment == null ? null : named();
  }

  private void requireOne() {
    if (environment != null && file != null) {
      throw UserError.invalid("give either --env or --map, not both");
    }
  }

  private GridMap named() {
    if (!GridMap.NAMES.contains(environment) && Worlds.find(environment).isPresent()) {
      throw UserError.invalid("--env %s: not a grid", environment);
    }
    return GridMap.named(environment);
  }
}
