package dev.psm.view.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import dev.psm.core.scene.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class TilesTest {
  private static final List<Shape.Kind> KINDS =
      List.of(
          Shape.Kind.SPHERE,
          Shape.Kind.CAPSULE,
          Shape.Kind.ELLIPSOID,
          Shape.Kind.CYLINDER,
          Shape.Kind.BOX);

  @Test
  void tilesListEverySolidThatTheirRaysMeetOrThatShadesThem() {
    RandomGenerator random = Seeds.generator(5);
    List<Placed> shapes = new ArrayList<>();
    shapes.add(Placed.at(Shape.ground(), 0, 0, 0));
    for (int i = 0; i < 30; i++) {
      Shape.Kind kind = KINDS.get(i % KINDS.size());
      Placed placed = Reference.placed(kind, random);
      double[] up = {placed.position()[0] * 2, placed.position()[1] * 2, 2};
      shapes.add(new Placed(placed.shape(), up, placed.rotation()));
    }
    Camera camera = Camera.lookingAt(new double[] {4, 3, 3}, new double[] {0, 0, 1});
    Scene scene = new Scene(shapes, Look.standard());
    Lens lens = new Lens(camera.withFieldOfView(90), 100, 70);
    double[] eye = camera.eye();
    Tiles tiles = new Tiles(lens, scene, eye);
    for (int y = 0; y < 70; y++) {
      for (int x = 0; x < 100; x++) {
        double[] d = Vectors.unit(lens.direction(x + 0.5, y + 0.5));
        int[] direct = tiles.direct(x / Tiles.SIDE, y / Tiles.SIDE);
        int[] mirrored = tiles.mirrored(x / Tiles.SIDE, y / Tiles.SIDE);
        double t = scene.ground.enter(eye[0], eye[1], eye[2], d[0], d[1], d[2]);
        if (t != Casting.MISS) {
          int[] over = tiles.overGround(x / Tiles.SIDE, y / Tiles.SIDE);
          assertSameShade(scene, eye[0] + t * d[0], eye[1] + t * d[1], over);
        }
        for (Solid solid : scene.solids) {
          if (solid.enter(eye[0], eye[1], eye[2], d[0], d[1], d[2]) != Casting.MISS) {
            assertTrue(contains(direct, solid.index));
          }
          boolean reflected =
              t != Casting.MISS
                  && solid.enter(
                          eye[0] + t * d[0],
                          eye[1] + t * d[1],
                          eye[2] + t * d[2],
                          d[0],
                          d[1],
                          -d[2])
                      != Casting.MISS;
          if (reflected && solid != scene.ground) {
            assertTrue(contains(mirrored, solid.index));
          }
        }
      }
    }
  }

  private static void assertSameShade(Scene scene, double x, double y, int[] among) {
    Shade shade = scene.shade;
    double[] up = {0, 0, 1};
    assertEquals(
        shade.lit(x, y, 0, scene.ground, shade.all), shade.lit(x, y, 0, scene.ground, among));
    assertEquals(
        shade.open(x, y, 0, up, scene.ground, shade.all),
        shade.open(x, y, 0, up, scene.ground, among));
  }

  private static boolean contains(int[] list, int value) {
    for (int entry : list) {
      if (entry == value) {
        return true;
      }
    }
    return false;
  }
}
