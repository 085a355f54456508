package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.Hilp;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.UserError.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint that is not what was written is refused with the reason, and a way on is shown. */
final class CheckpointDamageTest {
  @TempDir private Path root;
  private Path folder;
  private Path newest;
  private Runs runs;

  @BeforeEach
  void train() {
    folder = root.resolve("run");
    runs = new Runs(Runs.collect(root.resolve("data"), 0));
    RunDescription run = runs.describe(FactoredPsm.AGENT, List.of(0L, 1L));
    runs.start(run, folder, runs.stoppedAtStep(35));
    newest = Runs.checkpoint(folder, 1, 35);
  }

  private void refused(String reason) {
    UserError error =
        Runs.refused(
            Kind.INVALID,
            () -> runs.resume(folder, runs.undisturbed()),
            newest.toString(),
            reason,
            "the checkpoint of step 30 is sound");
    assertEquals(Optional.of(Remedy.RESUME_FROM), error.remedy());
    assertEquals(Optional.of("30"), error.subject());
  }

  @Test
  void cut() throws IOException {
    byte[] bytes = Files.readAllBytes(newest);
    Files.write(newest, Arrays.copyOf(bytes, bytes.length - 100));
    refused("safetensors");
    Files.write(newest, Arrays.copyOf(bytes, 3));
    refused("3 bytes");
    Files.write(newest, new byte[0]);
    refused("0 bytes");
    Path whole = root.resolve("whole");
    RunDescription run = new RunFolder(folder).description();
    runs.start(run, whole, runs.undisturbed());
    assertTrue(runs.resume(run, folder, OptionalLong.of(30), runs.undisturbed()).finished());
    Runs.assertSame(whole, folder, run.seeds(), Runs.STEPS);
  }

  @Test
  void anyFlippedBit() throws IOException {
    byte[] bytes = Files.readAllBytes(newest);
    for (int at = 8; at < bytes.length; at += bytes.length / 20) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= 0x10;
      Files.write(newest, flipped);
      refused(newest.toString());
    }
    Files.write(newest, bytes);
    runs.resume(folder, runs.stoppedAtStep(1));
  }

  @Test
  void anotherSeedsOrAnotherStepsFile() throws IOException {
    Files.copy(Runs.checkpoint(folder, 0, 35), newest, StandardCopyOption.REPLACE_EXISTING);
    refused("its seed is 0, expected 1");
    Files.copy(Runs.checkpoint(folder, 1, 30), newest, StandardCopyOption.REPLACE_EXISTING);
    refused("is of step 30, not of the one in its name");
  }

  @Test
  void withNoSoundOneLeftStartingOverIsOffered() throws IOException {
    for (long step : List.of(30L, 35L)) {
      Files.writeString(Runs.checkpoint(folder, 1, step), "nothing of the kind");
    }
    UserError error =
        Runs.refused(
            Kind.INVALID,
            () -> runs.resume(folder, runs.undisturbed()),
            newest.toString(),
            "no earlier checkpoint is sound");
    assertEquals(Optional.of(Remedy.START_OVER), error.remedy());
    assertFalse(error.getMessage().contains("\n"), error.getMessage());
    RunDescription run = new RunFolder(folder).description();
    assertTrue(runs.resume(run, folder, OptionalLong.of(0), runs.undisturbed()).finished());
  }

  @Test
  void aFinishedRunWithoutItsCheckpointsIsNotBegunAgain() throws IOException {
    assertTrue(runs.resume(folder, runs.undisturbed()).finished());
    RunDescription longer = new RunFolder(folder).description().withGradientSteps(80);
    Path checkpoints = folder.resolve("seed-1/checkpoints");
    for (String name : Runs.names(checkpoints)) {
      Files.delete(checkpoints.resolve(name));
    }
    UserError error =
        Runs.refused(
            Kind.INVALID,
            () -> runs.resume(longer, folder, OptionalLong.empty(), runs.undisturbed()),
            checkpoints + " holds no checkpoint",
            "ended with step 60");
    assertEquals(Optional.of(Remedy.START_OVER), error.remedy());
    assertEquals(60, new RunFolder(folder).finishedAt().orElseThrow());
    assertTrue(runs.resume(longer, folder, OptionalLong.of(0), runs.undisturbed()).finished());
  }

  @Test
  void aFailureAtTheFirstStepLeavesTheFolderFree() {
    RunDescription run = runs.describe(FactoredPsm.AGENT);
    Path failed = root.resolve("failed");
    RunContext usual = runs.undisturbed();
    RunContext failing =
        new RunContext(
            usual.device(),
            (label, total) -> {
              throw new Runs.Killed();
            },
            usual.notes(),
            usual.stop(),
            usual.evaluators());
    assertThrows(Runs.Killed.class, () -> runs.start(run, failed, failing));
    assertFalse(Files.exists(failed));
  }

  /** The actor learns only after the 25 steps of the basis, and then not for long. */
  @Test
  void divergenceIsNamedAndTheLastGoodCheckpointStays() throws IOException {
    RunDescription run =
        runs.describe(FactoredPsm.AGENT, List.of(0L, 2L), "pessimism=1e38", "protoSteps=25");
    Path diverged = root.resolve("diverged");
    Runs.refused(
        Kind.FAILED,
        () -> runs.start(run, diverged, runs.undisturbed()),
        "training diverged: tensor successor/",
        "of seed 0",
        "after step 30",
        "the last good checkpoint is of step 20, " + Runs.checkpoint(diverged, 0, 20),
        "learning rate");
    for (long seed : run.seeds()) {
      assertEquals(
          List.of("step-000000015.safetensors", "step-000000020.safetensors"),
          Runs.names(diverged.resolve("seed-" + seed + "/checkpoints")));
    }
    assertFalse(Files.exists(diverged.resolve("result.json")));
  }

  @Test
  void immediateDivergenceSaysThatNothingWasWritten() {
    RunDescription run = runs.describe(Hilp.AGENT, List.of(0L, 5L), "learningRate=1e30");
    Path diverged = root.resolve("diverged");
    Runs.refused(
        Kind.FAILED,
        () -> runs.start(run, diverged, runs.undisturbed()),
        "training diverged: tensor ",
        "after step 5",
        "no checkpoint had been written yet");
    assertFalse(Files.exists(diverged.resolve("seed-0/checkpoints")));
  }
}
