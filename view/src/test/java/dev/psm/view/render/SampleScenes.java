package dev.psm.view.render;

import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Colour;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;

/** Robots in the sizes of the environments, to look at and to test with. */
final class SampleScenes {
  static final Colour BODY = Colour.of(0.7, 0.5, 0.3);
  private static final Colour TOE = Colour.of(0.7, 0.4, 0.2);
  private static final Colour PUPIL = Colour.of(0, 0.2, 1);
  private static final Colour WALL = Colour.of(0.3, 0.5, 0.7);
  private static final Colour GLASS = new Colour(0.5, 0.5, 0.5, 0.3);
  private static final Colour GOAL = Colour.of(0.6, 0.3, 0.3);
  private static final Colour GREY = Colour.of(0.356, 0.361, 0.376);
  private static final Colour BLUE = Colour.of(0.086, 0.506, 0.767);
  private static final Colour WHITE = Colour.of(0.9, 0.9, 0.9);

  private SampleScenes() {}

  /** A scene with the camera and look that suit it. */
  record Sample(String name, List<Placed> shapes, Camera camera, Look look) {}

  static List<Sample> all() {
    return List.of(walker(0), quadruped(0), maze(0), fetch());
  }

  static Sample walker(double time) {
    double x = time;
    double swing = 0.5 * Math.sin(4 * time + 0.9);
    List<Placed> shapes = new ArrayList<>();
    shapes.add(Placed.at(Shape.ground(), 0, 0, 0));
    shapes.add(limb(0.07, 0.3, x, 0, 1.27, 0.08));
    for (int side = -1; side <= 1; side += 2) {
      double thigh = side * swing;
      double shin = thigh + 0.25 + 0.3 * Math.cos(4 * time) * side;
      double y = 0.05 * side;
      double hipZ = 0.97;
      double kneeX = x - 0.45 * Math.sin(thigh);
      double kneeZ = hipZ - 0.45 * Math.cos(thigh);
      double ankleX = kneeX - 0.5 * Math.sin(shin);
      double ankleZ = kneeZ - 0.5 * Math.cos(shin);
      shapes.add(limb(0.05, 0.225, (x + kneeX) / 2, y, (hipZ + kneeZ) / 2, thigh));
      shapes.add(limb(0.04, 0.25, (kneeX + ankleX) / 2, y, (kneeZ + ankleZ) / 2, shin));
      shapes.add(limb(0.05, 0.1, ankleX + 0.06, y, Math.max(0.05, ankleZ), Math.PI / 2));
    }
    Camera camera = Camera.free(new double[] {x, 0, 0.75}, 3.4, 68, -10);
    return new Sample("walker", shapes, camera, Look.standard().litFor(camera));
  }

  /** A capsule whose axis is turned from z by an angle about y. */
  private static Placed limb(
      double radius, double half, double x, double y, double z, double angle) {
    return Placed.turned(
        Shape.capsule(radius, half, BODY),
        new double[] {x, y, z},
        new double[] {Math.cos(angle / 2), 0, Math.sin(angle / 2), 0});
  }

  static Sample quadruped(double time) {
    List<Placed> shapes = new ArrayList<>();
    shapes.add(Placed.at(Shape.ground(), 0, 0, 0));
    double bob = 0.02 * Math.sin(6 * time);
    double[] torso = {0, 0, 0.58 + bob};
    double[] ahead = {1, 0, 0, 0};
    add(shapes, Shape.ellipsoid(0.3, 0.27, 0.2, BODY), torso, ahead, 0, 0, 0, ahead);
    double[] eye = {0.77043, 0, -0.63753, 0};
    for (int side = -1; side <= 1; side += 2) {
      add(shapes, Shape.cylinder(0.05, 0.10689, BODY), torso, ahead, 0.205, 0.07 * side, 0.1, eye);
      add(shapes, Shape.sphere(0.033, PUPIL), torso, ahead, 0.3, 0.07 * side, 0.08, ahead);
    }
    for (int leg = 0; leg < 4; leg++) {
      double yaw = Math.toRadians(45 + 90 * leg) + 0.15 * Math.sin(6 * time + leg);
      double[] turn = {Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)};
      double cos = Math.cos(Math.toRadians(45 + 90 * leg));
      double sin = Math.sin(Math.toRadians(45 + 90 * leg));
      double[] hip = {0.28 * cos, 0.28 * sin, 0.56 + bob};
      double[] up = {0.57260, 0, -0.81983, 0};
      double[] down = {0.92388, 0, -0.38268, 0};
      add(shapes, Shape.capsule(0.08, 0.159765, BODY), hip, turn, 0.15, 0, 0.055, up);
      add(shapes, Shape.capsule(0.065, 0.176777, BODY), hip, turn, 0.425, 0, -0.015, down);
      add(shapes, Shape.capsule(0.055, 0.125, BODY), hip, turn, 0.55, 0, -0.265, ahead);
      add(shapes, Shape.sphere(0.08, TOE), hip, turn, 0.55, 0, -0.46 - bob, ahead);
    }
    Camera camera = Camera.free(new double[] {0, 0, 0.4}, 3.2, 215, -18);
    return new Sample("quadruped", shapes, camera, Look.standard().litFor(camera));
  }

  private static void add(
      List<Placed> shapes,
      Shape shape,
      double[] origin,
      double[] turn,
      double x,
      double y,
      double z,
      double[] local) {
    double[] r = Placed.turned(shape, origin, turn).rotation();
    double[] position = {
      origin[0] + r[0] * x + r[1] * y + r[2] * z,
      origin[1] + r[3] * x + r[4] * y + r[5] * z,
      origin[2] + r[6] * x + r[7] * y + r[8] * z
    };
    double[] q = {
      turn[0] * local[0] - turn[1] * local[1] - turn[2] * local[2] - turn[3] * local[3],
      turn[0] * local[1] + turn[1] * local[0] + turn[2] * local[3] - turn[3] * local[2],
      turn[0] * local[2] - turn[1] * local[3] + turn[2] * local[0] + turn[3] * local[1],
      turn[0] * local[3] + turn[1] * local[2] - turn[2] * local[1] + turn[3] * local[0]
    };
    shapes.add(Placed.turned(shape, position, q));
  }

  static Sample maze(double time) {
    List<Placed> shapes = new ArrayList<>();
    shapes.add(Placed.at(Shape.ground(), 0, 0, 0));
    double[][] walls = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (double[] wall : walls) {
      boolean alongY = wall[0] != 0;
      Shape box = Shape.box(alongY ? 0.01 : 0.32, alongY ? 0.32 : 0.01, 0.02, WALL);
      shapes.add(Placed.at(box, wall[0] * 0.31, wall[1] * 0.31, 0.02));
    }
    shapes.add(Placed.at(Shape.box(0.18, 0.02, 0.02, GLASS), 0, 0, 0.02));
    shapes.add(Placed.at(Shape.box(0.02, 0.18, 0.02, GLASS), 0, 0, 0.02));
    shapes.add(Placed.at(Shape.sphere(0.015, GOAL), 0.15, 0.15, 0.01));
    double turn = 2.3 - time;
    shapes.add(
        Placed.at(Shape.sphere(0.01, BODY), 0.24 * Math.cos(turn), 0.24 * Math.sin(turn), 0.01));
    Camera camera = Camera.above(new double[] {0, 0, 0}, 0.85);
    return new Sample("maze", shapes, camera, Look.standard().withSquare(0.1).litFor(camera));
  }

  static Sample fetch() {
    List<Placed> shapes = new ArrayList<>();
    shapes.add(Placed.at(Shape.ground(), 0, 0, 0));
    shapes.add(Placed.at(Shape.box(0.25, 0.35, 0.2, Colour.of(0.85, 0.83, 0.8)), 1.3, 0.75, 0.2));
    double baseX = 0.405;
    double baseY = 0.75;
    double[] lift = {baseX - 0.0869, baseY, 0.48};
    shapes.add(Placed.at(Shape.box(0.2866, 0.2641, 0.1795, GREY), baseX, baseY, 0.1795));
    box(shapes, WHITE, lift, -0.0068, 0, 0.3158, 0.1784, 0.1708, 0.2873);
    box(shapes, BLUE, lift, -0.1002, 0, 0.1124, 0.0681, 0.1553, 0.2309);
    double[] head = {lift[0] + 0.0531, baseY, lift[2] + 0.603};
    box(shapes, GREY, head, 0.0363, 0, 0.055, 0.1612, 0.143, 0.058);
    box(shapes, BLUE, head, 0.1425, 0, 0.058, 0.055, 0.105, 0.055);
    double[] arm = {lift[0] + 0.1195, baseY, lift[2] + 0.3486};
    Colour[] colours = {WHITE, BLUE, WHITE, BLUE, WHITE, BLUE, WHITE};
    double[] steps = {0, 0.117, 0.219, 0.133, 0.197, 0.1245, 0.1385};
    double x = arm[0];
    double z = arm[2];
    double pitch = 0;
    for (int i = 0; i < steps.length; i++) {
      x += steps[i] * Math.cos(pitch);
      z -= steps[i] * Math.sin(pitch);
      pitch = i == 1 ? -0.5 : i == 3 ? 0.6 : i == 5 ? 0.1 : pitch;
      double half = i == 6 ? 0.0213 : 0.105;
      shapes.add(
          Placed.turned(
              Shape.box(half, 0.06, 0.052, colours[i]),
              new double[] {x + 0.06 * Math.cos(pitch), arm[1], z + 0.05 - 0.06 * Math.sin(pitch)},
              new double[] {Math.cos(pitch / 2), 0, Math.sin(pitch / 2), 0}));
    }
    double[] grip = {x + 0.1664, baseY, z};
    box(shapes, GREY, grip, -0.04, 0, 0, 0.061, 0.063, 0.0397);
    box(shapes, GREY, grip, 0.03, 0.03, 0, 0.0385, 0.007, 0.0135);
    box(shapes, GREY, grip, 0.03, -0.03, 0, 0.0385, 0.007, 0.0135);
    shapes.add(Placed.at(Shape.sphere(0.02, Colour.of(0.9, 0.15, 0.12)), 1.35, 0.62, 0.55));
    Camera camera = Camera.free(new double[] {1.0, 0.75, 0.5}, 2.6, 132, -14);
    return new Sample("fetch", shapes, camera, Look.standard().litFor(camera));
  }

  private static void box(
      List<Placed> shapes,
      Colour colour,
      double[] origin,
      double x,
      double y,
      double z,
      double halfX,
      double halfY,
      double halfZ) {
    shapes.add(
        Placed.at(
            Shape.box(halfX, halfY, halfZ, colour), origin[0] + x, origin[1] + y, origin[2] + z));
  }

  /** Writes the scenes as pictures into a folder, for a person to judge. */
  public static void main(String[] folder) throws IOException {
    Renderer renderer = new Renderer(480, 360);
    for (Sample scene : all()) {
      Image image =
          renderer
              .render(scene.shapes(), scene.camera(), scene.look())
              .caption(scene.name() + "  step 120  reward 0.83");
      int width = image.width();
      BufferedImage picture = new BufferedImage(width, image.height(), BufferedImage.TYPE_INT_RGB);
      picture.setRGB(0, 0, width, image.height(), image.pixels(), 0, width);
      ImageIO.write(picture, "png", Path.of(folder[0], scene.name() + ".png").toFile());
    }
  }
}
