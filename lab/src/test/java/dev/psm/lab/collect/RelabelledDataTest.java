package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static dev.psm.lab.collect.Collecting.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Relabelling;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rewards of data that is relabelled in several parts. */
class RelabelledDataTest {
  private static final WorkContext CONTEXT =
      new WorkContext(Progress.SILENT, note -> {}, () -> false);

  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path data;

  @BeforeAll
  static void collect() {
    data = shared.resolve("data");
    Collection.byWandering(
        MAZE,
        new Collection.Plan(150_000, 16, 2, 0),
        WanderSettings.USUAL,
        data,
        WorkContext.of(Progress.SILENT));
  }

  private static RelabelledData relabel(String task, Path out, int workers) {
    try (Dataset dataset = Dataset.open(data)) {
      return RelabelledData.run(dataset, task, out, new LocalWorkers(workers), CONTEXT)
          .orElseThrow();
    }
  }

  @Test
  void partsAndWorkersDoNotShow() throws IOException {
    Path one = fresh.resolve("1.npz");
    Path two = fresh.resolve("2.npz");
    RelabelledData relabelled = relabel("reach_top_left", one, 1);
    assertEquals(relabelled, relabel("reach_top_left", two, 2));
    assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
    try (Dataset dataset = Dataset.open(data)) {
      assertTrue(RelabelPart.cut(dataset).size() > 1);
      int rows = (int) dataset.rows();
      double[] physics = new double[rows * MAZE.stateSize()];
      dataset.physics(0, rows, physics, 0);
      Task task = MAZE.task("reach_top_left");
      double[] wanted =
          new Relabelling(MAZE, 2, (done, total) -> {}).rewards(List.of(task), physics)[0];
      float[] narrow = new float[rows];
      double sum = 0;
      for (int i = 0; i < rows; i++) {
        narrow[i] = (float) wanted[i];
        sum += wanted[i];
      }
      long[] starts = new long[dataset.episodes()];
      for (int episode = 0; episode < starts.length; episode++) {
        starts[episode] = dataset.firstRow(episode);
      }
      Path whole = fresh.resolve("whole.npz");
      NpzWriter.stored()
          .add("reward", narrow, rows)
          .add("episode_start", starts, starts.length)
          .write(whole);
      assertArrayEquals(Files.readAllBytes(whole), Files.readAllBytes(one));
      assertEquals(sum, relabelled.sum(), 1e-9 * Math.abs(sum));
    }
  }

  @Test
  void whatCannotBePaidLeavesNothingBehind() {
    Path out = fresh.resolve("rewards.npz");
    refused(() -> relabel("sqrt(x)", out, 2), "NaN");
    refused(() -> relabel("1e300 * x", out, 2), "single precision");
    assertEquals(List.of(), OutputFolder.list(fresh));
  }

  @Test
  void aDamagedFileIsNamedWhicheverPartReadsIt() throws IOException {
    Path copy = fresh.resolve("data");
    Files.createDirectory(copy);
    for (Path file : OutputFolder.visible(data)) {
      Files.copy(file, copy.resolve(file.getFileName()));
    }
    List<Path> chunks =
        OutputFolder.visible(copy).stream()
            .filter(file -> file.getFileName().toString().startsWith("chunk-"))
            .toList();
    assertTrue(chunks.size() > 1);
    Path last = chunks.get(chunks.size() - 1);
    byte[] bytes = Files.readAllBytes(last);
    bytes[bytes.length - 100] ^= 1;
    Files.write(last, bytes);
    try (Dataset dataset = Dataset.open(copy)) {
      refused(
          Kind.FAILED,
          () ->
              RelabelledData.run(
                  dataset, "x", fresh.resolve("r.npz"), new LocalWorkers(2), CONTEXT),
          last.getFileName().toString());
    }
    List<String> problems = FileChecks.problems(copy, new LocalWorkers(2), CONTEXT);
    assertTrue(problems.get(0).contains("hash"), problems.toString());
    assertTrue(
        problems.stream().allMatch(each -> each.contains(last.getFileName().toString())),
        problems.toString());
    assertEquals(problems, FileChecks.problems(copy, new LocalWorkers(1), CONTEXT));
    assertEquals(List.of(), FileChecks.problems(data, new LocalWorkers(2), CONTEXT));
  }
}
