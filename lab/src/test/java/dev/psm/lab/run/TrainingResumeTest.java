package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.agents.Agent;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.core.Seeds;
import dev.psm.core.UserError.Kind;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    runs.start(runs.describe(FactoredPsm.AGENT, SEEDS), whole, runs.undisturbed());
  }

  private void begin() {
    folder = root.resolve("run");
    runs = new Runs(data);
  }

  private RunDescription psm() {
    return runs.describe(FactoredPsm.AGENT, SEEDS);
  }

  private void killedAtStep(long step) {
    assertThrows(Runs.Killed.class, () -> runs.start(psm(), folder, runs.killedAtStep(step)));
  }

  private void assertGoesOnAsIfNothingHadBeen() throws IOException {
    assertTrue(runs.resume(folder, runs.undisturbed()).finished());
    Runs.assertSame(whole, folder, SEEDS, Runs.STEPS);
  }

  @ParameterizedTest
  @MethodSource("dev.psm.agents.Agents#control")
  void everyAgentGoesOnBitForBit(Agent agent) throws IOException {
    begin();
    Path undisturbed = root.resolve("undisturbed");
    runs.start(runs.describe(agent), undisturbed, runs.undisturbed());
    TrainingOutcome half = runs.start(runs.describe(agent), folder, runs.stoppedAtStep(31));
    assertFalse(half.finished());
    assertEquals(31, half.step());
    assertFalse(Files.exists(folder.resolve("result.json")));
    assertEquals(31, Json.read(folder.resolve("seed-0/model.json")).path("step").asInt());
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
      RunContext around =
          random.nextBoolean()
              ? runs.killedAtStep(random.nextInt(1, 25))
              : runs.killedAtEvaluation(random.nextInt(1, 4));
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
    Files.copy(Runs.checkpoint(folder, 3, 20), Runs.checkpoint(folder, 3, 5));
    for (String left :
        List.of(
            ".run.json.0.tmp",
            "seed-0/.model.json.2.tmp",
            "seed-0/checkpoints/.step-000000030.safetensors.1.tmp")) {
      Files.writeString(folder.resolve(left), "x");
    }
    assertGoesOnAsIfNothingHadBeen();
    assertTrue(runs.notes.contains("going on from step 20"), runs.notes.toString());
    for (long seed : SEEDS) {
      assertEquals(
          List.of("step-000000045.safetensors", "step-000000060.safetensors"),
          Runs.names(folder.resolve("seed-" + seed + "/checkpoints")));
    }
    assertEquals(Runs.names(whole), Runs.names(folder));
    assertFalse(Files.exists(folder.resolve("seed-0/.model.json.2.tmp")));
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
  void anEvaluationThatWasCutIsHeldAgainAndOthersAreNot() throws IOException {
    begin();
    // Two seeds, three evaluations each: the sixth is the last seed's last.
    assertThrows(Runs.Killed.class, () -> runs.start(psm(), folder, runs.killedAtEvaluation(6)));
    Runs.FakeEvaluator evaluator = new Runs.FakeEvaluator(-1);
    TrainingOutcome rest =
        runs.resume(folder, runs.around(Progress.SILENT, () -> false, evaluator));
    assertTrue(rest.finished());
    assertEquals(0, rest.addedSteps());
    assertEquals(1, evaluator.evaluated);
    Runs.assertSame(whole, folder, SEEDS, Runs.STEPS);
  }

  @Test
  void aWishToStopEndsAnEvaluationAndLosesNoStep() throws IOException {
    begin();
    TrainingOutcome stopped = runs.start(psm(), folder, runs.stoppedAtEvaluation(2));
    assertFalse(stopped.finished());
    assertEquals(20, stopped.step(), "no step comes before the evaluation is held");
    for (long seed : SEEDS) {
      assertTrue(Files.exists(Runs.checkpoint(folder, seed, 20)));
    }
    assertEquals(1, Runs.lines(folder, 3).stream().filter(line -> line.contains("return")).count());
    assertEquals(0, Runs.lines(folder, 0).stream().filter(line -> line.contains("return")).count());
    assertGoesOnAsIfNothingHadBeen();
  }

  @Test
  void aRefusedRunKeepsNoFileOpen() throws IOException {
    begin();
    killedAtStep(37);
    Path broken = folder.resolve("seed-0/metrics.jsonl");
    Files.writeString(broken, "{}\n");
    Runs.refused(
        Kind.INVALID, () -> runs.resume(folder, runs.undisturbed()), "field 'step' is missing");
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(descriptors), "only Linux tells which files are open");
    try (Stream<Path> open = Files.list(descriptors)) {
      assertEquals(
          List.of(),
          open.filter(Files::isRegularFile)
              .map(TrainingResumeTest::target)
              .filter(file -> file.startsWith(folder.toString()))
              .toList());
    }
  }

  private static String target(Path link) {
    try {
      return link.toRealPath().toString();
    } catch (IOException closed) {
      return "";
    }
  }

  @Test
  void aRunGoesBackToAStepThatTheUserNames() throws IOException {
    begin();
    killedAtStep(50);
    RunDescription run = new RunFolder(folder).description();
    runs.resume(run, folder, OptionalLong.of(40), runs.stoppedAtStep(1));
    assertEquals(
        List.of("step-000000040.safetensors", "step-000000041.safetensors"),
        Runs.names(folder.resolve("seed-3/checkpoints")));
    assertGoesOnAsIfNothingHadBeen();
    Runs.refused(
        Kind.INVALID,
        () -> runs.resume(run, folder, OptionalLong.of(7), runs.undisturbed()),
        "fromStep: ",
        "no checkpoint of step 7",
        "[45, 60]");
  }

  @Test
  void aFinishedRunCanBeExtendedWhereTheLearningRatesStayWhatTheyWere() throws IOException {
    begin();
    RunDescription steady = runs.describe(FactoredPsm.AGENT, SEEDS, "decay=none");
    assertTrue(steady.canBeExtended());
    Path undisturbed = root.resolve("undisturbed");
    runs.start(steady, undisturbed, runs.undisturbed());
    assertTrue(runs.start(steady.withGradientSteps(40), folder, runs.undisturbed()).finished());
    assertEquals(40L, new RunFolder(folder).finishedAt().orElseThrow());
    assertTrue(runs.resume(steady, folder, OptionalLong.empty(), runs.undisturbed()).finished());
    assertEquals(60L, new RunFolder(folder).finishedAt().orElseThrow());
    Runs.assertSame(undisturbed, folder, SEEDS, Runs.STEPS);
  }

  @Test
  void aRunWithADecayIsAnotherRunWithAnotherEnd() {
    begin();
    RunDescription falling = runs.describe(FactoredPsm.AGENT, SEEDS, "decay=cosine");
    assertFalse(falling.canBeExtended());
    runs.start(falling.withGradientSteps(40), folder, runs.undisturbed());
    Runs.refused(
        Kind.INVALID,
        () -> runs.resume(falling, folder, OptionalLong.empty(), runs.undisturbed()),
        "belongs to another run: its settings is");
  }
}
