package dev.psm.lab;

import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridQuantities;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import java.util.List;

/** Every free cell of a grid, once. */
public record GridStates(GridMap map) implements StateSource {
  @Override
  public String description() {
    return "all free cells of " + map.name();
  }

  @Override
  public QuantityTable measure(List<Quantity> quantities) {
    return GridQuantities.cells(map);
  }
}
