package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.Worlds;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which grid: a built-in one by name, or a map file. */
final class MapOption {
  @Option(
      names = "--env",
      paramLabel = "NAME",
      description =
          "Built-in environment: gridworld, four-rooms, four-rooms-dark, four-rooms-large or spiral.")
  private String environment;

  @Option(
      names = "--map",
      paramLabel = "FILE",
      description = "A map of your own: # is a wall; a dot, a space or s is free.")
  private Path file;

  boolean isGiven() {
    return environment != null || file != null;
  }

  /** The map asked for. */
  GridMap required() {
    if (environment == null && file == null) {
      throw UserError.invalid("which environment? Give --env NAME or --map FILE");
    }
    return optional();
  }

  /** The map asked for, or null. */
  GridMap optional() {
    if (environment != null && file != null) {
      throw UserError.invalid("give either --env or --map, not both");
    }
    if (file != null) {
      return GridMap.read(file);
    }
    return environment == null ? null : named();
  }

  private GridMap named() {
    if (!GridMap.NAMES.contains(environment) && Worlds.find(environment).isPresent()) {
      throw UserError.invalid(
          "--env %1$s: a robot, not a grid; agents learn robots from data: ./psm collect --env %1$s"
              + " --steps 1000000 --out data/%1$s, then ./psm pretrain --data data/%1$s --out"
              + " runs/%1$s",
          environment);
    }
    return GridMap.named(environment);
  }
}
