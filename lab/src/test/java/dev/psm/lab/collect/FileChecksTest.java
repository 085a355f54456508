package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFolders;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.ShuffledWorkers;
import dev.psm.lab.compute.WorkContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChecksTest {
  private static final WorkContext CONTEXT =
      new WorkContext(Progress.SILENT, note -> {}, () -> false);

  @TempDir private Path root;

  private static void collect(Path folder, long seed) {
    Collection.atRandom(MAZE, new Collection.Plan(1000, 1, 1, seed), folder, Progress.SILENT);
  }

  private static void replace(Path folder) {
    try {
      AtomicFolders.deleteTree(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    collect(folder, 1);
  }

  /** Such as lies in a worker's own folder of that name. */
  @Test
  void anotherDatasetIsNotCalledSound() {
    Path folder = root.resolve("data");
    collect(folder, 0);
    assertEquals(List.of(), FileChecks.problems(folder, new LocalWorkers(1), CONTEXT));
    UserError error =
        assertThrows(
            UserError.class,
            () ->
                FileChecks.problems(
                    folder, new ShuffledWorkers(0, () -> replace(folder)), CONTEXT));
    assertTrue(error.getMessage().contains("is another dataset on this machine"));
  }
}
