package dev.psm.lab.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However a run was interrupted, it ends as if it had not been. */
final class TrainingResumeTest {
  private static final List<Long> SEEDS = List.of(3L, 0L);

  @TempDir private static Path shared;
  private static Path data;
  private static Path whole;

  @TempDir private Path root;
  private Path folder;
  private Runs runs;

  @BeforeAll
  static void trainUndisturbed() {
    data = Runs.collect(shared.resolve("data"), 0);
    whole = shared.resolve("whole");
    Runs runs = new Runs(data);
    runs.start(runs.describe(ControlAgentKind.PSM, SEEDS), whole, runs.undisturbed());
  }

  private void begin() {
    folder = root.resolve("run");
    runs = new Runs(data);
  }

  private RunDescription psm() {
    return runs.describe(ControlAgentKind.PSM, SEEDS);
  }

  private void killedAtStep(long step) {
    assertThrows(Runs.Killed.class, () -> runs.start(psm(), folder, runs.killedAtStep(step)));
  }

  private void assertGoesOnAsIfNothingHadBeen() throws IOException {
    assertTrue(runs.resume(folder, runs.undisturbed()).finished());
    Runs.assertSame(whole, folder, SEEDS, Runs.STEPS);
  }

  @ParameterizedTest
  @EnumSource
  void everyAgentGoesOnBitForBit(ControlAgentKind agent) throws IOException {
    begin();
    Path undisturbed = root.resolve("undisturbed");
    runs.start(runs.describe(agent), undisturbed, runs.undisturbed());
    TrainingOutcome half = runs.start(runs.describe(agent), folder, runs.stoppedAtStep(31));
    assertFalse(half.finished());
    assertEquals(31, half.step());
    assertFalse(Files.exists(folder.resolve("result.json")));
    TrainingOutcome rest = runs.resume(folder, runs.undisturbed());
    assertTrue(rest.finished());
    assertEquals(Runs.STEPS - 31, rest.addedSteps());
    assertTrue(rest.trainingSeconds() > rest.addedSeconds(), "the seconds before count on");
    Runs.assertSame(undisturbed, folder, List.of(0L), Runs.STEPS);
  }

  @Test
  void aRunKilledAgainAndAgainAtRandomMomentsEndsTheSame() throws IOException {
    begin();
    RandomGenerator random = Seeds.generator(5);
    int kills = 0;
    boolean finished = false;
    while (!finished) {
      Surroundings around =
          random.nextBoolean()
              ? runs.killedAtStep(random.nextInt(1, 25))
              : runs.killedAtExamination(random.nextInt(1, 4));
      try {
        TrainingOutcome outcome =
            Files.exists(folder) ? runs.resume(folder, around) : runs.start(psm(), folder, around);
        finished = outcome.finished();
      } catch (Runs.Killed killed) {
        kills++;
      }
    }
    assertTrue(kills > 3, kills + " kills");
    Runs.assertSame(whole, folder, SEEDS, Runs.STEPS);
  }

  @Test
  void aRunKilledBeforeItsFirstCheckpointStartsOver() throws IOException {
    begin();
    killedAtStep(14);
    assertFalse(Files.exists(folder.resolve("seed-0/checkpoints")));
    assertGoesOnAsIfNothingHadBeen();
    assertTrue(runs.notes.contains("starting over"), runs.notes.toString());
  }

  @Test
  void aRunKilledBetweenTheCheckpointsOfTwoSeedsGoesBackToTheOneBefore() throws IOException {
    begin();
    killedAtStep(37);
    Files.delete(Runs.checkpoint(folder, 0, 30));
    Files.writeString(folder.resolve("seed-0/checkpoints/.step-000000030.safetensors.1.tmp"), "x");
    assertGoesOnAsIfNothingHadBeen();
    assertTrue(runs.notes.contains("going on from step 15"), runs.notes.toString());
    assertEquals(
        List.of("step-000000045.safetensors", "step-000000060.safetensors"),
        Runs.names(folder.resolve("seed-0/checkpoints")));
  }

  @Test
  void aLineThatAKillCutIsWrittenAgain() throws IOException {
    begin();
    killedAtStep(37);
    Files.writeString(
        folder.resolve("seed-3/metrics.jsonl"), "{\"step\":40,\"sec", StandardOpenOption.APPEND);
    assertGoesOnAsIfNothingHadBeen();
  }

  @Test
  void anExaminationThatWasCutIsHeldAgainAndOthersAreNot() throws IOException {
    begin();
    // Two seeds, three examinations each: the sixth is the last seed's last.
    assertThrows(Runs.Killed.class, () -> runs.start(psm(), folder, runs.killedAtExamination(6)));
    Runs.FakeExaminer examiner = new Runs.FakeExaminer(-1);
    TrainingOutcome rest = runs.resume(folder, runs.around(Progress.SILENT, () -> false, examiner));
    assertTrue(rest.finished());
    assertEquals(0, rest.addedSteps());
    assertEquals(1, examiner.examined);
    Runs.assertSame(whole, folder, SEEDS, Runs.STEPS);
  }

  @Test
  void aRunGoesBackToAStepThatTheUserNames() throws IOException {
    begin();
    killedAtStep(50);
    RunDescription run = new RunFolder(folder).description();
    runs.resume(run, folder, OptionalLong.of(30), runs.stoppedAtStep(1));
    assertEquals(
        List.of("step-000000030.safetensors", "step-000000031.safetensors"),
        Runs.names(folder.resolve("seed-3/checkpoints")));
    assertGoesOnAsIfNothingHadBeen();
    Runs.refused(
        2,
        () -> runs.resume(run, folder, OptionalLong.of(7), runs.undisturbed()),
        "--from-step",
        "no checkpoint of step 7",
        "[45, 60]");
  }

  @Test
  void aFinishedRunCanBeExtended() throws IOException {
    begin();
    RunDescription shorter = psm().withGradientSteps(40);
    assertTrue(runs.start(shorter, folder, runs.undisturbed()).finished());
    assertEquals(40L, new RunFolder(folder).finishedAt().orElseThrow());
    assertTrue(runs.resume(psm(), folder, OptionalLong.empty(), runs.undisturbed()).finished());
    assertEquals(60L, new RunFolder(folder).finishedAt().orElseThrow());
    Runs.assertSame(whole, folder, SEEDS, Runs.STEPS);
  }
}
