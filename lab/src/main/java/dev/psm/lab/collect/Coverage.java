package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Plane;
import dev.psm.core.env.Region;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.stats.Summary;
import dev.psm.view.report.HeatMap;
import dev.psm.view.report.HtmlReport;
import dev.psm.view.report.Table;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How widely a dataset roams: in a plane of two telling quantities per environment, the share of
 * cells it ever entered and how evenly it is spread over them; in the maze also the share of each
 * room. Where a world declares a volume, its cells are counted too.
 */
public final class Coverage {
  private final World world;
  private final Plane plane;
  private final long transitions;
  private final QuantityTable table;
  private final long[] counts = new long[PlaneCells.COUNT];
  private long nowhere;
  private final Optional<VolumeCoverage> volume;

  private Coverage(World world, long transitions, QuantityTable table) {
    this.world = world;
    this.plane = world.plane().orElseGet(() -> plane(world, table));
    this.transitions = transitions;
    this.table = table;
    double[] xs = table.column(world.quantity(plane.x()));
    double[] ys = table.column(world.quantity(plane.y()));
    PlaneCells cells = new PlaneCells(plane);
    for (int row = 0; row < table.rows(); row++) {
      int cell = cells.cell(xs[row], ys[row]);
      if (cell == PlaneCells.NOWHERE) {
        nowhere++;
      } else {
        counts[cell]++;
      }
    }
    volume = world.volume().map(declared -> new VolumeCoverage(world, declared, table));
  }

  /**
   * Without a plane of the world's own: the first two quantities that change at all, in the range
   * of the data.
   */
  static Plane plane(World world, QuantityTable table) {
    Set<Quantity> wanted = new LinkedHashSet<>(world.quantities());
    wanted.removeIf(quantity -> !changes(Summary.of(table.column(quantity))));
    wanted.addAll(world.quantities());
    List<Quantity> axes = List.copyOf(wanted);
    Quantity x = axes.get(0);
    Quantity y = axes.get(Math.min(1, axes.size() - 1));
    Summary xs = range(table.column(x));
    Summary ys = range(table.column(y));
    return new Plane(x.name(), xs.min(), xs.max(), y.name(), ys.min(), ys.max());
  }

  private static boolean changes(Summary values) {
    return values.min() < values.max() && Double.isFinite(values.max() - values.min());
  }

  /** A width of 1 for what never changes. */
  private static Summary range(double[] values) {
    Summary range = Summary.of(values);
    double middle = Double.isFinite(range.min()) ? range.min() : 0;
    double half = Math.max(0.5, Math.ulp(middle));
    return changes(range) ? range : Summary.of(new double[] {middle - half, middle + half});
  }

  /** Measures a dataset by evenly spaced states of it. */
  public static Coverage of(Dataset dataset, int threads) {
    StoredStates states = new StoredStates(dataset, threads);
    World world = states.world();
    return new Coverage(world, dataset.transitions(), states.measure(world.quantities()));
  }

  /** Share of the plane's cells that were ever entered. */
  public double visitedShare() {
    return visited(counts) / (double) counts.length;
  }

  static long visited(long[] counts) {
    return Arrays.stream(counts).filter(count -> count > 0).count();
  }

  /** Entropy of the cells over that of being everywhere equally: 1 is perfectly even. */
  public double evenness() {
    return evenness(counts);
  }

  /** The world's volume as this data fills it, where it has one. */
  public Optional<VolumeCoverage> volume() {
    return volume;
  }

  static double evenness(long[] counts) {
    double total = Arrays.stream(counts).sum();
    double entropy = 0;
    for (long count : counts) {
      if (count > 0) {
        entropy -= count / total * Math.log(count / total);
      }
    }
    return entropy / Math.log(counts.length);
  }

  /** The share of states in each of the world's regions, by its name. */
  public Map<String, Double> regions() {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (Region region : world.regions()) {
      long inside =
          IntStream.range(0, table.rows())
              .filter(row -> region.contains().test(quantity -> table.column(quantity)[row]))
              .count();
      shares.put(region.name(), inside / (double) table.rows());
    }
    return shares;
  }

  public String text() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "coverage: %.1f %% of the cells of %s and %s visited, evenness %.3f",
                100 * visitedShare(),
                plane.x(),
                plane.y(),
                evenness()));
    if (nowhere > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "; in %,d of %,d measured states one of them is NaN, which is nowhere",
              nowhere,
              table.rows()));
    }
    regions()
        .forEach(
            (name, share) ->
                text.append(String.format(Locale.ROOT, "%n  %-13s %6.2f %%", name, 100 * share)));
    volume.ifPresent(filled -> text.append(System.lineSeparator()).append(filled.text()));
    return text.toString();
  }

  public ObjectNode json() {
    ObjectNode node = Json.object();
    node.put("x", plane.x()).put("y", plane.y());
    node.put("visitedShare", visitedShare()).put("evenness", evenness());
    node.put("statesMeasured", table.rows());
    if (!world.regions().isEmpty()) {
      ObjectNode rooms = node.putObject("rooms");
      regions().forEach((name, share) -> rooms.put(name.replace(' ', '_'), share));
    }
    volume.ifPresent(filled -> node.set("volume", filled.json()));
    return node;
  }

  /** Writes the picture and every quantity's range as a page. */
  public void writeReport(Path file, String provenance) {
    report(HtmlReport.titled("Experience in " + world.name()), provenance).writeTo(file);
  }

  /**
   * The same of data that was made of other data of its world, beside which its shares are told.
   */
  public void writeReport(Path file, String provenance, Coverage source) {
    Table shares = Table.of("", "", "source", "this data");
    shares.row(
        Table.text("cells visited, %"),
        Table.number(100 * source.visitedShare(), 1),
        Table.number(100 * visitedShare(), 1));
    shares.row(
        Table.text("evenness"), Table.number(source.evenness(), 3), Table.number(evenness(), 3));
    Map<String, Double> before = source.regions();
    regions()
        .forEach(
            (name, share) ->
                shares.row(
                    Table.text(name + ", %"),
                    Table.number(100 * before.get(name), 2),
                    Table.number(100 * share, 2)));
    volume.ifPresent(
        filled -> {
          VolumeCoverage sourceFilled = source.volume.orElseThrow();
          shares.row(
              Table.text("cells of %s visited".formatted(filled.name())),
              Table.text(Long.toString(sourceFilled.visited())),
              Table.text(Long.toString(filled.visited())));
          shares.row(
              Table.text("evenness in it"),
              Table.number(sourceFilled.evenness(), 3),
              Table.number(filled.evenness(), 3));
        });
    HtmlReport report = HtmlReport.titled("Balanced experience in " + world.name());
    report.section("What balancing changed").table(shares);
    report.figure(source.heatMap(), "The source: " + source.heatMapCaption());
    report(report, provenance).writeTo(file);
  }

  private HtmlReport report(HtmlReport report, String provenance) {
    Table ranges =
        Table.of("", "quantity", "unit", "mean", "std dev", "lowest", "median", "highest");
    for (Quantity quantity : world.quantities()) {
      Summary summary = Summary.of(table.column(quantity));
      ranges.row(
          Table.text(quantity.name()),
          Table.text(quantity.unit()),
          Table.number(summary.mean(), 4),
          Table.number(summary.standardDeviation(), 4),
          Table.number(summary.min(), 4),
          Table.number(summary.median(), 4),
          Table.number(summary.max(), 4));
    }
    report
        .lead(
            String.format(
                Locale.ROOT,
                "%,d transitions. Of %d cells, %.1f %% were visited; evenness %.3f (1 is everywhere equally).",
                transitions,
                counts.length,
                100 * visitedShare(),
                evenness()))
        .section("Where it went")
        .figure(heatMap(), heatMapCaption());
    volume.ifPresent(filled -> report.figure(filled.figure(), filled.caption()));
    return report.section("Every quantity").table(ranges).details("Provenance", provenance);
  }

  private HeatMap heatMap() {
    return new HeatMap(
        world.title(),
        label(plane.x()),
        label(plane.y()),
        plane.xLow(),
        plane.xHigh(),
        plane.yLow(),
        plane.yHigh(),
        PlaneCells.SIDE,
        counts);
  }

  private String heatMapCaption() {
    return String.format(
        Locale.ROOT,
        "States per cell, from %,d evenly spaced states; what lies outside is counted at the edge.",
        table.rows());
  }

  private String label(String quantity) {
    return label(world, quantity);
  }

  static String label(World world, String quantity) {
    String unit = world.quantity(quantity).unit();
    return unit.isEmpty() ? quantity : "%s (%s)".formatted(quantity, unit);
  }
}
