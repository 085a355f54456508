package dev.psm.lab.balance;

import dev.psm.core.UserError;
import dev.psm.core.env.Plane;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.Volume;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.lab.collect.PlaneCells;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cells that are to be visited equally: those in which coverage is counted. Of a world's volume
 * where it declares one, with one more cell for all that lies outside, and else of its plane.
 */
final class BalanceCells {
  private final List<Quantity> quantities;
  private final int count;
  private final Numbering numbering;

  private interface Numbering {
    int cell(double... values);
  }

  private BalanceCells(World world, Stream<String> names, int count, Numbering numbering) {
    this.quantities = names.map(world::quantity).toList();
    this.count = count;
    this.numbering = numbering;
  }

  static BalanceCells of(World world) {
    if (world.volume().isPresent()) {
      Volume volume = world.volume().get();
      int outside = volume.cells();
      return new BalanceCells(
          world,
          volume.axes().stream().map(Volume.Axis::quantity),
          outside + 1,
          values -> {
            int cell = volume.cell(values);
            return cell < 0 ? outside : cell;
          });
    }
    Plane plane =
        world
            .plane()
            .orElseThrow(
                () ->
                    UserError.invalid(
                        world instanceof StoredWorld
                            ? "'%s' is known here by its data alone, which does not say in which"
                                + " cells visits are counted; where a plugin or a robot's file"
                                + " declares it with a plane or a volume, add that"
                            : "%s declares neither a plane nor a volume, so there are no cells in"
                                + " which the visits of its data could be counted and balanced; a"
                                + " robot's plane stands in its .psm.json, a world's in plane()",
                        world.name()));
    PlaneCells cells = new PlaneCells(plane);
    return new BalanceCells(
        world,
        Stream.of(plane.x(), plane.y()),
        PlaneCells.COUNT,
        values -> {
          int cell = cells.cell(values[0], values[1]);
          if (cell == PlaneCells.NOWHERE) {
            throw UserError.invalid(
                "a state's %s or %s is NaN, so there is no cell that its visit counts for",
                plane.x(), plane.y());
          }
          return cell;
        });
  }

  /** What {@link #of(QuantityTable)} needs of every state. */
  List<Quantity> quantities() {
    return quantities;
  }

  int count() {
    return count;
  }

  /** The cell of every state. */
  int[] of(QuantityTable states) {
    double[][] columns = quantities.stream().map(states::column).toArray(double[][]::new);
    double[] values = new double[columns.length];
    int[] cells = new int[states.rows()];
    for (int row = 0; row < cells.length; row++) {
      for (int i = 0; i < values.length; i++) {
        values[i] = columns[i][row];
      }
      cells[row] = numbering.cell(values);
    }
    return cells;
  }
}
