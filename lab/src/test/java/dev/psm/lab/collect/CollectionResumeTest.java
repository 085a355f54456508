package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Episode;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collecting.Killed;
import dev.psm.lab.collect.Collecting.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However often a collection stops and why, its episodes are those of one that never did. */
final class CollectionResumeTest {
  private static final long STEPS = 5000;

  private static final Map<Policy, List<Episode>> UNINTERRUPTED = new EnumMap<>(Policy.class);

  @TempDir Path root;

  private static Collection.Plan upTo(long steps) {
    return new Collection.Plan(steps, 3, 1, 4);
  }

  private List<Episode> uninterrupted(Policy policy) {
    return UNINTERRUPTED.computeIfAbsent(
        policy,
        missing -> {
          Path folder = root.resolve("uninterrupted");
          policy.collect(MAZE, upTo(STEPS), folder, Progress.SILENT);
          return Collecting.episodes(folder);
        });
  }

  @ParameterizedTest
  @EnumSource
  void askingForMoreLaterIsAskingForItAtOnce(Policy policy) {
    Path folder = root.resolve("in goes");
    // Twice into the middle of a round, to its end, and twice into the next.
    for (long steps : new long[] {500, 1001, 3000, 4000, STEPS}) {
      policy.collect(MAZE, upTo(steps), folder, Progress.SILENT);
      assertEquals((steps + 999) / 1000, Collecting.episodes(folder).size());
    }
    Collecting.assertSame(uninterrupted(policy), Collecting.episodes(folder));
  }

  @ParameterizedTest
  @EnumSource
  void aRunKilledInTheMiddleOfRoundsRepeatsThem(Policy policy) {
    Path folder = root.resolve("killed");
    // In the first round, in its last step, in the second round, in its first step.
    for (long step : new long[] {400, 1000, 1300, 1}) {
      Progress progress = Collecting.killedAtStep(step);
      assertThrows(Killed.class, () -> policy.collect(MAZE, upTo(STEPS), folder, progress));
    }
    assertEquals(3, Collecting.episodes(folder).size());
    Collection.Result rest = policy.collect(MAZE, upTo(STEPS), folder, Progress.SILENT);
    assertEquals(3000, rest.stored());
    assertEquals(2000, rest.added());
    Collecting.assertSame(uninterrupted(policy), Collecting.episodes(folder));
  }

  @ParameterizedTest
  @EnumSource
  void aRunKilledBeforeItsFirstEpisodeStartsOver(Policy policy) throws IOException {
    Path folder = root.resolve("killed");
    assertThrows(
        Killed.class,
        () -> policy.collect(MAZE, upTo(1000), folder, Collecting.killedAtStep(1000)));
    assertFalse(Files.exists(folder), "a failure before the first round leaves nothing behind");
    policy.collect(MAZE, upTo(1000), folder, Progress.SILENT);
    assertEquals(1, Collecting.episodes(folder).size());
  }

  @ParameterizedTest
  @EnumSource
  void roundsDoNotRepeatEachOther(Policy policy) {
    List<Episode> episodes = uninterrupted(policy);
    assertEquals(5, episodes.size());
    for (int i = 0; i < episodes.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertFalse(Arrays.equals(episodes.get(i).actions(), episodes.get(j).actions()));
        assertTrue(episodes.get(i).physics()[0] != episodes.get(j).physics()[0]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDamagedStateIsNotGoneOnFrom(Policy policy) throws IOException {
    policy.collect(MAZE, upTo(1000), root, Progress.SILENT);
    Path state = root.resolve("checkpoint-000000.state");
    byte[] bytes = Files.readAllBytes(state);
    bytes[bytes.length - 1] ^= 1;
    Files.write(state, bytes);
    Collecting.refused(
        Kind.FAILED,
        () -> policy.collect(MAZE, upTo(2000), root, Progress.SILENT),
        state.toString(),
        "it was damaged or edited");
  }
}
