package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The built-in tasks, written in the reward language, pay what the built-in ones pay. */
class TaskFormulasTest {
  private static final double TOLERANCE = 1e-12;
  private static final double[] EXTREMES = {
    0, -0.0, 1, -1, 1e-300, 1e300, -1e300, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
  };

  static Stream<RobotWorld> domains() {
    return Robots.all().stream();
  }

  private static List<Formula> formulas(RobotWorld facts) {
    return facts.namedTasks().stream()
        .map(task -> Formula.parse(task.formula(), facts.vocabulary()))
        .toList();
  }

  private static void assertAllEqual(
      RobotWorld facts, List<Formula> formulas, Readings state, double tolerance) {
    for (int i = 0; i < formulas.size(); i++) {
      Task task = facts.namedTasks().get(i);
      double expected = task.reward(state);
      assertEquals(expected, formulas.get(i).value(state), tolerance, task.name());
    }
  }

  @Test
  void thereAreTheSixteenOfThePaperAndTwoForTheArm() {
    assertEquals(16, domains().limit(4).mapToInt(facts -> facts.tasks().size()).sum());
    assertEquals(2, Robots.named("fetchreach").tasks().size());
  }

  @ParameterizedTest
  @MethodSource("domains")
  void onlineUnderRandomControls(RobotWorld facts) {
    List<Formula> formulas = formulas(facts);
    RandomGenerator random = Seeds.generator(3);
    try (PhysicsEnvironment environment = new PhysicsEnvironment(facts.openDomain())) {
      for (int episode = 0; episode < 3; episode++) {
        Robots.reset(environment, episode);
        for (int step = 0; step < Math.min(200, facts.episodeSteps()); step++) {
          environment.step(Robots.action(facts, random));
          assertAllEqual(facts, formulas, environment, TOLERANCE);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void aFormulaMayNameTasks(RobotWorld facts) {
    Task first = facts.namedTasks().get(0);
    Task last = facts.namedTasks().get(facts.namedTasks().size() - 1);
    Formula whole = Formula.parse(first.formula(), facts.vocabulary());
    Formula other = Formula.parse(last.formula(), facts.vocabulary());
    Quantity quantity = facts.quantities().get(0);
    Formula sum =
        Formula.parse("2 * %s - %s^2".formatted(first.name(), last.name()), facts.vocabulary());
    Formula gated =
        Formula.parse(
            "%s * (%s > 0.1)".formatted(last.name(), quantity.name()), facts.vocabulary());
    RandomGenerator random = Seeds.generator(5);
    for (int i = 0; i < 100; i++) {
      Map<Quantity, Double> state = new HashMap<>();
      facts.quantities().forEach(each -> state.put(each, random.nextDouble(-2, 2)));
      double a = whole.value(state::get);
      double b = other.value(state::get);
      assertEquals(2 * a - b * b, sum.value(state::get), TOLERANCE);
      assertEquals(state.get(quantity) > 0.1 ? b : 0, gated.value(state::get), TOLERANCE);
    }
  }

  /** Of tasks by name and of examples, here and on the grids: their sum or product is the whole. */
  @Test
  void thePartsOfARewardMakeItUp() {
    RandomGenerator random = Seeds.generator(6);
    int split = 0;
    for (World world : Worlds.all()) {
      List<String> texts = new ArrayList<>(world.examples());
      world.tasks().stream().map(Task::name).forEach(texts::add);
      for (String text : texts) {
        Formula whole = Formula.parse(text, world.vocabulary());
        List<Formula> parts = whole.parts(world.vocabulary());
        boolean sum = true;
        boolean product = true;
        for (int i = 0; i < 100; i++) {
          Map<Quantity, Double> state = someState(world, random);
          double value = whole.value(state::get);
          double[] values = parts.stream().mapToDouble(part -> part.value(state::get)).toArray();
          sum &= Math.abs(value - Arrays.stream(values).sum()) < TOLERANCE;
          product &= Math.abs(value - Arrays.stream(values).reduce(1, (a, b) -> a * b)) < TOLERANCE;
        }
        assertTrue(parts.isEmpty() || sum || product, world.name() + ": " + text + parts);
        split += parts.isEmpty() ? 0 : 1;
      }
    }
    assertTrue(split >= 8, "only " + split + " have parts");
  }

  /** On a grid a cell; elsewhere quantities take values that no state need have. */
  private static Map<Quantity, Double> someState(World world, RandomGenerator random) {
    Map<Quantity, Double> state = new HashMap<>();
    int row = world.allStates().map(all -> random.nextInt(all.rows())).orElse(0);
    for (Quantity quantity : world.quantities()) {
      state.put(
          quantity,
          world
              .allStates()
              .map(all -> all.column(quantity)[row])
              .orElseGet(() -> random.nextDouble(-2, 2)));
    }
    return state;
  }

  @Test
  void whatIsWrongWithATaskInAFormulaIsToldOfItsName() {
    RobotWorld walker = Robots.named("walker");
    assertMessage(
        "'walk' is not a function; to multiply, write walk * (...)",
        () -> walker.taskOrFormula("2 + walk(upright)"));
    assertMessage(
        "there is no quantity or task 'wakl'; did you mean 'walk'?",
        () -> walker.taskOrFormula("stand + wakl"));
    // The formula that passes the bound is the task's; the place is that of its name.
    String many = "walk" + " + walk".repeat(400);
    UserError error = assertThrows(UserError.class, () -> walker.taskOrFormula(many));
    assertTrue(error.getMessage().contains("too much to work out"), error.getMessage());
  }

  private static void assertMessage(String words, Runnable use) {
    String message = assertThrows(UserError.class, use::run).getMessage();
    assertTrue(message.contains(words), message);
  }

  @ParameterizedTest
  @MethodSource("domains")
  void onStoredStates(RobotWorld facts) {
    List<Formula> formulas = formulas(facts);
    RandomGenerator random = Seeds.generator(4);
    int rows = 300;
    QuantityTable table = new QuantityTable(facts.quantities(), rows);
    try (Domain domain = facts.openDomain()) {
      for (int row = 0; row < rows; row++) {
        domain.start(random);
        double[] physics = domain.physics();
        for (int i = 0; i < physics.length; i++) {
          physics[i] += random.nextGaussian() * (row % 3) / 2;
        }
        domain.recall(physics, 0);
        assertAllEqual(facts, formulas, domain, TOLERANCE);
        table.measure(row, domain);
      }
    }
    for (int i = 0; i < formulas.size(); i++) {
      double[] expected = table.rewards(facts.namedTasks().get(i));
      double[] found = formulas.get(i).of(table);
      for (int row = 0; row < rows; row++) {
        assertEquals(expected[row], found[row], TOLERANCE);
      }
    }
  }

  /** No engine is asked here, so quantities take values that no state would have. */
  @ParameterizedTest
  @MethodSource("domains")
  void onNumbersOutOfTheBlue(RobotWorld facts) {
    List<Formula> formulas = formulas(facts);
    RandomGenerator random = Seeds.generator(5);
    for (int row = 0; row < 5_000; row++) {
      Map<Quantity, Double> state = new HashMap<>();
      for (Quantity quantity : facts.quantities()) {
        state.put(
            quantity,
            random.nextInt(10) == 0
                ? EXTREMES[random.nextInt(EXTREMES.length)]
                : random.nextGaussian() * Math.pow(10, random.nextInt(-3, 3)));
      }
      if (facts.name().equals("point_mass_maze")) {
        measureDistances(facts, state);
      }
      assertAllEqual(facts, formulas, state::get, 0);
    }
  }

  /** The built-in tasks of the maze read distances, which are not free when the place is given. */
  private static void measureDistances(RobotWorld facts, Map<Quantity, Double> state) {
    for (String vertical : List.of("top", "bottom")) {
      for (String side : List.of("left", "right")) {
        double dx = state.get(PointMassMaze.X) - (side.equals("left") ? -0.15 : 0.15);
        double dy = state.get(PointMassMaze.Y) - (vertical.equals("top") ? 0.15 : -0.15);
        state.put(
            facts.quantity("distance_" + vertical + "_" + side), Math.sqrt(dx * dx + dy * dy));
      }
    }
  }

  @Test
  void distanceIsMeasuredFromWhereTheThingIs() {
    Map<String, List<String>> places =
        Map.of(
            "point_mass_maze", List.of("x", "y"),
            "quadruped", List.of("torso_x", "torso_y"),
            "fetchreach", List.of("gripper_x", "gripper_y", "gripper_z"));
    places.forEach(
        (name, place) -> {
          RobotWorld facts = Robots.named(name);
          String call = "distance(" + "0, ".repeat(place.size() - 1) + "0)";
          assertEquals(
              place.stream().map(facts::quantity).toList(),
              Formula.parse(call, facts.vocabulary()).quantities());
        });
    assertThrows(
        UserError.class, () -> Formula.parse("distance(0)", Robots.named("walker").vocabulary()));
  }

  @Test
  void aRewardIsATaskByNameOrAFormula() {
    RobotWorld walker = Robots.named("walker");
    assertEquals(walker.task("run"), walker.taskOrFormula(" run "));
    Task own = walker.taskOrFormula("upright * clip(velocity_x / 4, 0, 1)");
    assertEquals("upright * clip(velocity_x / 4, 0, 1)", own.name());
    assertEquals(
        List.of("upright", "pi"),
        Stream.of("upright", "pi").map(text -> walker.taskOrFormula(text).formula()).toList());
    assertTrue(
        assertThrows(UserError.class, () -> walker.taskOrFormula("rnu"))
            .getMessage()
            .contains("run"));
    assertMessage(
        "there is no quantity or task 'Upright'; did you mean 'upright'?",
        () -> walker.taskOrFormula("Upright"));
    assertEquals(0.5, own.reward(quantity -> quantity.name().equals("upright") ? 1 : 2));
    UserError error =
        assertThrows(UserError.class, () -> walker.taskOrFormula("upright * velocityx"));
    assertTrue(error.getMessage().contains("did you mean 'velocity_x'?"), error.getMessage());
  }
}
