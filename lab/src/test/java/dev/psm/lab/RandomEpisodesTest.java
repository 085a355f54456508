package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RandomEpisodesTest {

  /**
   * The original models under uniformly random controls gave these means and standard deviations,
   * over as many episodes but other draws; two such means differ by chance alone.
   */
  @ParameterizedTest
  @CsvSource({
    "walker, 40, stand 130.2 11.2; walk 33.0 5.2; run 23.1 1.9; flip 50.6 5.2",
    "cheetah, 40, run 3.23 1.16; run_backward 21.2 3.0; walk 16.1 5.8; walk_backward 105.9 15.1",
    "quadruped, 40, stand 186 378; walk 93 188; run 93 189; jump 139 280",
    "point_mass_maze, 100,"
        + " reach_top_left 14.9 64; reach_top_right 0 0; reach_bottom_left 0 0; reach_bottom_right 0 0"
  })
  @Tag("slow")
  void randomActionsEarnWhatTheyEarnInTheOriginal(String name, int episodes, String expected) {
    World world = Worlds.named(name);
    RandomEpisodes.Result result = RandomEpisodes.run(world, episodes, 1, 2, Progress.SILENT);
    assertEquals(0, result.divergences());
    List<String> tasks = Arrays.stream(expected.split(";", -1)).map(String::strip).toList();
    assertEquals(world.tasks().size(), tasks.size());
    for (int task = 0; task < tasks.size(); task++) {
      String[] words = tasks.get(task).split(" ", -1);
      assertEquals(world.tasks().get(task).name(), words[0]);
      double[] returns = result.returns()[task];
      assertEquals(episodes, returns.length);
      double mean = Arrays.stream(returns).average().orElseThrow();
      double variance =
          Arrays.stream(returns).map(x -> (x - mean) * (x - mean)).sum() / (episodes - 1);
      double theirs = Double.parseDouble(words[2]);
      double error = Math.sqrt((variance + theirs * theirs) / episodes);
      // Plus what the printed digits hide where nothing is ever earned.
      assertEquals(Double.parseDouble(words[1]), mean, 3 * error + 0.05, words[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cheetah", "point_mass_maze", "fetchreach_discrete"})
  void threadsDoNotChangeWhatComesOutButTheSeedDoes(String name) {
    World world = Worlds.named(name);
    RandomEpisodes.Result one = RandomEpisodes.run(world, 5, 9, 1, Progress.SILENT);
    RandomEpisodes.Result two = RandomEpisodes.run(world, 5, 9, 2, Progress.SILENT);
    RandomEpisodes.Result other = RandomEpisodes.run(world, 5, 10, 2, Progress.SILENT);
    assertEquals(1, one.threads());
    assertEquals(2, two.threads());
    for (int task = 0; task < world.tasks().size(); task++) {
      assertArrayEquals(one.returns()[task], two.returns()[task]);
    }
    assertFalse(Arrays.deepEquals(one.returns(), other.returns()));
  }

  @Test
  void anEpisodeIsTheSameHoweverManyFollowIt() {
    World world = Worlds.named("cheetah");
    double[][] few = RandomEpisodes.run(world, 2, 3, 1, Progress.SILENT).returns();
    double[][] many = RandomEpisodes.run(world, 4, 3, 1, Progress.SILENT).returns();
    assertArrayEquals(few[0], Arrays.copyOf(many[0], 2));
    assertTrue(many[0][0] != many[0][1], "and they are not all one");
  }

  @Test
  void progressReachesTheLastEpisodeAndNoThreadIsIdle() {
    AtomicLong most = new AtomicLong();
    AtomicLong closed = new AtomicLong();
    Progress progress =
        (label, total) -> {
          assertEquals("random point_mass_maze", label);
          assertEquals(3, total);
          return new Progress.Bar() {
            @Override
            public void update(long done, String note) {
              most.accumulateAndGet(done, Math::max);
            }

            @Override
            public void close() {
              closed.incrementAndGet();
            }
          };
        };
    RandomEpisodes.Result result = RandomEpisodes.run(Worlds.named("maze"), 3, 0, 8, progress);
    assertEquals(3, most.get());
    assertEquals(1, closed.get());
    assertEquals(3, result.threads(), "no more threads than episodes");
    assertTrue(result.stepsPerSecond() > 0);
  }
}
