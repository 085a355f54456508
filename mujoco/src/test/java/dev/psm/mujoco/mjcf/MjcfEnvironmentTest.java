package dev.psm.mujoco.mjcf;

import static dev.psm.mujoco.mjcf.Models.SENSORS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.PoseCoordinate;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.Scenery;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Episodes in a user's model. */
class MjcfEnvironmentTest {
  private static final int ROWS = 1200;

  @TempDir Path folder;

  private static float[] action(RandomGenerator random) {
    return new float[] {2 * random.nextFloat() - 1, 2 * random.nextFloat() - 1};
  }

  /** The whole force on the ball and gravity, as long as the control step lasts. */
  @Test
  void aPushedBallFlies() {
    World cart = Models.cart(folder, "");
    try (Environment environment = cart.open()) {
      environment.reset(Seeds.generator(0));
      double[] aloft = environment.state();
      aloft[4] = 1;
      Arrays.fill(aloft, 9, aloft.length, 0);
      environment.start(aloft);
      Scenery scenery = environment.scenery(Task.unpaid("none")).orElseThrow();
      List<Placed> shapes = scenery.shapes();
      int ball =
          IntStream.range(0, shapes.size())
              .filter(i -> shapes.get(i).shape().kind() == Shape.Kind.SPHERE)
              .findFirst()
              .orElseThrow();
      assertTrue(scenery.canBePushed(ball));
      double[] top = shapes.get(ball).position();
      top[2] += 0.1;
      scenery.push(ball, top, new double[] {3, 0, 10});
      environment.step(new float[2]);
      double seconds = cart.stepSeconds();
      assertEquals(3 / 0.1 * seconds, read(cart, environment, "ball_velocity_x"), 1e-9);
      assertEquals((10 / 0.1 - 9.81) * seconds, read(cart, environment, "ball_velocity_z"), 1e-9);
      double inertia = 0.4 * 0.1 * 0.1 * 0.1;
      int spin = 9 + 2 + 4;
      assertEquals(0.1 * 3 / inertia * seconds, environment.state()[spin], 1e-6);
      environment.step(new float[2]);
      assertEquals(3 / 0.1 * seconds, read(cart, environment, "ball_velocity_x"), 1e-9);
    }
  }

  private static double read(World world, Environment environment, String quantity) {
    return environment.get(world.quantity(quantity));
  }

  @Test
  void jointsPoseAModelAndOfAFreeOneTheHeight() {
    try (Environment environment = Models.cart(folder, SENSORS).open()) {
      assertEquals(
          List.of(
              new PoseCoordinate("rail", 0, -1, 1, "m"),
              new PoseCoordinate("pole", 1, -Math.PI, Math.PI, "rad"),
              new PoseCoordinate("ball_height", 4, 0, 2, "m")),
          environment.pose());
      environment.reset(Seeds.generator(0));
      double[] state = environment.state();
      state[4] = 1.5;
      environment.start(state);
      assertEquals(1.5, environment.state()[4]);
    }
  }

  @Test
  void aModelsShapesStayTheSameWhileTheyMove() {
    List<World> worlds =
        List.of(
            Models.cart(folder, SENSORS),
            Models.read(Path.of("../examples/mjcf/copter.xml")),
            Models.read(Path.of("../examples/mjcf/crawler.xml")));
    for (World world : worlds) {
      try (Environment environment = world.open()) {
        RandomGenerator random = Seeds.generator(3);
        environment.reset(random);
        Scenery scenery = environment.scenery(Task.unpaid("none")).orElseThrow();
        List<Shape> first = scenery.shapes().stream().map(Placed::shape).toList();
        boolean ended = false;
        for (int i = 0; i < 300 && !ended; i++) {
          float[] action = new float[world.actionSize()];
          for (int j = 0; j < action.length; j++) {
            action[j] = 2 * random.nextFloat() - 1;
          }
          ended = environment.step(action).ended();
          assertEquals(first, scenery.shapes().stream().map(Placed::shape).toList());
        }
      }
    }
  }

  @Test
  void startsAreSpreadOverTheirRangesAndNotBeyond() {
    World cart =
        Models.cart(
            folder,
            "",
            """
            {"resetNoise": 0.1,
             "resetRanges": {"rail_position": [-1, -0.5], "ball_z": [1, 2], "activation_0": [0, 1]}}
            """);
    double[] lows = {-1, -0.1, 0.5, 1, -0.1, 0};
    double[] highs = {-0.5, 0.1, 0.5, 2, 0.1, 1};
    String[] names = {
      "rail_position", "pole_position", "ball_x", "ball_z", "ball_velocity_x", "activation_0"
    };
    double[] least = new double[names.length];
    double[] most = new double[names.length];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(most, Double.NEGATIVE_INFINITY);
    try (Environment environment = cart.open()) {
      RandomGenerator random = Seeds.generator(1);
      for (int i = 0; i < 300; i++) {
        environment.reset(random);
        for (int j = 0; j < names.length; j++) {
          double value = environment.get(cart.quantity(names[j]));
          least[j] = Math.min(least[j], value);
          most[j] = Math.max(most[j], value);
        }
      }
    }
    for (int j = 0; j < names.length; j++) {
      double slack = 0.05 * (highs[j] - lows[j]);
      assertTrue(least[j] >= lows[j] && least[j] <= lows[j] + slack, names[j] + least[j]);
      assertTrue(most[j] <= highs[j] && most[j] >= highs[j] - slack, names[j] + most[j]);
    }
  }

  @Test
  void noiseStaysWithinTheJointsLimitsAndIsSmallByDefault() throws IOException {
    Models.write(folder, "cart.psm.json", "{\"resetNoise\": 5}");
    assertTrue(Math.abs(farthest(Models.cart(folder, ""), "rail_position")) <= 1);
    assertTrue(Math.abs(farthest(Models.cart(folder, ""), "pole_position")) > 1);
    Files.delete(folder.resolve("cart.psm.json"));
    double usual = Math.abs(farthest(Models.cart(folder, ""), "pole_position"));
    assertTrue(usual <= 0.01 && usual > 0.005, "found " + usual);
  }

  private static double farthest(World world, String name) {
    double farthest = 0;
    try (Environment environment = world.open()) {
      RandomGenerator random = Seeds.generator(2);
      for (int i = 0; i < 50; i++) {
        environment.reset(random);
        farthest = Math.max(farthest, Math.abs(environment.get(world.quantity(name))));
      }
    }
    return farthest;
  }

  @Test
  void theFirstKeyframeIsWhereEpisodesBegin() {
    String keys =
        """
        <keyframe>
          <key qpos="0.3 1.5 0 0 2 1 0 0 0" qvel="0 0 1 0 0 0 0 0" act="0.7"/>
          <key qpos="0 0 0 0 5 1 0 0 0"/>
        </keyframe>
        """;
    World cart = Models.cart(folder, keys, "{\"resetNoise\": 0}");
    try (Environment environment = cart.open()) {
      environment.reset(Seeds.generator(0));
      double[] expected = {0.3, 1.5, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0.7};
      assertArrayEquals(expected, environment.state());
    }
  }

  /** Also accelerations, forces and the time, which no state of the engine tells. */
  @Test
  void storedStatesMeasureWhatWasMeasuredWhileStepping() {
    World cart = Models.cart(folder, SENSORS);
    int size = cart.stateSize();
    List<Quantity> quantities = cart.quantities();
    double[] states = new double[ROWS * size];
    double[][] measured = new double[quantities.size()][ROWS];
    RandomGenerator random = Seeds.generator(3);
    try (Environment environment = cart.open()) {
      environment.reset(random);
      for (int row = 0; row < ROWS; row++) {
        if (row % 200 == 0) {
          environment.reset(random);
        } else {
          environment.step(action(random));
        }
        System.arraycopy(environment.state(), 0, states, row * size, size);
        for (int i = 0; i < measured.length; i++) {
          measured[i][row] = environment.get(quantities.get(i));
        }
      }
    }
    QuantityTable again =
        new Relabelling(cart, 2, (done, total) -> {}).quantities(quantities, states);
    for (int i = 0; i < measured.length; i++) {
      // The engine normalises the ball's quaternion once more.
      assertArrayEquals(
          measured[i], again.column(quantities.get(i)), 1e-13, quantities.get(i).name());
    }
    for (String name : new String[] {"felt_0", "effort", "time", "_2nd_touch"}) {
      double[] column = again.column(cart.quantity(name));
      assertNotEquals(column[10], column[500], name + " is no constant");
    }
  }

  @Test
  void anActionIsStretchedOntoItsActuatorsRange() {
    World cart = Models.cart(folder, SENSORS);
    for (float[] pair : new float[][] {{-1, -5}, {0, 5}, {1, 15}}) {
      try (Environment environment = cart.open()) {
        environment.reset(Seeds.generator(0));
        environment.step(new float[] {pair[0], 0});
        // A force of gear 5 times a control from -1 to 3, which the sensor tells without the gear.
        assertEquals(pair[1] / 5, environment.get(cart.quantity("effort")), 1e-12);
      }
    }
  }

  private static List<float[]> play(World world, long seed) {
    List<float[]> seen = new ArrayList<>();
    try (Environment environment = world.open()) {
      RandomGenerator random = Seeds.generator(seed);
      seen.add(environment.reset(random));
      for (int i = 0; i < 300; i++) {
        seen.add(environment.step(action(random)).observation());
      }
    }
    return seen;
  }

  @Test
  void twoThreadsPlayAtOnceWhatOnePlaysAlone() throws InterruptedException {
    World cart = Models.cart(folder, SENSORS);
    List<List<float[]>> together = new ArrayList<>(List.of(List.of(), List.of()));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int seed = i;
      threads.add(new Thread(() -> together.set(seed, play(cart, seed))));
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int seed = 0; seed < 2; seed++) {
      assertArrayEquals(play(cart, seed).toArray(), together.get(seed).toArray());
    }
  }

  @Test
  void aWorldThatWasReadDoesNotChangeWithItsFile() throws IOException {
    World cart = Models.cart(folder, SENSORS);
    List<float[]> before = play(cart, 5);
    Files.delete(folder.resolve("cart.xml"));
    assertArrayEquals(before.toArray(), play(cart, 5).toArray());
  }

  @Test
  void meshesAreDrawnAsTheirBoxesAndAnUnnamedPlaneAsTheGround() {
    Models.write(
        folder,
        "wedge.obj",
        """
        v -0.1 -0.2 -0.3
        v 0.1 -0.2 -0.3
        v -0.1 0.2 -0.3
        v 0.1 0.2 -0.3
        v 0 0 0.3
        f 1 3 2
        f 2 3 4
        f 1 2 5
        f 2 4 5
        f 4 3 5
        f 3 1 5
        """);
    String text =
        Models.CART
            .formatted("<asset><mesh name=\"wedge\" file=\"wedge.obj\"/></asset>")
            .replace("<geom size=\"0.1\" mass=\"0.1\"/>", "<geom type=\"mesh\" mesh=\"wedge\"/>");
    World cart = Models.read(Models.write(folder, "mesh.xml", text));
    try (Environment environment = cart.open()) {
      environment.reset(Seeds.generator(0));
      Scenery scenery = environment.scenery(Task.unpaid("none")).orElseThrow();
      List<Shape.Kind> kinds = scenery.shapes().stream().map(each -> each.shape().kind()).toList();
      assertEquals(2, kinds.stream().filter(Shape.Kind.BOX::equals).count(), "cart and mesh");
      assertEquals(1, kinds.stream().filter(Shape.Kind.PLANE::equals).count());
      Placed mesh =
          scenery.shapes().stream()
              .filter(each -> each.shape().kind() == Shape.Kind.BOX)
              .reduce((first, last) -> last)
              .orElseThrow();
      double volume = mesh.shape().sizeX() * mesh.shape().sizeY() * mesh.shape().sizeZ();
      assertTrue(volume >= 0.1 * 0.2 * 0.3 - 1e-9 && volume < 0.02, "found " + volume);
    }
  }

  @Test
  void whatIsCalledATargetIsDrawnWhereItIs() {
    String text =
        Models.CART
            .formatted("")
            .replace(
                "<worldbody>", "<worldbody><site name=\"target\" pos=\"1 2 3\" size=\"0.1\"/>");
    World cart = Models.read(Models.write(folder, "cart.xml", text));
    try (Environment environment = cart.open()) {
      environment.reset(Seeds.generator(0));
      assertTrue(
          environment.scenery(Task.unpaid("none")).orElseThrow().shapes().stream()
              .anyMatch(each -> Arrays.equals(each.position(), new double[] {1, 2, 3})));
    }
  }

  @Test
  void theCameraFollowsWhatCanLeaveItsPlaceAndSeesItWhole() {
    World cart = Models.cart(folder, "", "{\"resetRanges\": {\"rail_position\": [0.8, 0.8]}}");
    try (Environment environment = cart.open()) {
      environment.reset(Seeds.generator(0));
      Scenery scenery = environment.scenery(Task.unpaid("none")).orElseThrow();
      assertEquals(0.8, scenery.focus()[0], 0.01);
      double[] eye = scenery.camera(scenery.focus()).eye();
      double distance = Math.hypot(Math.hypot(eye[0] - 0.8, eye[1]), eye[2] - 0.5);
      // Cart, pole and ball are together about 1.2 m across.
      assertTrue(distance > 1.5 && distance < 2.8, "found " + distance);
    }
  }
}
