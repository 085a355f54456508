package dev.psm.lab.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError.Kind;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.lab.run.Runs;
import dev.psm.lab.study.Trial;
import dev.psm.torch.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepPlanTest {
  private static final String TWO = "\"agents\": [\"psm\", \"fb\"], \"seeds\": [0, 1]";

  @TempDir private Path folder;
  private Path map;

  @BeforeEach
  void files() {
    map = TinySweeps.map(folder);
  }

  private SweepPlan plan(String fields, String settings) {
    return new SweepPlan(TinySweeps.sweep(map, folder.resolve("out"), fields, settings));
  }

  private void refused(String fields, String settings, String... words) {
    Runs.refused(Kind.INVALID, () -> plan(fields, settings), words);
  }

  private List<String> names(SweepPlan plan) {
    return plan.cells().stream().map(SweepCell::name).toList();
  }

  @Test
  void listsAreCrossedAndOneAgentsSettingsAreItsOwn() {
    SweepPlan plan =
        plan(
            TWO,
            "\"psm.basisLearningRate\": [1e-3, 0.01], \"fb.batchSize\": [8, 16, 32], \"discount\": \"0.9,0.95\"");
    assertEquals(4 + 6, plan.cells().size());
    assertEquals(20, plan.size());
    assertEquals("psm basisLearningRate=0.001 discount=0.9", plan.cells().get(0).name());
    assertEquals("fb batchSize=8 discount=0.9", plan.cells().get(4).name());
    Set<Path> folders = new HashSet<>();
    for (Trial trial : plan.trials(Device.CPU).keySet()) {
      folders.add(trial.folder());
    }
    assertEquals(20, folders.size());
    assertTrue(
        folders.contains(
            folder.resolve(
                "out/tiny/fb/batchSize=8,discount=0.9,featureDimension=4,featureWidth=8,forwardWidth=8/run-1")),
        folders.toString());
  }

  @Test
  void howAValueIsSpelledDoesNotMatter() {
    String one = "\"agents\": [\"psm\"], \"seeds\": [0]";
    assertEquals(
        plan(one, "\"basisLearningRate\": 0.001").trials(Device.CPU).keySet(),
        plan(one, "\"psm.basisLearningRate\": \"1e-3\"").trials(Device.CPU).keySet());
    refused(one, "\"basisLearningRate\": [0.001, \"1e-3\"]", "the same trial is given twice");
  }

  @Test
  void rangesAreDrawnTogetherAndMoreDrawsOnlyAdd() {
    String agents = "\"agents\": [\"psm\"], ";
    String ranges =
        "\"basisLearningRate\": \"log-uniform:1e-4:1e-2\", \"discount\": \"uniform:0.5:0.9\"";
    List<String> few = names(plan(agents + "\"draws\": 3", ranges));
    List<String> more = names(plan(agents + "\"draws\": 5", ranges));
    assertEquals(3, few.size());
    assertEquals(few, more.subList(0, 3));
    assertEquals(few, names(plan(agents + "\"draws\": 3", ranges)));
    assertTrue(
        names(plan(agents + "\"draws\": 3, \"drawSeed\": 1", ranges)).stream()
            .noneMatch(few::contains));
    refused(agents + "\"draws\": 3", "", "draws: no setting is drawn");
    refused("\"agents\": [\"psm\"]", ranges, "draws: basisLearningRate is drawn from a range");
  }

  @Test
  void sideBySideAllSeedsAreOneRun() {
    SweepPlan plan = plan(TWO + ", \"together\": true", "");
    assertEquals(2, plan.size());
    assertEquals(List.of(0L, 1L), plan.trials(Device.CPU).keySet().iterator().next().run().seeds());
  }

  @Test
  void theBaselineIsTheFirstRowOrTheOneThatIsNamed() {
    String rates = "\"psm.basisLearningRate\": [0.001, 0.01]";
    assertEquals("psm basisLearningRate=0.001", plan(TWO, rates).baseline("tiny").name());
    assertEquals("fb", plan(TWO + ", \"baseline\": \"fb\"", rates).baseline("tiny").name());
    assertEquals(
        "psm basisLearningRate=0.01",
        plan(TWO + ", \"baseline\": \"psm basisLearningRate=0.01\"", rates)
            .baseline("tiny")
            .name());
    refused(
        TWO + ", \"baseline\": \"psm\"",
        rates,
        "baseline: 'psm' is 2 of",
        "psm basisLearningRate=0.001");
    refused(TWO + ", \"baseline\": \"hilp\"", rates, "'hilp' is none of");
  }

  @Test
  void mistakesAreToldBeforeTheFirstRun() {
    refused("\"agents\": [\"psn\"]", "", "no agent 'psn'");
    refused("\"agents\": [\"psm\", \"psm\"]", "", "the same agent is given twice");
    refused("\"agents\": [\"psm\"], \"seeds\": [1, 1]", "", "the same seed is given twice");
    refused(TWO, "\"psm.basisLearningRat\": 1", "psm on tiny", "basisLearningRate");
    refused(TWO, "\"psm.basisLearningRate\": [0.1, -1]", "basisLearningRate");
    refused(
        TWO, "\"laplacian.learningRate\": 1", "'laplacian.learningRate=…'", "not in this table");
    refused(TWO, "\"batchSize\": 8", "psm has no setting batchSize", "fb.batchSize");
    refused(
        TWO, "\"psm.discount\": 0.9, \"discount\": 0.95", "discount is given twice for agent psm");
    refused(TWO + ", \"preset\": \"papre\"", "", "paper");
    refused(
        TWO + ", \"grade\": \"average\"", "", "grade: runs on tiny are not graded by 'average'");
    refused(TWO + ", \"env\": [\"walker\"]", "", "env: the states of walker are not few and known");
    refused(TWO + ", \"data\": [\"nowhere\"]", "", "data: there is no dataset in nowhere");
    refused(TWO + ", \"stps\": 5", "", "unknown key 'stps'", "steps");
    refused(TWO + ", \"threads\": 0", "", "field threads", "from 1");
    refused(
        TWO,
        "\"psm.basisLearningRate\": []",
        "field settings.psm.basisLearningRate",
        "a value is missing");
    refused(
        TWO,
        "\"psm.basisLearningRate\": {}",
        "field settings.psm.basisLearningRate",
        "expected a text");
    assertTrue(!Files.exists(folder.resolve("out")), "nothing is written before all is understood");
  }

  @Test
  void twoWorldsOfOneNameAreRefused() throws Exception {
    Path other = TinySweeps.map(Files.createDirectories(folder.resolve("other")));
    String text = Json.line(TinySweeps.sweep(map, folder.resolve("out"), TWO, "").toJson());
    Sweep both =
        Sweep.read(
            JsonField.of(
                "both",
                Json.parse(text.replace(map + "\"", map + "\", \"" + other + "\""), "both")));
    Runs.refused(
        Kind.INVALID,
        () -> new SweepPlan(both),
        "two worlds or datasets of the sweep are called tiny");
  }

  @Test
  void aDocumentIsReadAsItIsWritten() {
    Sweep sweep =
        TinySweeps.sweep(
            map,
            folder,
            TWO + ", \"draws\": 2, \"grade\": \"rewards\", \"together\": true, \"threads\": 2",
            "\"psm.basisLearningRate\": \"log-uniform:1e-4:1e-2\", \"discount\": [0.9, 0.95]");
    assertEquals(sweep, Sweep.read(JsonField.of("again", sweep.toJson())));
  }
}
