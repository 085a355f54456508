package dev.psm.core.env;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A family of worlds, or a kind of file that describes one. Found by name in {@code
 * META-INF/services/dev.psm.core.env.WorldSource}; for a single world, a {@link World} is enough.
 */
public interface WorldSource {
  /** Those that need no file. */
  default List<World> worlds() {
    return List.of();
  }

  /** Whether this is a file that {@link #read} is for, as its name tells. */
  default boolean reads(Path file) {
    return false;
  }

  /** The world that a file describes. */
  default World read(Path file) {
    throw new UnsupportedOperationException("this source reads no files");
  }

  /** The world that a {@link World#definition} says; empty where it is another source's kind. */
  default Optional<World> define(World.Definition definition, String name) {
    return Optional.empty();
  }
}
