package dev.psm.lab.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.lab.Progress;
import dev.psm.lab.control.ControlStudy.Variant;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlStudyTest {
  private static final List<String> TINY =
      List.of(
          "gradientSteps=12", "batchSize=16", "featureDimension=4", "width=8", "featureWidth=8");

  @TempDir private static Path data;
  @TempDir private Path out;

  private final AtomicInteger trainings = new AtomicInteger();

  @BeforeAll
  static void collect() {
    Runs.collect(data.resolve("maze"), 0);
  }

  private static ControlStudy.Plan plan(Path out, List<Long> seeds, String... more) {
    List<String> fb = new ArrayList<>(TINY);
    fb.addAll(List.of(more));
    List<String> psm = new ArrayList<>(fb);
    psm.add("protoSteps=5");
    return new ControlStudy.Plan(
        "a study",
        List.of(DomainFacts.named("maze")),
        List.of(Variant.of(ControlAgentKind.PSM, psm), Variant.of(ControlAgentKind.FB, fb)),
        seeds,
        "small",
        2,
        1,
        data,
        out);
  }

  private Surroundings surroundings(BooleanSupplier stop) {
    Progress counted =
        (label, total) -> {
          trainings.incrementAndGet();
          return Progress.SILENT.start(label, total);
        };
    return new Surroundings(counted, note -> {}, stop, AgentExaminer::new);
  }

  @Test
  void whatIsDoneIsNotDoneAgainAndMoreSeedsOnlyAddTheirs() throws Exception {
    assertEquals(2, ControlStudy.run(plan(out, List.of(0L)), surroundings(() -> false)).size());
    assertEquals(2, trainings.getAndSet(0));
    String first = Files.readString(out.resolve("table.csv"));
    List<ControlStudy.Run> runs =
        ControlStudy.run(plan(out, List.of(0L, 1L)), surroundings(() -> false));
    assertEquals(4, runs.size());
    assertEquals(2, trainings.get());
    assertEquals(2, runs.get(0).curve().points().size());
    String second = Files.readString(out.resolve("table.csv"));
    assertTrue(second.startsWith(first), second);
    assertTrue(Files.readString(out.resolve("report.html")).contains("Learning on"), "no curve");
    assertEquals(4, ControlStudy.run(plan(out, List.of(0L, 1L)), surroundings(() -> false)).size());
    assertEquals(2, trainings.get());
  }

  @Test
  void aStoppedStudyGoesOnToTheSameReturns() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Path stopped = out.resolve("stopped");
    List<ControlStudy.Run> some =
        ControlStudy.run(
            plan(stopped, List.of(0L)),
            surroundings(() -> trainings.get() == 2 && asked.incrementAndGet() > 5));
    assertEquals(1, some.size());
    List<ControlStudy.Run> all =
        ControlStudy.run(plan(stopped, List.of(0L)), surroundings(() -> false));
    List<ControlStudy.Run> straight =
        ControlStudy.run(plan(out.resolve("straight"), List.of(0L)), surroundings(() -> false));
    for (int i = 0; i < 2; i++) {
      assertEquals(straight.get(i).curve().last().returns(), all.get(i).curve().last().returns());
    }
  }

  @Test
  void mistakesAreToldBeforeAnythingIsTrained() {
    UserError noData =
        assertThrows(
            UserError.class,
            () ->
                ControlStudy.run(
                    new ControlStudy.Plan(
                        "a study",
                        List.of(DomainFacts.named("walker")),
                        List.of(Variant.of(ControlAgentKind.FB, TINY)),
                        List.of(0L),
                        "small",
                        1,
                        1,
                        data,
                        out),
                    surroundings(() -> false)));
    assertTrue(noData.getMessage().contains("--collect"), noData.getMessage());
    assertThrows(
        UserError.class,
        () -> ControlStudy.run(plan(out, List.of(0L), "nothing=1"), surroundings(() -> false)));
    assertThrows(UserError.class, () -> plan(out, List.of(1L, 1L)));
    assertEquals(0, trainings.get());
  }

  @Test
  void otherSettingsInTheSamePlaceAreRefused() {
    ControlStudy.run(plan(out, List.of(0L)), surroundings(() -> false));
    UserError other =
        assertThrows(
            UserError.class,
            () ->
                ControlStudy.run(
                    plan(out, List.of(0L), "discount=0.5"), surroundings(() -> false)));
    assertTrue(other.getMessage().contains("other settings"), other.getMessage());
  }
}
