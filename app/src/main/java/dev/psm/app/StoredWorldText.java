package dev.psm.app;

import dev.psm.core.env.ActionScaling;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What there is to say of a world that is known by its data alone. */
final class StoredWorldText {
  private StoredWorldText() {}

  static String columns(World world) {
    return world.quantities().stream().map(Quantity::name).collect(Collectors.joining(", "));
  }

  /** What actions are scaled by; nothing where they stay as they are. */
  static Optional<String> actionUnits(World world) {
    if (world.actionUnits() instanceof Space.Discrete numbered) {
      return Optional.of("actions are numbered, from 0 to %d".formatted(numbered.count() - 1));
    }
    Space.Box units = (Space.Box) world.actionUnits();
    return ActionScaling.of(world)
        .map(
            scaling ->
                "actions are stored in [-1, 1], which stands for %s; policies give them in these units"
                    .formatted(
                        IntStream.range(0, units.size())
                            .mapToObj(i -> "[%s, %s]".formatted(units.low()[i], units.high()[i]))
                            .collect(Collectors.joining(", "))));
  }
}
