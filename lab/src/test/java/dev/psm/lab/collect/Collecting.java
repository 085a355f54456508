package dev.psm.lab.collect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.rnd.RndSettings;
import dev.psm.core.UserError;
import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetCheck;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.WorkContext;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.function.Executable;

/** Small collections, and what is asked of their datasets. */
final class Collecting {
  static final World MAZE = Worlds.named("maze");

  /** Learns from the second thousand of steps on, but little. */
  static final RndSettings TINY =
      new RndSettings(16, 8, 16, 40, 3, 0.99, 1e-3, 0.01, 0.2, 0.3, 1000, 5000);

  private Collecting() {}

  enum Policy {
    RANDOM,
    WANDER,
    RND;

    Collection.Result collect(World world, Collection.Plan plan, Path folder, Progress progress) {
      return switch (this) {
        case RANDOM -> Collection.atRandom(world, plan, folder, progress);
        case WANDER ->
            Collection.byWandering(
                world, plan, WanderSettings.USUAL, folder, WorkContext.of(progress));
        case RND -> Collection.byCuriosity(world, plan, TINY, folder, progress);
      };
    }
  }

  /** The moment a killed run did not get beyond. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Ends the run by an exception at one of its steps. */
  static Progress killedAtStep(long step) {
    AtomicLong steps = new AtomicLong();
    return (label, total) ->
        new Progress.Bar() {
          @Override
          public void update(long done, String note) {
            if (steps.incrementAndGet() == step) {
              throw new Killed();
            }
          }

          @Override
          public void close() {}
        };
  }

  static List<Episode> episodes(Path folder) {
    assertEquals(List.of(), DatasetCheck.of(folder).problems());
    try (Dataset dataset = Dataset.open(folder)) {
      return IntStream.range(0, dataset.episodes()).mapToObj(dataset::episode).toList();
    }
  }

  static void assertSame(List<Episode> expected, List<Episode> found) {
    assertEquals(expected.size(), found.size(), "episodes");
    for (int i = 0; i < expected.size(); i++) {
      Episode one = expected.get(i);
      Episode other = found.get(i);
      assertArrayEquals(one.observations(), other.observations(), "observations of " + i);
      assertArrayEquals(one.actions(), other.actions(), "actions of " + i);
      assertArrayEquals(one.discounts(), other.discounts(), "discounts of " + i);
      assertArrayEquals(one.physics(), other.physics(), "physics of " + i);
    }
  }

  static void refused(Executable work, String... words) {
    refused(Kind.INVALID, work, words);
  }

  static void refused(Kind kind, Executable work, String... words) {
    UserError error = Assertions.assertThrows(UserError.class, work);
    assertEquals(kind, error.kind(), error.getMessage());
    for (String word : words) {
      assertTrue(
          error.getMessage().contains(word), "'" + word + "' is not in: " + error.getMessage());
    }
  }
}
