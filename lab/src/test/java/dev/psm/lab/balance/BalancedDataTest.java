package dev.psm.lab.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetCheck;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Space;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.Volume;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.reward.QuantityTable;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.compute.WorkContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Places of the maze made up, so that every share is known. */
final class BalancedDataTest {
  /** Four places in cells of their own. */
  private static final double[][] PLACES = {{-0.2, 0.2}, {0.2, 0.2}, {-0.2, -0.2}, {0.2, -0.2}};

  private static final int STEPS = 10;

  @TempDir Path root;

  private Path out() {
    return root.resolve("balanced");
  }

  private static BalanceSettings settings(long transitions, double power) {
    return new BalanceSettings(transitions, STEPS, power, 0);
  }

  /** An episode that stays at a place; its other columns tell which row each is. */
  private static Episode episode(int number, double[] place, int transitions) {
    int rows = transitions + 1;
    float[] observations = new float[4 * rows];
    float[] actions = new float[2 * rows];
    float[] discounts = new float[rows];
    double[] physics = new double[4 * rows];
    float[] rewards = new float[rows];
    for (int row = 0; row < rows; row++) {
      observations[4 * row] = number;
      observations[4 * row + 1] = row;
      actions[2 * row] = row == 0 ? 0 : number + 0.5f;
      actions[2 * row + 1] = row;
      discounts[row] = row == 0 ? 1 : 0.5f;
      System.arraycopy(place, 0, physics, 4 * row, 2);
      physics[4 * row + 2] = number + 1e-3 * row;
      rewards[row] = -row;
    }
    return new Episode(observations, actions, discounts, physics, Map.of("reward", rewards));
  }

  /**
   * Episodes at one place after the other.
   *
   * @param counts of them at each
   */
  private Dataset source(int transitions, int... counts) {
    Path folder = root.resolve("source");
    DatasetDescription description =
        new DatasetDescription(
            "point_mass_maze",
            "made up",
            "by hand",
            Json.object(),
            7,
            new Columns(4, 2, 4, Map.of("reward", 1)));
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      int number = 0;
      for (int place = 0; place < counts.length; place++) {
        for (int i = 0; i < counts[place]; i++) {
          writer.append(episode(number++, PLACES[place], transitions));
        }
      }
      writer.flush();
    }
    return Dataset.open(folder);
  }

  private static WorkContext context() {
    return WorkContext.of(Progress.SILENT);
  }

  private Dataset balance(Dataset source, BalanceSettings settings) {
    BalancedData.run(source, settings, out(), 2, context());
    return Dataset.open(out());
  }

  /** How many rows lie at each of the places. */
  private static long[] rows(Dataset dataset) {
    double[] physics = new double[4 * (int) dataset.rows()];
    dataset.physics(0, (int) dataset.rows(), physics, 0);
    long[] rows = new long[PLACES.length];
    for (int i = 0; i < physics.length; i += 4) {
      double x = physics[i];
      double y = physics[i + 1];
      rows[(x > 0 ? 1 : 0) + (y > 0 ? 0 : 2)]++;
    }
    return rows;
  }

  private void assertShares(double power, double... shares) {
    try (Dataset source = source(STEPS, 40, 30, 20, 10);
        Dataset balanced = balance(source, settings(1000 * STEPS, power))) {
      assertEquals(1000, balanced.episodes());
      long[] rows = rows(balanced);
      for (int place = 0; place < rows.length; place++) {
        // Each of a place's segments is drawn to one time as often as its weight demands, and
        // neighbours make up for each other.
        assertEquals(shares[place] * 1000, rows[place] / (STEPS + 1.0), 1.001);
      }
    }
  }

  @Test
  void cellsAreVisitedEqually() {
    assertShares(1, 0.25, 0.25, 0.25, 0.25);
  }

  @Test
  void withoutPowerSharesStayAsTheyAre() {
    assertShares(0, 0.4, 0.3, 0.2, 0.1);
  }

  @Test
  void halfAPowerGivesTheRootsOfTheShares() {
    double sum = Math.sqrt(4) + Math.sqrt(3) + Math.sqrt(2) + 1;
    assertShares(0.5, 2 / sum, Math.sqrt(3) / sum, Math.sqrt(2) / sum, 1 / sum);
  }

  /** 200 and 1: the mean is 100.5, so that the one counts as 2.01. */
  @Test
  void aHardlyVisitedCellIsNotDrawnWithoutEnd() {
    try (Dataset source = source(STEPS, 200, 1);
        Dataset balanced = balance(source, settings(1000 * STEPS, 1))) {
      double share = (1 / 2.01) / (1 + 1 / 2.01);
      assertEquals(1000 * share, rows(balanced)[1] / (STEPS + 1.0), 1.001);
    }
  }

  @Test
  void statesWeighTheSameInShortEpisodesAndInLongOnes() {
    Path folder = root.resolve("source");
    DatasetDescription description;
    try (Dataset first = source(STEPS, 1)) {
      description = first.description();
    }
    try (DatasetWriter writer = DatasetWriter.resume(folder)) {
      for (int i = 0; i < 4; i++) {
        writer.append(episode(100 + i, PLACES[3], 2));
      }
      writer.flush();
    }
    assertEquals("by hand", description.collector());
    try (Dataset source = Dataset.open(folder);
        Dataset balanced = balance(source, settings(10_000, 1))) {
      long[] rows = rows(balanced);
      assertEquals(0.5, rows[0] / (double) balanced.rows(), 0.001);
      assertEquals(10_000, (int) balanced.transitions(), 2 * STEPS);
    }
  }

  @Test
  void segmentsArePiecesOfTheSource() {
    try (Dataset source = source(25, 6, 2);
        Dataset balanced = balance(source, settings(300, 1))) {
      assertEquals(List.of(), DatasetCheck.of(out()).problems());
      Map<Integer, Integer> lengths = new TreeMap<>();
      for (int i = 0; i < balanced.episodes(); i++) {
        Episode segment = balanced.episode(i);
        lengths.merge(segment.transitions(), 1, Integer::sum);
        Episode whole = source.episode((int) segment.observations()[0]);
        int from = (int) segment.observations()[1];
        int to = from + segment.rows();
        assertArrayEquals(
            Arrays.copyOfRange(whole.observations(), 4 * from, 4 * to), segment.observations());
        assertArrayEquals(Arrays.copyOfRange(whole.physics(), 4 * from, 4 * to), segment.physics());
        float[] actions = Arrays.copyOfRange(whole.actions(), 2 * from, 2 * to);
        Arrays.fill(actions, 0, 2, 0);
        assertArrayEquals(actions, segment.actions());
        float[] discounts = Arrays.copyOfRange(whole.discounts(), from, to);
        discounts[0] = 1;
        assertArrayEquals(discounts, segment.discounts());
        assertArrayEquals(
            Arrays.copyOfRange(whole.extras().get("reward"), from, to),
            segment.extras().get("reward"));
      }
      // 25 steps in pieces of at most 10: 8, 8 and 9.
      assertEquals(List.of(8, 9), List.copyOf(lengths.keySet()));
    }
  }

  @Test
  void everySegmentComesOnceWhereAllAreTakenAsTheyAre() {
    try (Dataset source = source(25, 2, 1)) {
      BalancedData.Result result =
          BalancedData.run(source, new BalanceSettings(75, STEPS, 0, 3), out(), 1, context());
      assertEquals(9, result.segments());
      assertEquals(9, result.distinct());
      assertEquals(1, result.mostOften());
      assertEquals(75, result.transitions());
    }
  }

  private byte[] chunk(Path folder) throws IOException {
    return Files.readAllBytes(folder.resolve("chunk-000000.safetensors"));
  }

  @Test
  void aSeedGivesTheSameBytesOnAnyThreads() throws IOException {
    try (Dataset source = source(STEPS, 40, 30, 20, 10)) {
      Path other = root.resolve("other");
      Path third = root.resolve("third");
      BalancedData.run(source, settings(100, 1), out(), 1, context());
      BalancedData.run(source, settings(100, 1), other, 4, context());
      BalancedData.run(source, new BalanceSettings(100, STEPS, 1, 1), third, 1, context());
      assertArrayEquals(chunk(out()), chunk(other));
      assertFalse(Arrays.equals(chunk(out()), chunk(third)));
    }
  }

  @Test
  void theDescriptionTellsWhereItComesFrom() {
    try (Dataset source = source(STEPS, 4, 1);
        Dataset balanced = balance(source, settings(200, 1))) {
      DatasetDescription description = balanced.description();
      assertEquals("balance", description.collector());
      assertEquals("made up", description.engine());
      assertEquals("point_mass_maze", description.environment());
      JsonNode told = description.settings();
      assertEquals(source.fingerprint(), told.path("source").path("fingerprint").asText());
      assertEquals("by hand", told.path("source").path("collector").asText());
      assertEquals(7, told.path("source").path("seed").asInt());
      assertEquals(STEPS, told.path("segment").asInt());
      assertEquals(1, told.path("power").asDouble());
      assertEquals(200, told.path("transitions").asInt());
      assertNotEquals(source.fingerprint(), balanced.fingerprint());
    }
    List<String> files =
        OutputFolder.visible(out()).stream().map(file -> file.getFileName().toString()).toList();
    assertEquals(List.of("chunk-000000.safetensors", "dataset.json", "report.html"), files);
  }

  @Test
  void theReportTellsTheSharesBeforeAndAfter() throws IOException {
    try (Dataset source = source(STEPS, 40, 30, 20, 10)) {
      BalancedData.Result result =
          BalancedData.run(source, settings(40_000, 1), out(), 1, context());
      assertEquals(0.4, result.before().regions().get("top left"), 1e-9);
      assertEquals(0.25, result.after().regions().get("top left"), 1e-3);
      assertEquals(
          0.1, result.json().path("before").path("rooms").path("bottom_right").asDouble(), 1e-9);
    }
    String page = Files.readString(out().resolve("report.html"));
    assertTrue(page.contains("top left, %") && page.contains("40.00"), "shares are in the page");
  }

  @Test
  void collectingDoesNotGoOnWithIt() {
    try (Dataset source = source(STEPS, 4, 1)) {
      BalancedData.run(source, settings(200, 1), out(), 1, context());
    }
    refused(
        Kind.INVALID,
        () ->
            Collection.atRandom(
                Worlds.named("maze"), new Collection.Plan(1000, 1, 1, 0), out(), Progress.SILENT),
        "balance");
  }

  @Test
  void statesOutsideOfAVolumeShareACell() {
    World arm = Worlds.named("fetchreach_discrete");
    Volume volume = arm.volume().orElseThrow();
    BalanceCells cells = BalanceCells.of(arm);
    assertEquals(volume.cells() + 1, cells.count());
    QuantityTable table = new QuantityTable(cells.quantities(), 2);
    for (int axis = 0; axis < 3; axis++) {
      Volume.Axis range = volume.axes().get(axis);
      double[] column = table.column(cells.quantities().get(axis));
      column[0] = range.low();
      column[1] = range.high() + 1;
    }
    assertArrayEquals(new int[] {0, volume.cells()}, cells.of(table));
  }

  @Test
  void whatCannotBeBalancedIsRefusedInWords() {
    refused(Kind.INVALID, () -> settings(10, -1), "power", "from 0 to 10", "-1");
    refused(Kind.INVALID, () -> settings(10, Double.NaN), "power", "NaN");
    refused(Kind.INVALID, () -> settings(0, 1), "transitions", "found 0");
    refused(Kind.INVALID, () -> new BalanceSettings(1, 0, 1, 0), "segment", "found 0");
  }

  @Test
  void dataOfAWorldWithoutCellsIsRefused() {
    World tank =
        StoredWorld.ofData("tank", List.of("level", "inflow"), Space.Box.uniform(-1, 1, 1), 5);
    Path folder = root.resolve("tank");
    DatasetDescription description =
        new DatasetDescription(tank, "none", "by hand", Json.object(), 0, new Columns(2, 1, 0));
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      writer.append(
          new Episode(new float[4], new float[2], new float[] {1, 1}, new double[0], Map.of()));
      writer.flush();
    }
    try (Dataset source = Dataset.open(folder)) {
      refused(
          Kind.INVALID,
          () -> BalancedData.run(source, settings(10, 1), out(), 1, context()),
          "'tank' is known here by its data alone");
    }
  }

  @Test
  void aFolderInUseIsRefused() throws IOException {
    try (Dataset source = source(STEPS, 4, 1)) {
      refused(
          Kind.INVALID,
          () -> BalancedData.run(source, settings(10, 1), source.folder(), 1, context()),
          "already holds a dataset");
      Files.createDirectories(out());
      Files.writeString(out().resolve(".kept"), "");
      refused(
          Kind.INVALID,
          () -> BalancedData.run(source, settings(10, 1), out(), 1, context()),
          ".kept",
          "new or empty");
    }
  }

  @Test
  void aDamagedSourceLeavesNothingBehind() throws IOException {
    source(STEPS, 4, 1).close();
    Path chunk = root.resolve("source").resolve("chunk-000000.safetensors");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[bytes.length - 20] ^= 1;
    Files.write(chunk, bytes);
    try (Dataset source = Dataset.open(root.resolve("source"))) {
      refused(
          Kind.FAILED,
          () -> BalancedData.run(source, settings(10, 1), out(), 1, context()),
          "chunk-000000.safetensors",
          "damaged");
    }
    assertEquals(List.of(root.resolve("source")), OutputFolder.list(root));
  }

  @Test
  void whatIsStoppedLeavesNothingBehind() {
    try (Dataset source = source(STEPS, 4, 1)) {
      WorkContext stopped = new WorkContext(Progress.SILENT, note -> {}, () -> true);
      refused(
          Kind.FAILED,
          () -> BalancedData.run(source, settings(10, 1), out(), 1, stopped),
          "nothing was written");
    }
    assertEquals(List.of(root.resolve("source")), OutputFolder.list(root));
  }

  private static void refused(Kind kind, Executable work, String... words) {
    UserError error = assertThrows(UserError.class, work);
    assertEquals(kind, error.kind(), error.getMessage());
    for (String word : words) {
      assertTrue(
          error.getMessage().contains(word), "'" + word + "' is not in: " + error.getMessage());
    }
  }
}
