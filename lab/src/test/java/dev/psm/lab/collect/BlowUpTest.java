package dev.psm.lab.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.data.Episode;
import dev.psm.core.env.Plane;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Camera;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collecting.Policy;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.RobotWorld;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that blows up costs the step in which it does, and no more. */
final class BlowUpTest {
  private static final int STEPS = 20;

  @TempDir Path root;

  /** The maze, except that half of its episodes blow up at a step that the start decides. */
  private static final class Unstable extends Domain {
    static final RobotWorld WORLD =
        new RobotWorld(
            "point_mass_maze",
            "a maze that blows up",
            new RobotWorld.Sizes(4, 2, 0, 1, 0.02, STEPS, 4),
            List.of(),
            List.of(),
            List.of(new Task("nothing", "pays nothing", "0", q -> 0)),
            new RobotWorld.Habits(
                0.99, List.of(), new Plane("x", 0, 1, "y", 0, 1), List.of(), List.of()),
            Unstable::new);

    private int fuse;

    Unstable() {
      super(WORLD, "point_mass_maze");
    }

    @Override
    protected void randomize(RandomGenerator random) {
      simulation.qpos().set(0, uniform(random, -0.29, -0.15));
      simulation.qpos().set(1, uniform(random, 0.15, 0.29));
      fuse = random.nextInt(2 * STEPS);
    }

    @Override
    public boolean advance(double[] controls) {
      if (fuse-- == 0) {
        simulation.reset();
        return false;
      }
      return super.advance(controls);
    }

    @Override
    public void observe(double[] observation) {
      simulation.qpos().copy(0, observation, 0, 2);
      simulation.qvel().copy(0, observation, 2, 2);
    }

    @Override
    public double[] focus() {
      return new double[3];
    }

    @Override
    public Camera camera(double[] focus) {
      return Camera.above(focus, 1);
    }
  }

  private static Collection.Plan plan(long steps) {
    return new Collection.Plan(steps, 3, 2, 1);
  }

  @Test
  void whatCameBeforeIsKeptAndTheRestOfTheRoundIsANewEpisode() {
    Collection.Result result =
        Collection.atRandom(Unstable.WORLD, plan(1000), root, Progress.SILENT);
    List<Episode> episodes = Collecting.episodes(root);
    assertTrue(result.divergences() > 10, result.divergences() + " blew up");
    assertEquals(result.added(), episodes.stream().mapToLong(Episode::transitions).sum());
    assertTrue(episodes.stream().anyMatch(episode -> episode.transitions() == STEPS));
    assertTrue(episodes.stream().anyMatch(episode -> episode.transitions() == 1));
    for (Episode episode : episodes) {
      assertTrue(episode.transitions() <= STEPS);
      for (int row = 0; row < episode.rows(); row++) {
        double x = episode.physics()[4 * row];
        // A simulation that blew up stands at the model's own start, the middle of the maze.
        assertTrue(x < -0.1, "row %d of %d at %s".formatted(row, episode.rows(), x));
        if (row > 0) {
          assertEquals(episode.physics()[4 * row - 4], x, 0.01, "no jump within an episode");
        }
      }
    }
  }

  /** Among them episodes too short for the explorer's returns of three steps. */
  @ParameterizedTest
  @EnumSource
  void aCollectionGoesOnToTheBitThroughBlowUps(Policy policy) {
    Path whole = root.resolve("whole");
    Path inGoes = root.resolve("in goes");
    policy.collect(Unstable.WORLD, plan(400), whole, Progress.SILENT);
    for (long steps : new long[] {100, 111, 400}) {
      assertThrows(
          Collecting.Killed.class,
          () ->
              policy.collect(
                  Unstable.WORLD, plan(400), inGoes, Collecting.killedAtStep(STEPS * 3 / 2)));
      policy.collect(Unstable.WORLD, plan(steps), inGoes, Progress.SILENT);
    }
    List<Episode> episodes = Collecting.episodes(whole);
    Collecting.assertSame(episodes, Collecting.episodes(inGoes));
    assertTrue(episodes.stream().anyMatch(episode -> episode.transitions() < 3));
  }
}
