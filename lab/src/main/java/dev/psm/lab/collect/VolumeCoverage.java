package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.Volume;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.QuantityTable;
import dev.psm.view.report.Figure;
import dev.psm.view.report.SliceMaps;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** How data fills a world's volume: which of its cells were entered, and how evenly. */
public final class VolumeCoverage {
  private final World world;
  private final Volume volume;
  private final int states;
  private final long[] counts;

  VolumeCoverage(World world, Volume volume, QuantityTable table) {
    this.world = world;
    this.volume = volume;
    states = table.rows();
    counts = new long[volume.cells()];
    double[][] columns =
        volume.axes().stream()
            .map(axis -> table.column(world.quantity(axis.quantity())))
            .toArray(double[][]::new);
    for (int row = 0; row < states; row++) {
      int cell = volume.cell(columns[0][row], columns[1][row], columns[2][row]);
      if (cell >= 0) {
        counts[cell]++;
      }
    }
  }

  /** What it is, for sentences. */
  String name() {
    return volume.name();
  }

  /** Cells that were ever entered. */
  public long visited() {
    return Coverage.visited(counts);
  }

  /** All cells. */
  public int cells() {
    return counts.length;
  }

  /** Share of the measured states that lie inside. */
  public double insideShare() {
    return Arrays.stream(counts).sum() / (double) states;
  }

  /** How evenly the states inside are spread: 1 is everywhere equally. */
  public double evenness() {
    return visited() == 0 ? 0 : Coverage.evenness(counts);
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "  %s: %d of %d cells visited (%.1f %%), evenness %.3f, %.1f %% of states inside",
        volume.name(),
        visited(),
        cells(),
        100.0 * visited() / cells(),
        evenness(),
        100 * insideShare());
  }

  ObjectNode json() {
    ObjectNode node = Json.object().put("name", volume.name()).put("cell", volume.cell());
    node.put("cells", cells()).put("visited", visited());
    node.put("visitedShare", visited() / (double) cells()).put("evenness", evenness());
    return node.put("insideShare", insideShare());
  }

  /** Its slices along the last axis, side by side. */
  public Figure figure() {
    Volume.Axis x = volume.axes().get(0);
    Volume.Axis y = volume.axes().get(1);
    Volume.Axis z = volume.axes().get(2);
    List<String> slices =
        IntStream.range(0, volume.cells(2))
            .mapToObj(
                i ->
                    String.format(
                        Locale.ROOT,
                        "%.2f to %.2f",
                        z.low() + i * volume.cell(),
                        z.low() + (i + 1) * volume.cell()))
            .toList();
    return new SliceMaps(
        "%s of %s, by %s"
            .formatted(volume.name(), world.name(), Coverage.label(world, z.quantity())),
        Coverage.label(world, x.quantity()),
        Coverage.label(world, y.quantity()),
        x.low(),
        x.high(),
        y.low(),
        y.high(),
        slices,
        volume.cells(0),
        counts);
  }

  String caption() {
    return String.format(
        Locale.ROOT,
        "States per cell of %s, in slices of %s: %d of %d cells were visited, evenness %.3f; %.1f %% of"
            + " the states lie inside.",
        volume.name(),
        volume.axes().get(2).quantity(),
        visited(),
        cells(),
        evenness(),
        100 * insideShare());
  }
}
