package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.TrainingData;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.Hilp;
import dev.psm.core.UserError;
import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrainingRunTest {
  @TempDir private static Path shared;
  private static Path data;

  @TempDir private Path root;
  private Path folder;
  private Runs runs;

  @BeforeAll
  static void collect() {
    data = Runs.collect(shared.resolve("data"), 0);
  }

  @BeforeEach
  void name() {
    folder = root.resolve("run");
    runs = new Runs(data);
  }

  @Test
  void aRunLeavesWhatItPromises() throws IOException {
    RunDescription run = runs.describe(Hilp.AGENT, List.of(0L, 1L));
    TrainingOutcome outcome = runs.start(run, folder, runs.undisturbed());
    assertTrue(outcome.finished());
    assertEquals(
        List.of(".lock", "result.json", "run.json", "seed-0", "seed-1"), Runs.names(folder));
    assertEquals(run, new RunFolder(folder).description());
    for (long seed : run.seeds()) {
      assertEquals(
          List.of("step-000000045.safetensors", "step-000000060.safetensors"),
          Runs.names(folder.resolve("seed-" + seed + "/checkpoints")));
      List<String> lines = Runs.lines(folder, seed);
      // Twelve logs of training and three evaluations, each a line of its own.
      assertEquals(15, lines.size());
      JsonNode last = Json.parse(lines.get(14), "line");
      assertEquals(60, last.path("step").asInt());
      double here = last.path("return/here").asDouble();
      assertEquals(1.5 * here, last.path("return/average").asDouble(), 1e-12);
      assertEquals(here, outcome.grades().get(seed).get("here"));
      assertEquals(
          60, Json.read(folder.resolve("seed-" + seed + "/model.json")).path("step").asInt());
      assertTrue(Files.size(Runs.events(folder, seed)) > 1000);
    }
  }

  /** Side by side is another product of matrices, so the last bits may differ. */
  @Test
  void seedsSideBySideLearnWhatEachLearnsAlone() throws IOException {
    runs.start(
        runs.describe(ControlForwardBackward.AGENT, List.of(4L, 7L)), folder, runs.undisturbed());
    for (long seed : List.of(4L, 7L)) {
      Path alone = root.resolve("alone" + seed);
      runs.start(
          runs.describe(ControlForwardBackward.AGENT, List.of(seed)), alone, runs.undisturbed());
      Iterator<String> found = Runs.lines(folder, seed).iterator();
      for (String line : Runs.lines(alone, seed)) {
        JsonNode expected = Json.parse(line, "line");
        JsonNode other = Json.parse(found.next(), "line");
        expected
            .fields()
            .forEachRemaining(
                field ->
                    assertEquals(
                        field.getValue().asDouble(),
                        other.path(field.getKey()).asDouble(),
                        1e-3 * (1 + Math.abs(field.getValue().asDouble())),
                        field.getKey()));
      }
    }
  }

  @Test
  void aSecondTrainerIsRefused() {
    RunDescription run = runs.describe(FactoredPsm.AGENT);
    try (FolderLock lock = new RunFolder(folder).lock()) {
      Runs.refused(
          Kind.INVALID,
          () -> runs.start(run, folder, runs.undisturbed()),
          "another process is training into " + folder);
    }
    runs.start(run.withGradientSteps(3), folder, runs.undisturbed());
  }

  @Test
  void otherFilesAndOtherRunsAreLeftAlone() throws IOException {
    RunDescription run = runs.describe(FactoredPsm.AGENT).withGradientSteps(3);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("thesis.txt"), "chapter one");
    Runs.refused(
        Kind.INVALID,
        () -> runs.start(run, folder, runs.undisturbed()),
        "thesis.txt",
        "choose another");
    Files.delete(folder.resolve("thesis.txt"));
    runs.start(run, folder, runs.undisturbed());
    Runs.refused(
        Kind.INVALID,
        () -> runs.start(run, folder, runs.undisturbed()),
        "already holds a run; resume it, replace it");
    Runs.refused(
        Kind.INVALID, () -> new RunFolder(root).description(), "no run to resume", "run.json");
    Files.writeString(root.resolve("model.json"), "{}");
    Runs.refused(
        Kind.INVALID, () -> new RunFolder(root).description(), "model.json is a finished model");
    Runs.refused(Kind.INVALID, () -> new RunFolder(root.resolve("model.json")), "is a file");
  }

  @Test
  void aReplacedRunLeavesNothingBehind() throws IOException {
    runs.start(runs.describe(FactoredPsm.AGENT, List.of(0L, 1L)), folder, runs.undisturbed());
    RunDescription next = runs.describe(ControlForwardBackward.AGENT).withGradientSteps(10);
    // A kill while an older one was being deleted.
    Path doomed = Files.createDirectory(folder.resolve(ReplacedRun.DOOMED));
    Files.writeString(doomed.resolve("result.json"), "{}");
    try (Dataset dataset = Dataset.open(data)) {
      TrainingRun.start(
          next, folder, true, new TrainingData.Recorded(Runs.MAZE, dataset), runs.undisturbed());
    }
    assertEquals(List.of(".lock", "result.json", "run.json", "seed-0"), Runs.names(folder));
    assertEquals(
        List.of("step-000000010.safetensors"), Runs.names(folder.resolve("seed-0/checkpoints")));
    assertEquals(3, Runs.lines(folder, 0).size());
  }

  @Test
  void aRunThatCannotBeginDoesNotReplaceAnother() throws IOException {
    runs.start(runs.describe(FactoredPsm.AGENT), folder, runs.undisturbed());
    String before = Files.readString(folder.resolve("run.json"));
    RunContext withoutEngine =
        new RunContext(
            Device.CPU,
            Progress.SILENT,
            note -> {},
            () -> false,
            (run, dataset) -> {
              throw UserError.invalid("there is no engine");
            });
    try (Dataset dataset = Dataset.open(data)) {
      Runs.refused(
          Kind.INVALID,
          () ->
              TrainingRun.start(
                  runs.describe(ControlForwardBackward.AGENT),
                  folder,
                  true,
                  new TrainingData.Recorded(Runs.MAZE, dataset),
                  withoutEngine),
          "there is no engine");
    }
    assertEquals(before, Files.readString(folder.resolve("run.json")));
    assertTrue(Files.exists(folder.resolve("result.json")));
    assertTrue(Files.exists(Runs.checkpoint(folder, 0, Runs.STEPS)));
  }

  @Test
  void aRunThatFailsBeforeItsFirstCheckpointGivesBackTheOneItReplaces() throws IOException {
    runs.start(runs.describe(FactoredPsm.AGENT, List.of(0L, 1L)), folder, runs.undisturbed());
    List<String> names = Runs.names(folder);
    String before = Files.readString(folder.resolve("run.json"));
    RunDescription next = runs.describe(ControlForwardBackward.AGENT);
    for (int step : new int[] {1, 14}) {
      assertThrows(Runs.Killed.class, () -> replace(next, runs.killedAtStep(step)));
      assertEquals(names, Runs.names(folder));
      assertEquals(before, Files.readString(folder.resolve("run.json")));
      assertTrue(Files.exists(Runs.checkpoint(folder, 1, Runs.STEPS)));
      assertEquals(Runs.STEPS, new RunFolder(folder).finishedAt().orElseThrow());
    }
    assertEquals("the run that was in " + folder + " is back", runs.notes.get(0));
    assertThrows(Runs.Killed.class, () -> replace(next, runs.killedAtStep(15)));
    assertEquals(List.of(".lock", "run.json", "seed-0"), Runs.names(folder));
    assertEquals(next, new RunFolder(folder).description());
  }

  @Test
  void aRunThatIsKilledBeforeItsFirstCheckpointLeavesTheOneItReplaces() throws IOException {
    RunDescription old = runs.describe(FactoredPsm.AGENT);
    RunDescription next = runs.describe(ControlForwardBackward.AGENT);
    runs.start(old, folder, runs.undisturbed());
    Path killed = root.resolve("killed");
    replace(next, runs.around(copiesAt(14, killed), () -> false, new Runs.FakeEvaluator(-1)));
    Path kept = killed.resolve(AgentFolder.REPLACED);
    assertEquals(next, new RunFolder(killed).description());
    assertEquals(old, new RunFolder(kept).description());
    assertTrue(Files.exists(Runs.checkpoint(kept, 0, Runs.STEPS)));
    assertEquals(Runs.STEPS, new RunFolder(kept).finishedAt().orElseThrow());
    Runs.refused(Kind.INVALID, () -> AgentFolder.open(killed), kept.toString());
    // Another attempt does not lose it either, and gives it back when it fails.
    folder = killed;
    assertThrows(Runs.Killed.class, () -> replace(next, runs.killedAtStep(3)));
    assertEquals(old, new RunFolder(killed).description());
    assertTrue(Files.exists(Runs.checkpoint(killed, 0, Runs.STEPS)));
    assertFalse(Files.exists(kept));
  }

  @Test
  void aRunThatWasOnlyPartlySetAsideComesBack() throws IOException {
    RunDescription run = runs.describe(FactoredPsm.AGENT, List.of(0L, 1L));
    runs.start(run, folder, runs.undisturbed());
    Path aside = Files.createDirectory(folder.resolve(AgentFolder.REPLACED));
    Files.move(folder.resolve("seed-0"), aside.resolve("seed-0"));
    runs.resume(folder, runs.undisturbed());
    assertEquals(
        List.of(".lock", "result.json", "run.json", "seed-0", "seed-1"), Runs.names(folder));
    assertTrue(runs.notes.contains("going on from step 60"), runs.notes.toString());
  }

  private void replace(RunDescription run, RunContext around) {
    try (Dataset dataset = Dataset.open(data)) {
      TrainingRun.start(run, folder, true, new TrainingData.Recorded(Runs.MAZE, dataset), around);
    }
  }

  /** Copies the folder after a step: what a kill would have left. */
  private Progress copiesAt(long step, Path copy) {
    return (label, total) ->
        new Progress.Bar() {
          @Override
          public void update(long done, String note) {
            if (done == step) {
              try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.toList()) {
                  Files.copy(file, copy.resolve(folder.relativize(file)));
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          }

          @Override
          public void close() {}
        };
  }

  @Test
  void otherDataIsRefused() {
    RunDescription run = runs.describe(FactoredPsm.AGENT);
    runs.start(run, folder, runs.stoppedAtStep(10));
    Path other = Runs.collect(root.resolve("other"), 1);
    Runs.refused(
        Kind.INVALID,
        () -> runs.resume(run.withFolder(other), folder, OptionalLong.empty(), runs.undisturbed()),
        "is not what the run began with",
        "3,000 transitions");
    Path same = Runs.collect(root.resolve("same"), 0);
    assertTrue(
        runs.resume(run.withFolder(same), folder, OptionalLong.empty(), runs.undisturbed())
            .finished());
    assertEquals(Optional.of(same), new RunFolder(folder).description().data().folder());
  }

  @Test
  void whatLongerTransitionsLeaveOutIsMentioned() {
    runs.start(
        runs.describe(FactoredPsm.AGENT, List.of(0L), "stride=10"), folder, runs.stoppedAtStep(1));
    assertEquals(
        List.of(
            "with stride=10 transitions begin at 99.1 % of the data's 3,000 steps; all others are"
                + " too near the end of their episode"),
        runs.notes);
  }

  @Test
  void anotherNumberOfThreadsIsMentioned() {
    ObjectNode software = runs.describe(FactoredPsm.AGENT).provenance();
    runs.start(
        runs.describe(FactoredPsm.AGENT).begun(software.put("threads", 77)),
        folder,
        runs.stoppedAtStep(10));
    assertEquals(List.of(), runs.notes);
    runs.resume(folder, runs.stoppedAtStep(1));
    assertTrue(runs.notes.get(0).contains("but was 77 when the run began"), runs.notes.get(0));
    assertEquals("going on from step 10", runs.notes.get(1));
  }

  @Test
  void otherDrawsAfterAGpuAreMentioned() {
    ObjectNode software = runs.describe(FactoredPsm.AGENT).provenance();
    runs.start(
        runs.describe(FactoredPsm.AGENT).begun(software.put("device", "NVIDIA H200, tf32")),
        folder,
        runs.stoppedAtStep(10));
    runs.resume(folder, runs.stoppedAtStep(1));
    assertEquals(
        "device is cpu, but was NVIDIA H200, tf32 when the run began: it goes on with other random"
            + " draws than an undisturbed run",
        runs.notes.get(0));
  }

  @Test
  void anotherEngineIsMentionedAndTheResultNamesItsOwn() {
    String here = MujocoLibrary.load().engine();
    ObjectNode software = runs.describe(FactoredPsm.AGENT).provenance();
    runs.start(
        runs.describe(FactoredPsm.AGENT).begun(software.put("engine", "MuJoCo 9.9.9")),
        folder,
        runs.stoppedAtStep(10));
    assertEquals("MuJoCo 9.9.9", new RunFolder(folder).description().engine());
    assertTrue(runs.resume(folder, runs.undisturbed()).finished());
    assertEquals(
        "engine is %s, but was MuJoCo 9.9.9 when the run began: from here on its returns are those of another engine"
            .formatted(here),
        runs.notes.get(0));
    assertEquals(here, Json.read(folder.resolve("result.json")).get("engine").textValue());
  }

  @Test
  void aRunNamesTheEngineOfItsData() {
    RunDescription run = runs.describe(FactoredPsm.AGENT);
    runs.start(run, folder, runs.stoppedAtStep(10));
    String here = MujocoLibrary.load().engine();
    assertEquals(here, new RunFolder(folder).description().data().engine());
    Path file = folder.resolve("run.json");
    ObjectNode old = (ObjectNode) Json.read(file);
    ((ObjectNode) old.get("data")).remove("engine");
    ((ObjectNode) old.get("provenance")).remove("engine");
    Json.write(file, old);
    RunDescription read = new RunFolder(folder).description();
    assertEquals("unknown", read.data().engine());
    assertEquals("MuJoCo 2.2.2", read.engine());
  }

  @Test
  void aStopBeforeTheFirstStepLeavesARunToResume() {
    RunDescription run = runs.describe(FactoredPsm.AGENT).withGradientSteps(10);
    RunContext stopped = runs.around(Progress.SILENT, () -> true, new Runs.FakeEvaluator(-1));
    TrainingOutcome outcome = runs.start(run, folder, stopped);
    assertEquals(0, outcome.step());
    assertFalse(outcome.finished());
    assertTrue(runs.resume(folder, runs.undisturbed()).finished());
  }

  @Test
  void anEditedDescriptionIsRefusedByField() throws IOException {
    runs.start(runs.describe(FactoredPsm.AGENT).withGradientSteps(3), folder, runs.undisturbed());
    Path file = folder.resolve("run.json");
    String text = Files.readString(file);
    Files.writeString(file, text.replace("\"psm\"", "\"pms\"").replace("\"pms\" :", "\"psm\" :"));
    Runs.refused(
        Kind.INVALID, () -> new RunFolder(folder).description(), "run.json, field agent", "'psm'");
    Files.writeString(file, text.replace("\"width\" : 8", "\"width\" : 7"));
    Runs.refused(
        Kind.INVALID,
        () -> new RunFolder(folder).description(),
        "run.json, field settings: width must be even");
    Files.writeString(file, text.replace("\"keep\" : 2", "\"keep\" : 0"));
    Runs.refused(
        Kind.INVALID, () -> new RunFolder(folder).description(), "run.json, field cadence: ");
    Files.writeString(
        file, text.replace("\"episodes\" : 3,\n    \"trans", "\"episodes\" : 0,\n    \"trans"));
    Runs.refused(
        Kind.INVALID, () -> new RunFolder(folder).description(), "run.json, field data.episodes: ");
    Files.writeString(
        file,
        text.replace(
            "\"environment\" : \"point_mass_maze\"", "\"environment\" : \"point_mass_mace\""));
    Runs.refused(
        Kind.INVALID,
        () -> new RunFolder(folder).description(),
        "run.json, field data.environment",
        "maze");
    ObjectNode nowhere = (ObjectNode) Json.parse(text, "run.json");
    ((ObjectNode) nowhere.get("data")).put("folder", "a\0b");
    Json.write(file, nowhere);
    Runs.refused(
        Kind.INVALID,
        () -> new RunFolder(folder).description(),
        "run.json, field data.folder",
        "a folder");
    ObjectNode twice = (ObjectNode) Json.parse(text, "run.json");
    twice.putArray("seeds").add(0).add(0);
    Json.write(file, twice);
    Runs.refused(
        Kind.INVALID,
        () -> new RunFolder(folder).description(),
        "run.json, field seeds: ",
        "twice");
    Files.writeString(file, text.replace("\"format\" : 1", "\"format\" : 2"));
    Runs.refused(
        Kind.INVALID, () -> new RunFolder(folder).description(), "field format", "found 2");
    Files.writeString(file, text.replace("\"width\" : 8", "\"width\" : 10"));
    Runs.refused(
        Kind.INVALID,
        () -> runs.resume(folder, runs.undisturbed()),
        "another run: its settings is");
  }

  @Test
  void aShortRunIsLoggedOftenEnoughForACurve() {
    for (int steps : new int[] {1, 10, 60, 1000, 24_999, 25_000, 40_000, 2_000_000}) {
      int every = Cadence.logEvery(steps);
      assertTrue(steps / every >= Math.min(steps, 50), steps + " steps, every " + every);
      assertTrue(every <= 500, steps + " steps, every " + every);
    }
    assertEquals(500, Cadence.logEvery(2_000_000));
  }

  @Test
  void seedsMustDiffer() {
    Runs.refused(
        Kind.INVALID,
        () -> runs.describe(FactoredPsm.AGENT, List.of(1L, 2L, 1L)),
        "seeds: 1 is given twice");
  }
}
