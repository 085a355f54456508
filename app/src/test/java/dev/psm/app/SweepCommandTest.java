package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
  @TempDir private Path folder;
  private Path map;
  private Path out;

  @BeforeEach
  void files() throws IOException {
    map = Files.writeString(folder.resolve("small map.txt"), "....\n.#..\n....\n");
    out = folder.resolve("the results");
  }

  private Cli.Result sweep(Object... more) {
    List<Object> line = new ArrayList<>(List.of("sweep", "--map", map, "--out", out));
    line.addAll(List.of(more));
    return Cli.run(line.toArray());
  }

  /** Of a second. */
  private Cli.Result tiny(Object... more) {
    List<Object> line = new ArrayList<>(List.of("--agents", "psm", "--json"));
    Cli.TINY_PSM.stream()
        .filter(setting -> !setting.startsWith("gradientSteps"))
        .forEach(setting -> line.add("psm." + setting));
    line.addAll(List.of("--steps", "20"));
    line.addAll(List.of(more));
    return sweep(line.toArray());
  }

  @Test
  void aFileAndOptionsOfTheSameNamesMeanTheSame() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("two rates.json"),
            """
            {"agents": ["psm"], "map": ["%s"], "seeds": [0, 1], "steps": 20,
             "settings": {"psm.basisDimension": 4, "psm.basisLearningRate": [0.001, 0.01]}, "out": "%s"}
            """
                .formatted(map, out));
    JsonNode byFile = Cli.run("sweep", file, "--dry-run", "--json").json();
    JsonNode byOptions =
        sweep(
                "--agents",
                "psm",
                "--seeds",
                "0,1",
                "--steps",
                "20",
                "psm.basisDimension=4",
                "psm.basisLearningRate=1e-3,1e-2",
                "--dry-run",
                "--json")
            .json();
    assertEquals(4, byFile.path("runs").asInt());
    assertEquals(byFile.path("rows"), byOptions.path("rows"));
    JsonNode more = Cli.run("sweep", file, "--seeds", "0,1,2", "--dry-run", "--json").json();
    assertEquals(6, more.path("runs").asInt());
    assertFalse(Files.exists(out), "nothing is written");
    Files.writeString(file, "{\"agents\": [\"psm\"], \"map\": [\"" + map + "\"]}");
    assertEquals(
        Path.of("runs", "two rates").toString(),
        Cli.run("sweep", file, "--dry-run", "--json").json().path("sweep").path("out").asText());
  }

  @Test
  void whatIsWrittenIsSaidAndMayBeGivenAgain() throws IOException {
    Cli.Result first = tiny("--seeds", "0,1");
    assertEquals(2, first.json().path("rows").get(0).path("perSeed").size());
    assertTrue(first.err().contains("2 of 2: psm on small map, seed "), first.err());
    assertTrue(first.err().contains("report in " + out.resolve("report.html")), first.err());
    JsonNode again = Cli.run("sweep", out.resolve("sweep.json"), "--json").json();
    assertEquals(first.json(), again);
    Path run = OutputFolder.visible(out.resolve("small map/psm")).get(0);
    Cli.run("evaluate", run.resolve("run-0")).succeeded();
  }

  @Test
  void mistakesAreSentences() throws IOException {
    sweep().refused("give at least one agent");
    sweep("--agents", "psn").refused("no agent 'psn'");
    sweep("--agents", "psm", "--seeds", "1,1").refused("the same seed is given twice");
    sweep("--agents", "psm", "--env", "spirall").refused("spiral");
    sweep("--agents", "psm", "--env", "walker").refused("--env: the states of walker");
    sweep("--agents", "psm", "--data", folder.resolve("none"))
        .refused("--data: there is no dataset");
    sweep("--agents", "psm", "--steps", "0").refused("steps");
    sweep("--agents", "psm", "--draws", "3").refused("--draws: no setting is drawn");
    sweep("--agents", "psm", "discount=uniform:0:1").refused("--draws: discount is drawn");
    sweep("--agents", "psm", "discount=uniform:1:0").refused("settings.discount", "below");
    sweep("--agents", "psm", "discount=0.9", "discount=0.8").refused("discount is given twice");
    sweep("--agents", "psm", "discount=2").refused("psm on small map", "discount");
    sweep("--agents", "psm", "--grade", "average").refused("--grade: ", "goals");
    sweep("--agents", "psm", "--baseline", "fb").refused("--baseline: 'fb' is none");
    sweep("--agents", "psm", "--device", "cuda").refused("--device cuda");
    sweep("--agents", "psm", "--at-once", "0").refused("--at-once");
    sweep("one.json", "two.json").refused("one sweep's file");
    Path file = Files.writeString(folder.resolve("wrong.json"), "{\"agent\": [\"psm\"]}");
    sweep(file).refused(file.toString(), "unknown key 'agent'", "agents");
    Files.writeString(file, "[]");
    sweep(file).refused(file.toString(), "expected an object");
    sweep(folder.resolve("missing.json")).refused("missing.json");
    assertFalse(Files.exists(out), "nothing is written before all is understood");
  }

  @Test
  void forSlurmScriptsAreWrittenAndJobsPerformThem() throws IOException {
    System.setProperty("psm.launcher", "/opt/psm");
    try {
      JsonNode planned =
          tiny("--seeds", "0,1", "--on", "slurm", "--at-once", "7", "--slurm", "time=1:00:00")
              .json();
      assertEquals(0, planned.path("finishedRuns").asInt());
    } finally {
      System.clearProperty("psm.launcher");
    }
    Path submission = out.resolve(".slurm/1");
    String array = Files.readString(submission.resolve("array.sh"));
    assertTrue(array.contains("#SBATCH --array=0-1%7\n#SBATCH --job-name=psm\n"), array);
    assertTrue(array.contains("exec /opt/psm task '" + submission + "' "), array);
    String gather = Files.readString(submission.resolve("gather.sh"));
    assertTrue(gather.contains("exec /opt/psm sweep --map '" + map + "'"), gather);
    assertTrue(gather.endsWith(" --gather\n"), gather);

    Cli.run("task", submission, 1).succeeded();
    Cli.Result some = tiny("--seeds", "0,1", "--gather");
    assertEquals(1, some.code(), "a run is missing");
    assertTrue(some.err().contains("1 of 2 runs are finished"), some.err());
    JsonNode gathered = Json.parse(some.out(), "standard output");
    assertEquals(1, gathered.path("finishedRuns").asInt());
    assertEquals(1, gathered.path("rows").get(0).path("perSeed").get(0).path("seed").asInt());
    Cli.run("task", submission, 0).succeeded();
    assertEquals(2, tiny("--seeds", "0,1", "--gather").json().path("finishedRuns").asInt());
    Cli.run("task", submission, 2).refused("has tasks 0 to 1, found 2");
    Cli.run("task", folder, 0).refused("tasks.json");
  }

  @Test
  void whatIsForSlurmAloneIsRefusedElsewhere() {
    sweep("--agents", "psm", "--submit").refused("--submit is for --on slurm, and --on is local");
    sweep("--agents", "psm", "--slurm", "time=1").refused("--slurm is for --on slurm");
    sweep("--agents", "psm", "--tasks-per-gpu", "2")
        .refused("--tasks-per-gpu is for --on a cluster");
    sweep("--agents", "psm", "--on", "slurn").refused("expected local, slurm or a Spark master");
  }

  @Test
  void foldersOfOthersAreLeftAlone() throws IOException {
    Files.writeString(Files.createDirectories(out).resolve("dataset.json"), "{}");
    sweep("--agents", "psm")
        .refused("--out: ", "is not a sweep but holds other files, such as dataset.json");
  }
}
