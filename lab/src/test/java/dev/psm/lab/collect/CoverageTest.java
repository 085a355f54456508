package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static dev.psm.lab.collect.Collecting.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Plane;
import dev.psm.core.env.Space;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.Volume;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Places of the maze made up, so that every figure is known. */
final class CoverageTest {
  private static final int CELLS = 50;

  @TempDir Path root;

  private Dataset at(double[]... places) {
    double[] physics = new double[4 * places.length];
    for (int row = 0; row < places.length; row++) {
      System.arraycopy(places[row], 0, physics, 4 * row, 2);
    }
    return dataset("point_mass_maze", physics, 4);
  }

  private Dataset dataset(String environment, double[] physics, int width) {
    int rows = width == 0 ? 2 : physics.length / width;
    float[] discounts = new float[rows];
    Arrays.fill(discounts, 1);
    DatasetDescription description =
        new DatasetDescription(
            environment, "made up", "by hand", Json.object(), 0, new Columns(4, 2, width));
    try (DatasetWriter writer = DatasetWriter.create(root, description)) {
      writer.append(
          new Episode(new float[4 * rows], new float[2 * rows], discounts, physics, Map.of()));
      writer.flush();
    }
    return Dataset.open(root);
  }

  private static double centre(int cell) {
    return -0.3 + 0.6 * (cell + 0.5) / CELLS;
  }

  @Test
  void beingEverywhereEquallyIsPerfectlyEven() {
    double[][] places = new double[CELLS * CELLS][];
    for (int cell = 0; cell < places.length; cell++) {
      places[cell] = new double[] {centre(cell % CELLS), centre(cell / CELLS)};
    }
    Coverage coverage = Coverage.of(at(places), 2);
    assertEquals(1, coverage.visitedShare());
    assertEquals(1, coverage.evenness(), 1e-12);
    coverage.regions().forEach((room, share) -> assertEquals(0.25, share, 1e-12, room));
  }

  @Test
  void standingStillIsNotEvenAtAll() {
    Coverage coverage = Coverage.of(at(new double[] {0.1, 0.1}, new double[] {0.1, 0.1}), 1);
    assertEquals(1.0 / (CELLS * CELLS), coverage.visitedShare());
    assertEquals(0, coverage.evenness());
  }

  @Test
  void roomsAreCountedByName() {
    Coverage coverage =
        Coverage.of(
            at(
                new double[] {-0.1, 0.1},
                new double[] {-0.2, 0.2},
                new double[] {-0.2, 0.1},
                new double[] {-0.1, 0.2},
                new double[] {0.1, 0.1},
                new double[] {0.1, 0.2},
                new double[] {0.2, 0.2},
                new double[] {-0.1, -0.1},
                new double[] {-0.2, -0.1},
                new double[] {0.1, -0.1}),
            1);
    assertEquals(
        Map.of("top left", 0.4, "top right", 0.3, "bottom left", 0.2, "bottom right", 0.1),
        coverage.regions());
    assertEquals(10.0 / (CELLS * CELLS), coverage.visitedShare());
    assertEquals(Math.log(10) / Math.log(CELLS * CELLS), coverage.evenness(), 1e-12);
    assertEquals(0.3, coverage.json().path("rooms").path("top_right").asDouble());
    assertEquals(10, coverage.json().path("statesMeasured").asInt());
    assertTrue(coverage.text().contains("top left       40.00 %"), coverage.text());
    assertTrue(coverage.text().contains("0.4 % of the cells of x and y visited"), coverage.text());
  }

  @Test
  void whatLiesOutsideCountsAtTheEdge() throws IOException {
    Coverage coverage =
        Coverage.of(
            at(
                new double[] {-9, -9},
                new double[] {centre(0), centre(0)},
                new double[] {0.3, 9},
                new double[] {centre(CELLS - 1), centre(CELLS - 1)}),
            1);
    assertEquals(2.0 / (CELLS * CELLS), coverage.visitedShare());
    Path page = root.resolve("report.html");
    coverage.writeReport(page, "made <by> hand");
    String html = Files.readString(page);
    assertTrue(html.contains("Experience in point_mass_maze"));
    assertTrue(html.contains("made &lt;by&gt; hand"));
    assertTrue(html.contains("velocity_y"));
  }

  /** 2 × 3 × 4 cells. */
  private static final Volume BOX =
      new Volume(
          "the box",
          List.of(
              new Volume.Axis("x", 0, 1),
              new Volume.Axis("y", 0, 1.5),
              new Volume.Axis("z", -1, 1)),
          0.5);

  @Test
  void whatIsNoNumberIsInNoCell() {
    PlaneCells cells = new PlaneCells(new Plane("x", 0, 1, "y", 0, 1));
    assertEquals(PlaneCells.NOWHERE, cells.cell(0.5, Double.NaN));
    assertEquals(PlaneCells.NOWHERE, cells.cell(Double.NaN, 0.5));
  }

  @Test
  void aPlaneWithoutWidthIsNone() {
    for (double high : new double[] {1, 0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(IllegalArgumentException.class, () -> new Plane("x", -1, 1, "speed", 1, high));
    }
  }

  /** In a world that declares no plane: what never changes would tell nothing. */
  @Test
  void withoutAPlaneThereAreTheQuantitiesThatChange() {
    StoredWorld world =
        StoredWorld.ofData("mine", List.of("still", "a", "b", "c"), new Space.Discrete(2), 10);
    QuantityTable table = new QuantityTable(world.quantities(), 3);
    for (int row = 0; row < 3; row++) {
      int at = row;
      table.measure(row, quantity -> quantity.name().equals("still") ? 4 : at);
    }
    assertEquals(new Plane("a", 0, 2, "b", 0, 2), Coverage.plane(world, table));
    QuantityTable one = new QuantityTable(world.quantities(), 3);
    for (int row = 0; row < 3; row++) {
      int at = row;
      one.measure(row, quantity -> quantity.name().equals("c") ? at : 4);
    }
    assertEquals(new Plane("c", 0, 2, "still", 3.5, 4.5), Coverage.plane(world, one));
    QuantityTable still = new QuantityTable(world.quantities(), 1);
    still.measure(0, quantity -> 4);
    assertEquals(new Plane("still", 3.5, 4.5, "a", 3.5, 4.5), Coverage.plane(world, still));
  }

  @Test
  void everyCellOfAVolumeHasANumberOfItsOwn() {
    assertEquals(24, BOX.cells());
    Set<Integer> numbers = new TreeSet<>();
    for (int z = 0; z < 4; z++) {
      for (int y = 0; y < 3; y++) {
        for (int x = 0; x < 2; x++) {
          int number = BOX.cell(0.25 + 0.5 * x, 0.25 + 0.5 * y, -0.75 + 0.5 * z);
          assertEquals(x + 2 * y + 6 * z, number);
          numbers.add(number);
        }
      }
    }
    assertEquals(24, numbers.size());
    assertEquals(0, BOX.cell(0, 0, -1), "lower faces belong to it");
    assertEquals(23, BOX.cell(1, 1.5, 1), "upper faces too");
    assertEquals(-1, BOX.cell(1.001, 0, 0));
    assertEquals(-1, BOX.cell(0, -0.001, 0));
    assertEquals(-1, BOX.cell(0, 0, Double.NaN));
  }

  @Test
  void aVolumeIsMadeOfWholeCells() {
    Volume.Axis axis = new Volume.Axis("x", 0, 1);
    assertThrows(
        IllegalArgumentException.class, () -> new Volume("v", List.of(axis, axis, axis), 0.3));
    assertThrows(
        IllegalArgumentException.class, () -> new Volume("v", List.of(axis, axis, axis), 2));
    assertThrows(IllegalArgumentException.class, () -> new Volume("v", List.of(axis, axis), 0.5));
  }

  /** Places of the arm's gripper, in offsets from the middle of the cube of goals. */
  private static VolumeCoverage cube(double[]... offsets) {
    World arm = Worlds.named("fetchreach_discrete");
    Volume volume = arm.volume().orElseThrow();
    List<Quantity> axes =
        volume.axes().stream().map(axis -> arm.quantity(axis.quantity())).toList();
    QuantityTable table = new QuantityTable(axes, offsets.length);
    for (int row = 0; row < offsets.length; row++) {
      for (int axis = 0; axis < 3; axis++) {
        Volume.Axis range = volume.axes().get(axis);
        table.column(axes.get(axis))[row] = (range.low() + range.high()) / 2 + offsets[row][axis];
      }
    }
    return new VolumeCoverage(arm, volume, table);
  }

  @Test
  void cellsOfTheCubeOfGoalsAreCountedExactly() {
    VolumeCoverage coverage =
        cube(
            new double[] {0.01, 0.01, 0.01},
            new double[] {0.04, 0.01, 0.01},
            new double[] {0.06, 0.01, 0.01},
            new double[] {-0.14, -0.14, -0.14},
            new double[] {0.16, 0, 0});
    assertEquals(216, coverage.cells());
    assertEquals(3, coverage.visited());
    assertEquals(0.8, coverage.insideShare(), 1e-12);
    // Two, one and one of four states.
    assertEquals(1.5 * Math.log(2) / Math.log(216), coverage.evenness(), 1e-12);
    assertEquals(
        "  the cube of goals: 3 of 216 cells visited (1.4 %), evenness 0.193, 80.0 % of states"
            + " inside",
        coverage.text());
    assertEquals(3, coverage.json().path("visited").asInt());
    VolumeCoverage nowhere = cube(new double[] {1, 1, 1});
    assertEquals(0, nowhere.visited());
    assertEquals(0, nowhere.evenness());
  }

  @Test
  void aCellOfTheCubeIsDrawnInTheSliceOfItsHeight() {
    // The second slice from below, the first column, the last row.
    String svg = cube(new double[] {-0.14, 0.14, -0.07}).figure().svg();
    double left = 64 + 112 + 10;
    assertTrue(svg.contains("<rect x=\"%d\" y=\"56\" width=\"18.97\"".formatted((int) left)), svg);
    assertTrue(svg.contains(">0.38 to 0.43<"), svg);
  }

  @Test
  void everyEnvironmentHasAPicture() {
    for (World world : Worlds.all()) {
      Path folder = root.resolve(world.name());
      Collection.Plan plan = new Collection.Plan(1, 1, 1, 0);
      Collection.atRandom(world, plan, folder, Progress.SILENT);
      try (Dataset dataset = Dataset.open(folder)) {
        Coverage coverage = Coverage.of(dataset, 1);
        assertTrue(coverage.visitedShare() > 0 && coverage.evenness() > 0, world.name());
        assertEquals(world.name().startsWith("fetchreach"), coverage.volume().isPresent());
        assertEquals(coverage.volume().isPresent(), coverage.json().has("volume"));
        assertEquals(coverage.volume().isPresent(), coverage.text().contains("cube of goals"));
        assertEquals(world.equals(MAZE) ? 4 : 0, coverage.regions().size());
        // What our engine made it replays, but for what the solver's warm start leaves.
        Drift drift = Drift.of(dataset, world, 200, 0);
        assertEquals(0, drift.blownUp());
        assertTrue(drift.largest() < 1e-10, world.name() + " " + drift);
        assertTrue(drift.median() <= drift.high() && drift.high() <= drift.largest());
      }
    }
  }

  @Test
  void onlyStatesThatFitTheEngineCanBePutBack() {
    refused(
        () -> new StoredStates(dataset("point_mass_maze", new double[0], 0), 1),
        "holds 0 numbers of physics per state, but point_mass_maze has 4");
  }

  @Test
  void statesOfAnUnknownEnvironmentCannotBePutBack() {
    refused(
        () -> new StoredStates(dataset("antmaze", new double[6], 3), 1),
        "there is no environment 'antmaze'");
  }

  @Test
  void statesOfAnotherSizeCannotBePutBack() {
    refused(
        () -> new StoredStates(dataset("walker", new double[6], 3), 1),
        "holds 3 numbers of physics per state, but walker has 18");
  }

  @Test
  void storedStatesAreMeasuredAndPaidRowByRow() {
    Dataset dataset = at(new double[] {-0.1, 0.2}, new double[] {0.15, 0.15});
    StoredStates states = new StoredStates(dataset, 2);
    assertEquals("all 2 states of the dataset", states.description());
    QuantityTable table = states.measure(List.of(MAZE.quantity("y"), MAZE.quantity("x")));
    assertEquals(-0.1, table.column(MAZE.quantity("x"))[0]);
    assertEquals(0.15, table.column(MAZE.quantity("y"))[1]);
    double[] paid = new double[2];
    Task task = Formula.parse("10 * x + y", MAZE.vocabulary()).task("sum", "");
    states.pay(
        task, 0, 2, (row, block) -> System.arraycopy(block, 0, paid, (int) row, block.length));
    assertEquals(-0.8, paid[0], 1e-12);
    assertEquals(1.65, paid[1], 1e-12);
  }

  /** A million steps in episodes of 50: 51 rows each, of which a constant 5.1 meets ten times. */
  @Test
  void samplesMeetEveryTimeOfAnEpisodeEquallyOften() {
    int samples = 200_000;
    long rows = 1_020_000;
    int[] times = new int[51];
    long last = -1;
    for (int i = 0; i < samples; i++) {
      long row = StoredStates.row(i, samples, rows);
      assertTrue(row > last && row < rows);
      last = row;
      times[(int) (row % 51)]++;
    }
    for (int count : times) {
      assertEquals(samples / 51.0, count, 60);
    }
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, StoredStates.row(i, 1000, 1000), "all of them where there are few");
    }
  }

  @Test
  void dataWithoutRewardsHasNoneToCompare() {
    Dataset dataset = at(new double[] {-0.1, 0.2}, new double[] {0.15, 0.15});
    WorkContext context = new WorkContext(Progress.SILENT, note -> {}, () -> false);
    refused(
        () ->
            StoredRewards.compare(
                dataset, MAZE.tasks().get(0).name(), new LocalWorkers(1), context),
        "came without rewards");
  }
}
