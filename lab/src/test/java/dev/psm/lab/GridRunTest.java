package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridRunTest {
  private static final Progress NO_TRAINING =
      (label, total) -> {
        throw new AssertionError("trained again: " + label);
      };

  @TempDir private Path folder;

  @Test
  void aFinishedRunIsNotDoneAgain() {
    Pretrainer.Request request = Tiny.request(AgentKind.PSM, 1);
    GridRun first = GridRun.of(request, folder, Progress.SILENT);
    GridRun second = GridRun.of(request, folder, NO_TRAINING);
    assertArrayEquals(first.goalErrors(), second.goalErrors());
    assertArrayEquals(first.valueLosses(), second.valueLosses());
    assertEquals(first.seconds(), second.seconds());
  }

  @Test
  void aModelWithoutItsGradeIsGradedAndNotLearnedAgain() throws IOException {
    Pretrainer.Request request = Tiny.request(AgentKind.FB, 1);
    GridRun first = GridRun.of(request, folder, Progress.SILENT);
    Files.delete(folder.resolve("grade.json"));
    GridRun second = GridRun.of(request, folder, NO_TRAINING);
    assertArrayEquals(first.goalErrors(), second.goalErrors());
    assertArrayEquals(first.sampledErrors(), second.sampledErrors());
  }

  @Test
  void aNewModelTakesNoGradeFromTheOldOne() {
    GridRun.of(Tiny.request(AgentKind.PSM, 1), folder, Progress.SILENT);
    ModelFolder.pretrain(Tiny.request(AgentKind.PSM, 2), folder, Progress.SILENT);
    assertFalse(Files.exists(folder.resolve("grade.json")));
  }

  @Test
  void anotherRunsFolderIsRefused() {
    GridRun.of(Tiny.request(AgentKind.PSM, 1), folder, Progress.SILENT);
    assertThrows(
        UserError.class, () -> GridRun.of(Tiny.request(AgentKind.PSM, 2), folder, Progress.SILENT));
  }

  @Test
  void sampledErrorsAreThoseOfTheGoalsTheSeedDraws() {
    GridRun run = GridRun.of(Tiny.request(AgentKind.LAPLACIAN, 3), folder, Progress.SILENT);
    int[] goals = Tiny.PROBLEM.randomGoals(10, 3);
    for (int i = 0; i < goals.length; i++) {
      assertEquals(run.goalErrors()[goals[i]], run.sampledErrors()[i]);
    }
  }
}
