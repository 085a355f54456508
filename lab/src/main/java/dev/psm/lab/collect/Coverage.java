package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.Json;
import dev.psm.core.report.HeatMap;
import dev.psm.core.report.HtmlReport;
import dev.psm.core.report.Table;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.stats.Summary;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How widely a dataset roams: in a plane of two telling quantities per environment, the share of
 * cells it ever entered and how evenly it is spread over them; in the maze also the share of each
 * room.
 */
public final class Coverage {
  private static final int CELLS = 50;

  /** The two quantities of an environment's picture, with the range that counts. */
  private record Plane(String x, double xLow, double xHigh, String y, double yLow, double yHigh) {}

  private static final Map<String, Plane> PLANES =
      Map.of(
          "walker", new Plane("velocity_x", -3, 3, "torso_height", 0, 1.6),
          "cheetah", new Plane("velocity_x", -6, 6, "torso_height", 0, 1.2),
          "quadruped", new Plane("velocity_x", -2, 2, "upright", -1, 1),
          "point_mass_maze", new Plane("x", -0.3, 0.3, "y", -0.3, 0.3),
          "fetchreach", new Plane("gripper_x", 1.0, 1.7, "gripper_y", 0.4, 1.1),
          "fetchreach_discrete", new Plane("gripper_x", 1.0, 1.7, "gripper_y", 0.4, 1.1));

  private final DomainFacts facts;
  private final Plane plane;
  private final long transitions;
  private final QuantityTable table;
  private final long[] counts = new long[CELLS * CELLS];

  private Coverage(DomainFacts facts, long transitions, QuantityTable table) {
    this.facts = facts;
    this.plane = PLANES.get(facts.name());
    this.transitions = transitions;
    this.table = table;
    double[] xs = table.column(facts.quantity(plane.x));
    double[] ys = table.column(facts.quantity(plane.y));
    for (int row = 0; row < table.rows(); row++) {
      int column = cell(xs[row], plane.xLow, plane.xHigh);
      counts[cell(ys[row], plane.yLow, plane.yHigh) * CELLS + column]++;
    }
  }

  private static int cell(double value, double low, double high) {
    int cell = (int) Math.floor((value - low) / (high - low) * CELLS);
    return Math.max(0, Math.min(CELLS - 1, cell));
  }

  /** Measures a dataset by evenly spaced states of it. */
  public static Coverage of(Dataset dataset, int threads) {
    StoredStates states = new StoredStates(dataset, threads);
    DomainFacts facts = states.facts();
    return new Coverage(facts, dataset.transitions(), states.measure(facts.quantities()));
  }

  /** Share of the plane's cells that were ever entered. */
  public double visitedShare() {
    return Arrays.stream(counts).filter(count -> count > 0).count() / (double) counts.length;
  }

  /** Entropy of the cells over that of being everywhere equally: 1 is perfectly even. */
  public double evenness() {
    double total = Arrays.stream(counts).sum();
    double entropy = 0;
    for (long count : counts) {
      if (count > 0) {
        entropy -= count / total * Math.log(count / total);
      }
    }
    return entropy / Math.log(counts.length);
  }

  /** Share of states per room of the maze, in the order of its tasks; empty elsewhere. */
  public List<Room> rooms() {
    if (!facts.name().equals("point_mass_maze")) {
      return List.of();
    }
    double[] xs = table.column(facts.quantity("x"));
    double[] ys = table.column(facts.quantity("y"));
    int[] inside = new int[4];
    for (int row = 0; row < table.rows(); row++) {
      inside[(ys[row] > 0 ? 0 : 2) + (xs[row] > 0 ? 1 : 0)]++;
    }
    double all = table.rows();
    return List.of(
        new Room("top left", inside[0] / all),
        new Room("top right", inside[1] / all),
        new Room("bottom left", inside[2] / all),
        new Room("bottom right", inside[3] / all));
  }

  /** A room of the maze and the share of states in it. */
  public record Room(String name, double share) {}

  public String text() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "coverage: %.1f %% of the cells of %s and %s visited, evenness %.3f",
                100 * visitedShare(),
                plane.x,
                plane.y,
                evenness()));
    for (Room room : rooms()) {
      text.append(String.format(Locale.ROOT, "%n  %-13s %6.2f %%", room.name, 100 * room.share));
    }
    return text.toString();
  }

  public ObjectNode json() {
    ObjectNode node = Json.object();
    node.put("x", plane.x).put("y", plane.y);
    node.put("visitedShare", visitedShare()).put("evenness", evenness());
    node.put("statesMeasured", table.rows());
    if (!rooms().isEmpty()) {
      ObjectNode rooms = node.putObject("rooms");
      rooms().forEach(room -> rooms.put(room.name.replace(' ', '_'), room.share));
    }
    return node;
  }

  /** Writes the picture and every quantity's range as a page. */
  public void writeReport(Path file, String provenance) {
    Table ranges =
        Table.of("", "quantity", "unit", "mean", "std dev", "lowest", "median", "highest");
    for (Quantity quantity : facts.quantities()) {
      Summary summary = Summary.of(table.column(quantity));
      ranges.row(
          Table.text(quantity.name()),
          Table.text(quantity.unit()),
          Table.plain(summary.mean(), 4),
          Table.plain(summary.standardDeviation(), 4),
          Table.plain(summary.min(), 4),
          Table.plain(summary.median(), 4),
          Table.plain(summary.max(), 4));
    }
    HtmlReport.titled("Experience in " + facts.name())
        .lead(
            String.format(
                Locale.ROOT,
                "%,d transitions. Of %d cells, %.1f %% were visited; evenness %.3f (1 is everywhere equally).",
                transitions,
                counts.length,
                100 * visitedShare(),
                evenness()))
        .section("Where it went")
        .figure(
            new HeatMap(
                facts.title(),
                label(plane.x),
                label(plane.y),
                plane.xLow,
                plane.xHigh,
                plane.yLow,
                plane.yHigh,
                CELLS,
                counts),
            String.format(
                Locale.ROOT,
                "States per cell, from %,d evenly spaced states; what lies outside is counted at the edge.",
                table.rows()))
        .section("Every quantity")
        .table(ranges)
        .details("Provenance", provenance)
        .writeTo(file);
  }

  private String label(String quantity) {
    return "%s (%s)".formatted(quantity, facts.quantity(quantity).unit());
  }
}
