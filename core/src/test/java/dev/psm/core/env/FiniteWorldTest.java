package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FiniteWorldTest {
  private static final GridWorld ROOM =
      new GridWorld(GridMap.parse("a-room", "....\n.#..\n....\n"));

  /** What value iteration calls optimal is what lies on a shortest path. */
  @ParameterizedTest
  @ValueSource(strings = {"gridworld", "four-rooms", "spiral"})
  void theGeneralOracleAgreesWithShortestPaths(String map) {
    GridWorld world = new GridWorld(GridMap.named(map));
    GoalOracle general = GoalOracle.of(world.mdp(0.98));
    GoalOracle paths = world.goalOracle(0.98);
    for (int goal = 0; goal < world.stateCount(); goal += 17) {
      for (int state = 0; state < world.stateCount(); state++) {
        for (int action = 0; action < GridMap.ACTION_COUNT; action++) {
          assertEquals(
              paths.isOptimal(goal, state, action),
              general.isOptimal(goal, state, action),
              "goal %d, state %d, action %d".formatted(goal, state, action));
        }
      }
    }
  }

  @Test
  void itsTransitionsAreItsData() {
    TransitionTable table = FiniteWorld.transitions(ROOM, 0.9);
    assertArrayEquals(ROOM.map().observation(3), table.observations()[3]);
    assertEquals(0.9, table.mdp().discount());
    assertEquals(table.fingerprint(), FiniteWorld.transitions(ROOM, 0.5).fingerprint());
    assertNotEquals(
        table.fingerprint(), FiniteWorld.transitions(new Corridor(), 0.9).fingerprint());
  }

  @ParameterizedTest
  @CsvSource({
    "sameLook,'states state 0 and state 2 look the same'",
    "nan,'finite observations, found NaN'",
    "wide,'observations of 1 numbers, found 2'",
    "fewActions,'dynamics of 3 actions, found 2'",
    "vectors,'expected numbered actions, found vectors from [-1.0, -1.0] to [1.0, 1.0];'",
    "ownDiscount,'dynamics with the discount that mdp(…) is given, 0.9, found 0.5;'",
    "unmeasured,'quantities of 3 states, found 0'",
    "manyStates,'dynamics of 4 states, found 3'",
    "noStates,'at least one state, found 0'"
  })
  void aWorldThatContradictsItselfIsRefused(String lie, String words) {
    String message =
        assertThrows(UserError.class, () -> FiniteWorld.transitions(new Corridor(lie), 0.9))
            .getMessage();
    assertTrue(message.contains("world corridor: ") && message.contains(words), message);
  }

  /** A map of the user's is no file any more once a model has it: the model brings it along. */
  @Test
  void aMapComesBackFromItsDescription() {
    ObjectNode root = Json.object();
    root.set("world", StoredWorld.of(ROOM).toJson());
    Optional<StoredWorld> read = StoredWorld.in(JsonField.of(Path.of("model.json"), root));
    assertEquals(ROOM, Worlds.resolve(ROOM.reference(), read));
  }

  /** A slippery corridor of three states: chance is no obstacle to an exact oracle. */
  @Test
  void worldsNeedNotBeGridsNorCertain() {
    FiniteWorld corridor = new Corridor();
    GoalOracle oracle = corridor.goalOracle(0.98);
    assertEquals(0, oracle.error(2, new int[] {1, 1, 1}));
    assertEquals(100, oracle.error(2, new int[] {0, 0, 0}), 1e-9);
  }

  /** Left and right, and one step in ten goes the other way. */
  private static final class Corridor implements FiniteWorld {
    private static final Quantity AT = new Quantity("at", "1", "where it is");
    private final String lie;

    Corridor() {
      this("");
    }

    Corridor(String lie) {
      this.lie = lie;
    }

    @Override
    public String name() {
      return "corridor";
    }

    @Override
    public String title() {
      return "three states in a row";
    }

    @Override
    public int observationSize() {
      return 1;
    }

    @Override
    public Space actionSpace() {
      return lie.equals("vectors")
          ? Space.Box.uniform(-1, 1, 2)
          : new Space.Discrete(lie.equals("fewActions") ? 3 : 2);
    }

    @Override
    public int episodeSteps() {
      return 10;
    }

    @Override
    public List<Quantity> quantities() {
      return List.of(AT);
    }

    @Override
    public int stateCount() {
      return lie.equals("manyStates") ? 4 : lie.equals("noStates") ? 0 : 3;
    }

    @Override
    public FiniteMdp mdp(double discount) {
      FiniteMdp.Builder builder =
          FiniteMdp.builder(3, 2, lie.equals("ownDiscount") ? 0.5 : discount);
      for (int state = 0; state < 3; state++) {
        int[] next = {Math.max(0, state - 1), Math.min(2, state + 1)};
        builder.row(state, 0, next, new double[] {0.9, 0.1});
        builder.row(state, 1, next, new double[] {0.1, 0.9});
      }
      return builder.build();
    }

    @Override
    public float[] observation(int state) {
      return switch (lie) {
        case "sameLook" -> new float[] {state % 2};
        case "nan" -> new float[] {Float.NaN};
        case "wide" -> new float[2];
        default -> new float[] {state};
      };
    }

    @Override
    public Optional<QuantityTable> allStates() {
      if (lie.equals("unmeasured")) {
        return Optional.empty();
      }
      QuantityTable table = new QuantityTable(List.of(AT), 3);
      for (int state = 0; state < 3; state++) {
        table.column(AT)[state] = state;
      }
      return Optional.of(table);
    }

    @Override
    public Environment open() {
      throw new UnsupportedOperationException();
    }
  }
}
