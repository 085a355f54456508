package dev.psm.lab.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.Agent;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.ReferenceReturns;
import dev.psm.lab.study.ControlStudy.Variant;
import dev.psm.view.report.HtmlReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class StudyTableTest {
  private static final World CHEETAH = Worlds.named("cheetah");
  private static final Variant PSM = Variant.of(FactoredPsm.AGENT, List.of());
  private static final Variant FB = Variant.of(ControlForwardBackward.AGENT, List.of());

  private static ControlStudy.Plan plan(Variant... variants) {
    return new ControlStudy.Plan(
        "a study",
        "All is equal.",
        List.of(CHEETAH),
        List.of(variants),
        List.of(0L, 1L, 2L),
        false,
        "small",
        null,
        10,
        10,
        Path.of("data"),
        Path.of("out"));
  }

  /** Returns of the four tasks that grow by 100 from one to the next. */
  private static ControlStudy.Run run(Variant variant, long seed, double first) {
    return run(variant, seed, first, true, 10);
  }

  private static ControlStudy.Run run(
      Variant variant, long seed, double first, boolean finished, long... steps) {
    Map<String, Double> returns = new LinkedHashMap<>();
    double value = first;
    double sum = 0;
    for (var task : CHEETAH.tasks()) {
      returns.put(task.name(), value);
      sum += value;
      value += 100;
    }
    returns.put("average", sum / 4);
    return new ControlStudy.Run(
        new ControlStudy.Cell(CHEETAH, variant, List.of(seed)),
        seed,
        Path.of("nowhere"),
        new LearningCurve(
            Arrays.stream(steps)
                .mapToObj(step -> new LearningCurve.Point(step, 60, returns, Map.of()))
                .toList()),
        finished);
  }

  private static StudyTable table(List<ControlStudy.Run> runs) {
    return new StudyTable(plan(PSM, FB), new ControlStudy.Outcome(runs, List.of()));
  }

  private static List<ControlStudy.Run> threeSeedsEach() {
    List<ControlStudy.Run> runs = new ArrayList<>();
    for (int seed = 0; seed < 3; seed++) {
      runs.add(run(PSM, seed, 100 + seed));
      runs.add(run(FB, seed, 10 * seed));
    }
    return runs;
  }

  @Test
  void meansSpreadsAndTheTestAreOverSeeds() {
    JsonNode rows = table(threeSeedsEach()).json().path("rows");
    JsonNode psm = rows.get(0);
    assertEquals("psm", psm.path("variant").asText());
    assertEquals(101, psm.path("returns").path("run").path("mean").asDouble(), 1e-12);
    assertEquals(1, psm.path("returns").path("run").path("standardDeviation").asDouble(), 1e-12);
    assertEquals(251, psm.path("returns").path("average").path("mean").asDouble(), 1e-12);
    assertEquals(244.38, psm.path("returns").path("run").path("paper").asDouble());
    assertEquals(60, psm.path("trainingSeconds").asDouble());
    assertFalse(psm.has("mannWhitney"));
    // Three against three cannot do better than a tenth.
    assertEquals(0.1, rows.get(1).path("mannWhitney").asDouble(), 1e-12);
    // Twelve values, three cut at either end: those of 200 and 300 and their neighbours.
    assertEquals(251, psm.path("interquartileMean").path("mean").asDouble(), 1e-9);
  }

  @Test
  void theTextShowsOursBesideThePapers() {
    String text = table(threeSeedsEach()).text();
    assertTrue(text.contains("101.0 ± 1.0 (244.4)"), text);
    assertTrue(text.contains("0.1000"), text);
  }

  @Test
  void namesMayBeLong() {
    Variant named =
        new Variant("psm", "a title of more than twenty letters", FactoredPsm.AGENT, List.of());
    List<ControlStudy.Run> runs = List.of(run(named, 0, 100), run(FB, 0, 10));
    String text = new StudyTable(plan(named, FB), new ControlStudy.Outcome(runs, List.of())).text();
    List<String> lines = text.lines().toList();
    assertTrue(text.contains("p against a title of more than twenty letters"), text);
    assertEquals(
        lines.get(0).indexOf(named.title()), lines.get(1).indexOf("100.0"), "columns begin alike");
  }

  @Test
  void runsThatAreMissingLeaveGapsNotErrors() {
    StudyTable table = table(List.of(run(PSM, 0, 1)));
    assertTrue(table.text().contains("- (257.6)"), table.text());
    assertEquals(1, table.json().path("rows").size());
    assertEquals(1 + 5, table.csv().lines().count());
    assertTrue(table.text().contains("1 of 3"), table.text());
  }

  @Test
  void whatHasNotFinishedShowsTheStepThatAllItsSeedsHaveReachedAndIsNotTested() {
    List<ControlStudy.Run> runs = new ArrayList<>();
    for (int seed = 0; seed < 3; seed++) {
      runs.add(run(PSM, seed, 100 + seed));
    }
    runs.add(run(FB, 0, 10, false, 2000, 4000, 6000));
    runs.add(run(FB, 1, 30, false, 2000, 4000));
    StudyTable table = table(runs);
    assertTrue(table.text().contains("2 of 3, at step 4,000 of 40,000"), table.text());
    assertTrue(table.text().contains("20.0 ± 14.1"), table.text());
    JsonNode rows = table.json().path("rows");
    assertTrue(rows.get(0).path("finished").asBoolean());
    assertFalse(rows.get(1).path("finished").asBoolean());
    assertEquals(4000, rows.get(1).path("step").asLong());
    assertFalse(rows.get(1).has("mannWhitney"));
    assertEquals(15 + 10, table.csv().lines().skip(1).count());
    assertTrue(table.csv().contains(",60.0,6000,false"), table.csv());
    // One that has finished says more than others that have not.
    runs.add(run(FB, 2, 500));
    assertTrue(table(runs).text().contains("500.0 (257.6)"), table(runs).text());
  }

  @Test
  void aFailureIsThatOfARunWhateverItsSeeds() {
    List<ControlStudy.Failure> failures =
        Stream.of(List.of(0L), List.of(1L, 2L))
            .map(seeds -> new ControlStudy.Cell(CHEETAH, FB, seeds))
            .map(cell -> new ControlStudy.Failure(cell, "training diverged"))
            .toList();
    StudyTable table = new StudyTable(plan(PSM, FB), new ControlStudy.Outcome(List.of(), failures));
    assertTrue(
        table.text().contains("0 of 3, 1 diverged, a run of 2 seeds diverged"), table.text());
  }

  @Test
  void oneSeedHasNoInterval() {
    StudyTable one = table(List.of(run(PSM, 0, 100)));
    JsonNode found = one.json().path("rows").get(0).path("interquartileMean");
    assertEquals(250, found.path("mean").asDouble(), 1e-9);
    assertFalse(found.has("low") || found.has("high"));
    assertFalse(one.text().contains("[") || one.text().contains("±"), one.text());
    String page =
        HtmlReport.titled("").table(one.table(CHEETAH)).table(one.statistics(CHEETAH)).html();
    assertFalse(page.contains("[") || page.contains("±"), page);
    assertTrue(table(threeSeedsEach()).text().contains("251.0 [250.0, 252.0]"));
  }

  @Test
  void thePapersFiguresAreThere() {
    for (String domain : List.of("walker", "cheetah", "quadruped", "maze")) {
      World world = Worlds.named(domain);
      for (Agent agent : ControlStudy.agentsOfThePaper()) {
        assertTrue(
            ReferenceReturns.PAPER.average(world, agent.id()).isPresent(), domain + " " + agent);
      }
    }
    assertEquals(
        List.of("psm", "fb", "laplacian", "hilp"),
        ControlStudy.agentsOfThePaper().stream().map(Agent::id).toList());
    for (int d : new int[] {32, 50, 128, 256}) {
      assertTrue(ReferenceReturns.PAPER.average(CHEETAH, "d=" + d).isPresent());
    }
    assertEquals(
        514.09, ReferenceReturns.PAPER.average(Worlds.named("maze"), "psm").orElseThrow(), 0.01);
    assertTrue(ReferenceReturns.PAPER.of("walker", "fly", "psm").isEmpty());
  }
}
