package dev.psm.lab;

import dev.psm.core.Wording;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import java.util.ArrayList;
import java.util.List;

/**
 * States of a world to try a reward on: all of them where they are few and known, else those that
 * uniformly random actions lead to, in the same episodes as {@link RandomEpisodes}.
 */
public final class WorldStates implements StateSource {
  private final World world;
  private final int episodes;
  private final long seed;
  private final Progress progress;

  public WorldStates(World world, int episodes, long seed, Progress progress) {
    this.world = world;
    this.episodes = episodes;
    this.seed = seed;
    this.progress = progress;
  }

  @Override
  public String description() {
    return world.allStates().isPresent()
        ? "all states of " + world.name()
        : "%s of random actions, seed %d".formatted(Wording.count(episodes, "episode"), seed);
  }

  @Override
  public QuantityTable measure(List<Quantity> quantities) {
    if (world.allStates().isPresent()) {
      return world.allStates().get();
    }
    List<double[]> rows = new ArrayList<>();
    try (Environment environment = CheckedEnvironment.open(world);
        Progress.Bar bar = progress.start("random " + world.name(), episodes)) {
      for (int episode = 0; episode < episodes; episode++) {
        RandomEpisodes.play(
            world,
            environment,
            seed,
            episode,
            () -> rows.add(quantities.stream().mapToDouble(environment::get).toArray()));
        bar.update(episode + 1, "");
      }
    }
    QuantityTable table = new QuantityTable(quantities, rows.size());
    for (int i = 0; i < quantities.size(); i++) {
      double[] column = table.column(quantities.get(i));
      for (int row = 0; row < column.length; row++) {
        column[row] = rows.get(row)[i];
      }
    }
    return table;
  }
}
