package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredWorldTest {
  private static final Quantity X = new Quantity("x", "m", "where it is");
  private static final Quantity SPEED = new Quantity("speed", "m/s", "how fast it goes");

  /** With everything that a description can hold. */
  private static final StoredWorld CART =
      new StoredWorld(
          "cart",
          "a cart on a rail",
          4,
          new Space.Box(new float[] {-3, 0.1f}, new float[] {3, 0.7f}),
          List.of(X, SPEED),
          false,
          List.of(
              Formula.parse(
                      "exp(-distance(2)) * speed",
                      World.vocabulary(List.of(X, SPEED), List.of(), List.of(X)))
                  .task("arrive", "be fast near 2")),
          List.of(
              Formula.parse("-speed", World.vocabulary(List.of(SPEED), List.of(), List.of()))
                  .task("rest", "be slow")),
          List.of(X),
          250,
          0.05,
          0.95,
          6,
          Optional.of(List.of(0, 2)),
          Optional.empty());

  private static final StoredWorld TANK =
      StoredWorld.ofData("tank", List.of("heat", "level"), new Space.Discrete(4), 30);

  @TempDir Path folder;

  private Optional<StoredWorld> read(ObjectNode world) {
    Path file = folder.resolve("file.json");
    ObjectNode root = Json.object();
    root.set("world", world);
    Json.write(file, root);
    return StoredWorld.in(JsonField.read(file));
  }

  private void refused(String expected, Consumer<ObjectNode> change) {
    ObjectNode json = CART.toJson();
    change.accept(json);
    UserError error = assertThrows(UserError.class, () -> read(json));
    assertEquals(UserError.Kind.INVALID, error.kind());
    assertTrue(
        error.getMessage().startsWith(folder.resolve("file.json") + ", field world"),
        error.getMessage());
    assertTrue(error.getMessage().contains(expected), error.getMessage());
  }

  @Test
  void aDescriptionIsReadAsItWasWritten() {
    for (StoredWorld world : List.of(CART, TANK)) {
      StoredWorld read = read(world.toJson()).orElseThrow();
      assertEquals(world, read);
      assertEquals(world.quantities(), read.quantities());
      assertEquals(world.place(), read.place());
      assertEquals(world.discount(), read.discount());
      assertEquals(world.stateSize(), read.stateSize());
      assertArrayEquals(world.achievedGoal(), read.achievedGoal());
    }
    assertNotEquals(CART, TANK);
    StoredWorld cart = read(CART.toJson()).orElseThrow();
    assertArrayEquals(new float[] {0.1f}, new float[] {((Space.Box) cart.actionUnits()).low()[1]});
    assertArrayEquals(new float[] {-1, -1}, ((Space.Box) cart.actionSpace()).low());
    // At x = 2 all of the speed counts.
    assertEquals(5, cart.task("arrive").reward(quantity -> quantity.equals(X) ? 2 : 5));
  }

  @Test
  void furtherTasksAreKeptApartFromTasks() {
    StoredWorld read = read(CART.toJson()).orElseThrow();
    assertEquals(List.of("arrive"), read.tasks().stream().map(Task::name).toList());
    assertEquals(List.of("rest"), read.furtherTasks().stream().map(Task::name).toList());
    assertEquals(-5, read.task("rest").reward(quantity -> 5));
    assertEquals(read, StoredWorld.of(read));
    ObjectNode without = CART.toJson();
    without.remove("furtherTasks");
    StoredWorld older = read(without).orElseThrow();
    assertEquals(List.of(), older.furtherTasks());
    assertNotEquals(CART, older);
    refused(
        "world.furtherTasks[0].formula",
        json -> ((ObjectNode) json.at("/furtherTasks/0")).put("formula", "x +"));
    refused(
        "'arrive' is there twice",
        json -> ((ObjectNode) json.at("/furtherTasks/0")).put("name", "arrive"));
  }

  @Test
  void whatGoalsSpeakOfIsKept() {
    assertArrayEquals(new int[] {0, 2}, read(CART.toJson()).orElseThrow().achievedGoal());
    ObjectNode older = CART.toJson();
    older.remove("achievedGoal");
    StoredWorld unsaid = read(older).orElseThrow();
    assertEquals(Optional.empty(), unsaid.goalNumbers());
    assertArrayEquals(new int[] {0, 1, 2, 3}, unsaid.achievedGoal());
    assertEquals(CART, unsaid.withGoalsOf(CART));
    assertEquals(Optional.of(List.of(0, 1)), StoredWorld.of(TANK).goalNumbers());
    for (int[] wrong : new int[][] {{}, {2, 0}, {0, 0}, {0, 4}}) {
      refused("achieved goal of cart", json -> put(json.putArray("achievedGoal"), wrong));
    }
    refused("achievedGoal[0]", json -> put(json.putArray("achievedGoal"), -1));
  }

  private static void put(ArrayNode array, int... numbers) {
    Arrays.stream(numbers).forEach(array::add);
  }

  @Test
  void aWorldWhoseGoalsSpeakOfSomethingElseIsRefused() {
    ObjectNode json = StoredWorld.of(TANK).toJson();
    put(json.putArray("achievedGoal"), 0);
    StoredWorld ofHeat = read(json).orElseThrow();
    StoredWorld ofBoth = StoredWorld.of(TANK);
    String message = assertThrows(UserError.class, () -> ofHeat.requireSame(ofBoth)).getMessage();
    assertTrue(
        message.startsWith(
            "'tank' is described with goals of the numbers [0], but the environment of that name has"
                + " [0, 1] here"),
        message);
    ofHeat.requireSame(ofHeat);
    // An older description does not say.
    TANK.requireSame(ofHeat);
  }

  @Test
  void aFileWithoutDescriptionHasNone() {
    Path file = folder.resolve("old.json");
    Json.write(file, Json.object());
    assertEquals(Optional.empty(), StoredWorld.in(JsonField.read(file)));
  }

  @Test
  void aWorldIsDescribedByWhatItSaysOfItself() {
    StoredWorld grid = StoredWorld.of(Worlds.named("four-rooms"));
    assertEquals(new Space.Discrete(5), grid.actionSpace());
    assertEquals(grid, read(grid.toJson()).orElseThrow());
    assertSame(grid, StoredWorld.of(grid));
  }

  /** A world of somebody's own, of which one thing is measured. */
  private static World measuring(Quantity quantity, double stepSeconds) {
    return new World() {
      @Override
      public String name() {
        return "boat";
      }

      @Override
      public String title() {
        return "";
      }

      @Override
      public int observationSize() {
        return 1;
      }

      @Override
      public Space actionSpace() {
        return new Space.Discrete(2);
      }

      @Override
      public int episodeSteps() {
        return 10;
      }

      @Override
      public double stepSeconds() {
        return stepSeconds;
      }

      @Override
      public List<Quantity> quantities() {
        return List.of(quantity);
      }

      @Override
      public Environment open() {
        throw new UnsupportedOperationException();
      }
    };
  }

  @Test
  void unitsAndMeaningsMayBeLeftOut() {
    World boat = measuring(new Quantity("heading", "", ""), 0.1);
    StoredWorld described = StoredWorld.of(boat);
    assertEquals(described, read(described.toJson()).orElseThrow());
  }

  /** Whoever collects for an hour must not learn afterwards that nobody can read it. */
  @Test
  void whatCouldNotBeReadAgainIsRefusedAtOnce() {
    unreadable("quantities[0].meaning", measuring(new Quantity("heading", "", "a\nb"), 0.1));
    unreadable("quantities[0].unit", measuring(new Quantity("heading", null, ""), 0.1));
    unreadable("stepSeconds", measuring(new Quantity("heading", "", ""), Double.NaN));
  }

  private static void unreadable(String field, World world) {
    String message = assertThrows(UserError.class, () -> StoredWorld.of(world)).getMessage();
    assertTrue(message.startsWith("the world 'boat', field " + field + ": expected"), message);
  }

  @Test
  void nobodyCanActInIt() {
    String message = assertThrows(UserError.class, CART::open).getMessage();
    assertTrue(message.contains("no environment 'cart' to act in"), message);
  }

  @Test
  void theWorldThatIsKnownHereComesFirst() {
    World grid = Worlds.named("four-rooms");
    assertEquals(grid, Worlds.resolve("four-rooms", Optional.of(StoredWorld.of(grid))));
    assertSame(grid, Worlds.resolve("four-rooms", Optional.empty()));
    assertSame(TANK, Worlds.resolve("tank", Optional.of(TANK)));
    assertThrows(UserError.class, () -> Worlds.resolve("tank", Optional.empty()));
    assertSame(TANK, Worlds.resolve("gone/tank.xml", Optional.of(TANK)));
    assertThrows(UserError.class, () -> Worlds.resolve("tonk", Optional.of(TANK)));
  }

  @Test
  void anotherWorldOfTheSameNameIsRefused() {
    StoredWorld other =
        StoredWorld.ofData("four-rooms", List.of("row", "column"), new Space.Discrete(5), 9);
    String message =
        assertThrows(UserError.class, () -> Worlds.resolve("four-rooms", Optional.of(other)))
            .getMessage();
    assertTrue(message.contains("quantities [row, column]"), message);
    assertTrue(message.contains("has [row, col] here"), message);
  }

  @Test
  void whatCannotBeIsRefusedByItsField() {
    refused("unknown key 'naem'", json -> json.put("naem", "x"));
    refused("key 'discount' is missing", json -> json.remove("discount"));
    refused("world.discount: expected a number from 0 to below 1", json -> json.put("discount", 1));
    refused("world.stepSeconds", json -> json.put("stepSeconds", 0));
    refused("world.observationSize", json -> json.put("observationSize", 0));
    refused("expected a quantity, found \"z\"", json -> json.putArray("place").add("z"));
    refused(
        "world.tasks[0].formula", json -> ((ObjectNode) json.at("/tasks/0")).put("formula", "x +"));
    refused("'x' is there twice", json -> ((ObjectNode) json.at("/quantities/1")).put("name", "x"));
    refused(
        "world.actions.high: expected 2 numbers",
        json -> json.withObject("/actions").putArray("high"));
    refused(
        "the lower one first", json -> json.withObject("/actions").putArray("low").add(9).add(9));
    refused("expected true or false", json -> json.put("quantitiesObserved", 1));
    refused("expected a quantity for each", json -> json.put("quantitiesObserved", true));
  }

  @Test
  void scalingGoesBothWays() {
    ActionScaling units = ActionScaling.of(CART).orElseThrow();
    float[] outside = {-3, 0.1f, 3, 0.7f, 1.5f, 0.25f};
    assertArrayEquals(outside, units.toUnits(units.fromUnits(outside)), 1e-6f);
    assertArrayEquals(new float[] {-1, -1, 1, 1, 0.5f, -0.5f}, units.fromUnits(outside), 1e-6f);
    assertTrue(ActionScaling.of(TANK).isEmpty());
    assertTrue(ActionScaling.of(Walk.WORLD).isEmpty());
  }
}
