package dev.psm.core.env;

import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.formula.Vocabulary;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A grid map as a world: five numbered actions, cells observed by their coordinates. */
public record GridWorld(GridMap map) implements FiniteWorld {
  private static final String KIND = "grid";

  /** The maps that come with psm, and any text file as a map of the user's. */
  public static final class Source implements WorldSource {
    @Override
    public List<World> worlds() {
      return GridMap.NAMES.stream()
          .map(name -> (World) new GridWorld(GridMap.named(name)))
          .toList();
    }

    /** Maps are text of any name, so whatever nobody else claims is read as one. */
    @Override
    public boolean reads(Path file) {
      return true;
    }

    @Override
    public World read(Path file) {
      return new GridWorld(GridMap.read(file));
    }

    @Override
    public Optional<World> define(Definition definition, String name) {
      return definition.kind().equals(KIND)
          ? Optional.of(new GridWorld(GridMap.parse(name, definition.text())))
          : Optional.empty();
    }
  }

  @Override
  public String name() {
    return map.name();
  }

  @Override
  public String title() {
    return "grid of %d by %d cells, %d of them free"
        .formatted(map.width(), map.height(), map.freeCellCount());
  }

  @Override
  public int observationSize() {
    return 2;
  }

  @Override
  public Space actionSpace() {
    return new Space.Discrete(GridMap.ACTION_COUNT);
  }

  @Override
  public int episodeSteps() {
    return GridEnvironment.HORIZON;
  }

  @Override
  public int stateSize() {
    return 1;
  }

  @Override
  public int stateCount() {
    return map.freeCellCount();
  }

  @Override
  public FiniteMdp mdp(double discount) {
    return map.toMdp(discount);
  }

  @Override
  public float[] observation(int state) {
    return map.observation(state);
  }

  @Override
  public String stateName(int state) {
    return map.row(state) + "," + map.column(state);
  }

  /** Written {@code row,column}, both counted from 0. */
  @Override
  public int stateNamed(String text) {
    return map.goal(text);
  }

  @Override
  public List<String> actionNames() {
    return List.of("up", "right", "down", "left", "stay");
  }

  @Override
  public String draw(int[] actions, int goal) {
    return GridArrows.draw(map, state -> actions[state], goal);
  }

  @Override
  public GoalOracle goalOracle(double discount) {
    return new GridOracle(map);
  }

  @Override
  public Optional<Definition> definition() {
    return Optional.of(new Definition(KIND, String.join("\n", map.lines())));
  }

  @Override
  public List<Quantity> quantities() {
    return List.of(GridQuantities.ROW, GridQuantities.COLUMN);
  }

  @Override
  public Optional<QuantityTable> allStates() {
    return Optional.of(GridQuantities.cells(map));
  }

  @Override
  public Vocabulary vocabulary() {
    return GridQuantities.vocabulary(map);
  }

  @Override
  public Optional<Plane> plane() {
    return Optional.of(
        new Plane(
            GridQuantities.COLUMN.name(),
            0,
            map.width(),
            GridQuantities.ROW.name(),
            0,
            map.height()));
  }

  @Override
  public List<String> examples() {
    int middle = map.freeCellCount() / 2;
    int last = map.freeCellCount() - 1;
    return List.of(
        "row == %d && col == %d".formatted(map.row(last), map.column(last)),
        "exp(-distance(%d, %d) / 3) - 0.1 * (row < 2)"
            .formatted(map.row(middle), map.column(middle)));
  }

  @Override
  public Environment open() {
    return new GridEnvironment(map);
  }
}
