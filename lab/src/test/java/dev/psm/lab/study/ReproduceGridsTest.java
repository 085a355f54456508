package dev.psm.lab.study;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.run.TinyGrids;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceGridsTest {
  @TempDir private Path folder;

  private static Optional<List<GridResult>> run(ReproduceGrids.Plan plan, Progress progress) {
    return ReproduceGrids.run(
        plan, Device.CPU, new LocalWorkers(), new WorkContext(progress, note -> {}, () -> false));
  }

  @Test
  void aFinishedStudyIsNotDoneAgain() throws IOException {
    ReproduceGrids.Plan plan =
        new ReproduceGrids.Plan(
            List.of(TinyGrids.WORLD),
            List.of("psm"),
            List.of(0L, 1L),
            "tabular",
            List.of(
                "psm.basisDimension=4",
                "psm.gradientSteps=20",
                "psm.enrichedCodes=2",
                "psm.coordinateWidth=8",
                "psm.solveCodes=8"),
            folder);
    List<GridResult> first = run(plan, Progress.SILENT).orElseThrow();
    Progress refusing =
        (label, total) -> {
          throw new AssertionError("trained again: " + label);
        };
    List<GridResult> second = run(plan, refusing).orElseThrow();
    Path grade = folder.resolve("tiny/psm/run-0/seed-0/grade.json");
    for (String damage : List.of("", "{}", "{\"goalErrors\": [1], \"valueLosses\": []}")) {
      Files.writeString(grade, damage);
      second = run(plan, refusing).orElseThrow();
      assertArrayEquals(first.get(0).grade().goalErrors(), second.get(0).grade().goalErrors());
    }
    for (int i = 0; i < 2; i++) {
      assertArrayEquals(first.get(i).grade().goalErrors(), second.get(i).grade().goalErrors());
      assertEquals(first.get(i).seconds(), second.get(i).seconds());
    }
    assertTrue(AgentFolder.isRun(folder.resolve("tiny/psm/run-0")));
    ReproduceGrids.Plan other =
        new ReproduceGrids.Plan(
            plan.maps(), plan.agents(), plan.seeds(), null, List.of(), plan.folder());
    String message = assertThrows(UserError.class, () -> run(other, Progress.SILENT)).getMessage();
    assertTrue(message.contains("basisDimension is 4, wanted 32"), message);
  }
}
