package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static dev.psm.lab.collect.Collecting.assertSame;
import static dev.psm.lab.collect.Collecting.episodes;
import static dev.psm.lab.collect.Collecting.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.data.Dataset;
import dev.psm.core.data.Episode;
import dev.psm.core.io.FolderLock;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.torch.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartedCollectionTest {
  private static final int STEPS = 5000;
  private static final int PARTS = 3;

  @TempDir private Path root;

  private static Optional<Record> settings(Collecting.Policy policy) {
    return switch (policy) {
      case RANDOM -> Optional.empty();
      case WANDER -> Optional.of(WanderSettings.USUAL);
      case RND -> Optional.of(Collecting.TINY);
    };
  }

  private static PartedCollection parted(
      Collecting.Policy policy, int steps, int parts, long seed, Path folder) {
    return new PartedCollection(
        MAZE,
        new Collection.Plan(steps, 1, 1, seed),
        parts,
        settings(policy),
        Optional.empty(),
        folder);
  }

  private static Collection.Result collect(PartedCollection collection, int workers) {
    return collection.run(
        new LocalWorkers(workers), new WorkContext(Progress.SILENT, note -> {}, () -> false));
  }

  @ParameterizedTest
  @EnumSource(Collecting.Policy.class)
  void anyNumberOfWorkersCollectsTheSame(Collecting.Policy policy) {
    Path alone = root.resolve("alone");
    Path together = root.resolve("together");
    Collection.Result result = collect(parted(policy, STEPS, PARTS, 7, alone), 1);
    collect(parted(policy, STEPS, PARTS, 7, together), 2);
    assertEquals(6000, result.added(), "whole episodes of 2,000, 2,000 and 1,000 steps");
    List<Episode> found = episodes(together);
    assertSame(episodes(alone), found);
    assertFalse(
        Arrays.equals(found.get(0).actions(), found.get(2).actions()),
        "each part has draws of its own");
    try (Dataset one = Dataset.open(alone);
        Dataset other = Dataset.open(together)) {
      assertEquals(one.fingerprint(), other.fingerprint());
      assertEquals(7, other.description().seed());
      assertEquals(PARTS, other.description().settings().path("parts").asInt());
      assertEquals(PARTS, other.description().settings().path("partSeeds").size());
    }
    assertFalse(Files.exists(alone.resolve("parts")));
  }

  @Test
  void aPartIsAnOrdinaryCollection() {
    Path whole = root.resolve("whole");
    collect(parted(Collecting.Policy.WANDER, STEPS, PARTS, 7, whole), 2);
    long seed;
    try (Dataset dataset = Dataset.open(whole)) {
      seed = dataset.description().settings().path("partSeeds").get(1).asLong();
    }
    Path alone = root.resolve("alone");
    Collection.byWandering(
        MAZE,
        new Collection.Plan(1667, 1, 1, seed),
        WanderSettings.USUAL,
        alone,
        WorkContext.of(Progress.SILENT));
    assertSame(episodes(alone), new ArrayList<>(episodes(whole).subList(2, 4)));
  }

  @Test
  void askedAgainItIsThereAndMoreIsRefused() {
    Path folder = root.resolve("data");
    collect(parted(Collecting.Policy.RANDOM, STEPS, PARTS, 7, folder), 2);
    Collection.Result again = collect(parted(Collecting.Policy.RANDOM, STEPS, PARTS, 7, folder), 2);
    assertEquals(0, again.added());
    assertEquals(6000, again.stored());
    refused(
        () -> collect(parted(Collecting.Policy.RANDOM, 9000, PARTS, 7, folder), 2),
        "gathered from 3 parts",
        "another folder");
    refused(
        () -> collect(parted(Collecting.Policy.RANDOM, STEPS, 2, 7, folder), 2), "parts 3, not 2");
    refused(
        () -> collect(parted(Collecting.Policy.RANDOM, STEPS, PARTS, 8, folder), 2),
        "seed 7, not 8");
    refused(
        () -> collect(parted(Collecting.Policy.WANDER, STEPS, PARTS, 7, folder), 2),
        "policy \"random\", not \"wander\"");
    refused(
        () ->
            Collection.atRandom(MAZE, new Collection.Plan(STEPS, 1, 1, 7), folder, Progress.SILENT),
        "gathered from 3 parts");
  }

  /** Killed between two parts, in one, and in the middle of gathering. */
  @Test
  void whatWasKilledGoesOnToTheBit() throws IOException {
    Path whole = root.resolve("whole");
    collect(parted(Collecting.Policy.WANDER, STEPS, PARTS, 7, whole), 2);
    Path folder = root.resolve("killed");
    PartedCollection collection = parted(Collecting.Policy.WANDER, STEPS, PARTS, 7, folder);
    for (int step : new int[] {1500, 700, 3}) {
      try {
        collection.run(
            new LocalWorkers(1),
            new WorkContext(Collecting.killedAtStep(step), note -> {}, () -> false));
      } catch (RuntimeException stopped) {
        assertFalse(Dataset.isIn(folder));
      }
    }
    refused(
        () -> collect(parted(Collecting.Policy.WANDER, STEPS, PARTS, 8, folder), 2),
        "unfinished collection",
        "seed 7, not 8");
    refused(
        () -> collect(parted(Collecting.Policy.WANDER, STEPS + 1, PARTS, 7, folder), 2),
        "steps 5000, not 5001");
    // A link that gathering had made before it was killed.
    Files.writeString(folder.resolve("chunk-000000.safetensors"), "half");
    collect(collection, 2);
    assertSame(episodes(whole), episodes(folder));
    assertTrue(Files.exists(folder.resolve("dataset.json")));
  }

  /** By a process that was only thought lost. */
  @Test
  void aPartThatAnotherProcessHasIsWaitedFor() throws IOException {
    Path folder = root.resolve("data");
    PartedCollection collection = parted(Collecting.Policy.RANDOM, STEPS, PARTS, 7, folder);
    WorkContext stopped = new WorkContext(Progress.SILENT, note -> {}, () -> true);
    assertFalse(collection.run(new LocalWorkers(1), stopped).finished());
    FolderLock lock =
        FolderLock.tryTake(folder.resolve("parts").resolve("part-000001")).orElseThrow();
    List<String> notes = new ArrayList<>();
    WorkContext context =
        new WorkContext(
            Progress.SILENT,
            note -> {
              notes.add(note);
              lock.close();
            },
            () -> false);
    Collection.Result result =
        parted(Collecting.Policy.RANDOM, STEPS, PARTS, 7, folder).run(new LocalWorkers(1), context);
    assertTrue(result.finished());
    assertEquals(6000, result.added());
    assertEquals(
        List.of("another process collects 1 part of %s; waiting for it".formatted(folder)), notes);
  }

  @Test
  void aPartThatNobodyCanCollectIsRefused() {
    CollectionPart part =
        new CollectionPart(
            MAZE,
            new Collection.Plan(STEPS, 1, 1, 7),
            Optional.of(Collecting.TINY),
            Optional.of(Precision.FLOAT32),
            root.resolve("part"));
    assertEquals(part, CollectionPart.of(part.toJson()));
    assertEquals(
        Runtime.getRuntime().availableProcessors(), new CollectionWork().threads(part.toJson()));
    refused(() -> CollectionPart.of(part.toJson().put("policy", "rnd2")), "'rnd2'");
  }

  @Test
  void partsThatHaveNoStepsAreRefused() {
    refused(() -> parted(Collecting.Policy.RANDOM, 2, 3, 0, root.resolve("x")), "no more than");
  }
}
