package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Progress;
import dev.psm.lab.RandomEpisodes;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceReturnsTest {

  /** Other episodes than those of the table, so as many standard errors may lie between them. */
  @ParameterizedTest
  @CsvSource({"walker, 10", "cheetah, 10", "quadruped, 20", "maze, 40", "fetchreach, 20"})
  void randomActionsEarnWhatTheTableSays(String name, int episodes) {
    World world = Worlds.named(name);
    double[][] measured = RandomEpisodes.run(world, episodes, 1, 2, Progress.SILENT).returns();
    double sum = 0;
    for (int i = 0; i < measured.length; i++) {
      String task = world.tasks().get(i).name();
      ReferenceReturns.Figure known =
          ReferenceReturns.RANDOM
              .of(world.name(), task, ReferenceReturns.ACTIONS)
              .orElseThrow(() -> new AssertionError(name + " " + task));
      double tolerance = 4 * known.spread() / Math.sqrt(episodes) + 0.01;
      assertEquals(known.mean(), Summary.of(measured[i]).mean(), tolerance, task);
      sum += known.mean();
    }
    double average = ReferenceReturns.RANDOM.average(world, ReferenceReturns.ACTIONS).orElseThrow();
    assertEquals(sum / measured.length, average, 1e-9);
    assertTrue(
        ReferenceReturns.RANDOM
            .mean(world, Grade.RETURNS.headline(), ReferenceReturns.ACTIONS)
            .equals(Optional.of(average)));
  }
}
