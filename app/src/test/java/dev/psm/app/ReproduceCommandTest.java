package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceCommandTest {
  @TempDir private Path folder;
  private Path map;
  private Path out;

  @BeforeEach
  void files() throws IOException {
    map = Files.writeString(folder.resolve("small map.txt"), "....\n.#..\n....\n");
    out = folder.resolve("the results");
  }

  private Cli.Result reproduce(Object... more) {
    List<Object> line =
        new ArrayList<>(
            List.of("reproduce", "grids", "--map", map, "--out", out, "--seeds", "0,1"));
    line.addAll(List.of(more));
    return Cli.run(line.toArray());
  }

  private Object[] tiny(Object... more) {
    List<Object> line = new ArrayList<>(List.of("--agents", "psm,fb", "--json"));
    Cli.TINY_PSM.forEach(setting -> line.add("psm." + setting));
    for (String setting :
        List.of("gradientSteps=20", "featureDimension=4", "forwardWidth=16", "featureWidth=16")) {
      line.add("fb." + setting);
    }
    line.addAll(List.of(more));
    return line.toArray();
  }

  @Test
  void gatheringLessThanAllIsAFailure() {
    Cli.Result none = reproduce(tiny("--gather"));
    assertEquals(1, none.code());
    assertFalse(Json.parse(none.out(), "standard output").path("finished").asBoolean(true));
    assertTrue(none.err().contains("not all runs are finished"), none.err());
  }

  @Test
  void finishedWorkIsWrittenKeptAndNotDoneAgain() throws IOException {
    JsonNode first = reproduce(tiny()).json();
    assertEquals(2, first.path("rows").size());
    assertEquals(2, first.path("rows").get(0).path("perSeed").size());
    assertTrue(first.path("rows").get(1).path("mannWhitneyAgainstPsm").isNumber());
    assertTrue(Files.readString(out.resolve("report.html")).contains("<svg"));
    assertEquals(5, Files.readAllLines(out.resolve("table.csv")).size());
    JsonNode results = Json.read(out.resolve("results.json"));
    assertEquals(first.path("rows"), results.path("rows"));

    Path model = out.resolve("small map/psm/run-1/seed-1/model.safetensors");
    FileTime written = Files.getLastModifiedTime(model);
    JsonNode again = reproduce(tiny()).json();
    // Seconds are part of what is compared: no run that trains twice takes the same.
    assertEquals(first, again);
    assertEquals(written, Files.getLastModifiedTime(model));

    Cli.Result changed = reproduce(tiny("psm.targetRate=0.5"));
    changed.refused("targetRate is 1.0, wanted 0.5", "run-0");
    Files.writeString(map, "....\n....\n....\n");
    reproduce(tiny()).refused("the data's fingerprint is");
  }

  @Test
  void settingsMustSayWhoseTheyAre() {
    reproduce("gradientSteps=5").refused("psm.gradientSteps=5");
    reproduce("psn.gradientSteps=5").refused("no agent 'psn'", "psm");
    reproduce("psm.gradientStep=5").refused("gradientSteps");
    reproduce("--agents", "fb", "psm.gradientSteps=5").refused("not in this run");
    reproduce("gradientSteps").refused("does not say whose");
    assertFalse(Files.exists(out), "nothing is trained before all is understood");
  }

  @Test
  void namesAreChecked() {
    reproduce("--agents", "psm,fbb").refused("no agent 'fbb'", "fb");
    reproduce("--preset", "papre").refused("paper");
    reproduce("--env", "spirall").refused("spiral");
    reproduce("--map", map).refused("two maps share a name");
    reproduce("--agents", "psm,psm").refused("the same agent is given twice");
    Cli.run("reproduce", "grids", "--map", map, "--out", out, "--seeds", "3,3")
        .refused("the same seed is given twice");
  }

  @Test
  void foldersOfOthersAreLeftAlone(@TempDir Path foreign) throws IOException {
    Path report = Files.writeString(foreign.resolve("report.html"), "a dataset's");
    Files.writeString(foreign.resolve("dataset.json"), "{}");
    Cli.run("reproduce", "grids", "--out", foreign)
        .refused(foreign.toString(), "holds other files, such as dataset.json");
    Cli.run("reproduce", "dmc", "--domains", "maze", "--out", foreign)
        .refused(foreign.toString(), "holds other files, such as dataset.json");
    Cli.run("pretrain", "--env", "gridworld", "--out", foreign)
        .refused(foreign.toString(), "is not a run but holds other files");
    Cli.run("demo", "--out", report).refused(report + " is a file, not a folder");
    assertEquals("a dataset's", Files.readString(report));
    // Datasets, each in its folder, are no experiment either.
    Path data = Files.createDirectories(foreign.resolve("all/walker"));
    Files.writeString(data.resolve("dataset.json"), "{}");
    Cli.run("reproduce", "grids", "--out", foreign.resolve("all"))
        .refused("holds other files, such as walker");
  }
}
