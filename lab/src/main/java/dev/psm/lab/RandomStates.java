package dev.psm.lab;

import dev.psm.core.Wording;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.mujoco.suite.DomainFacts;
import dev.psm.mujoco.suite.PhysicsEnvironment;
import java.util.ArrayList;
import java.util.List;

/**
 * The states that uniformly random actions lead to: the same episodes as {@link RandomEpisodes}.
 */
public final class RandomStates implements StateSource {
  private final DomainFacts facts;
  private final int episodes;
  private final long seed;
  private final Progress progress;

  public RandomStates(DomainFacts facts, int episodes, long seed, Progress progress) {
    this.facts = facts;
    this.episodes = episodes;
    this.seed = seed;
    this.progress = progress;
  }

  @Override
  public String description() {
    return "%s of random actions, seed %d".formatted(Wording.count(episodes, "episode"), seed);
  }

  @Override
  public QuantityTable measure(List<Quantity> quantities) {
    List<double[]> rows = new ArrayList<>();
    try (PhysicsEnvironment environment =
            new PhysicsEnvironment(facts.open(), facts.tasks().get(0));
        Progress.Bar bar = progress.start("random " + facts.name(), episodes)) {
      for (int episode = 0; episode < episodes; episode++) {
        RandomEpisodes.play(
            environment,
            seed,
            episode,
            domain -> rows.add(quantities.stream().mapToDouble(domain::get).toArray()));
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
