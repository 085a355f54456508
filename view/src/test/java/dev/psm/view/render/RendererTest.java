package dev.psm.view.render;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Colour;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class RendererTest {
  private static final Colour WHITE = Colour.of(1, 1, 1);
  private static final Colour RED = Colour.of(0.9, 0.1, 0.1);
  private static final double[] ORIGIN = {0, 0, 0};
  private static final Placed GROUND = Placed.at(Shape.ground(), 0, 0, 0);

  @Test
  void aShadowFallsWhereTheLightIsBlocked() {
    // From straight above: a ball at height 2 with light along (1, 0, 1) darkens x = -2.
    Look look = plainGround().withLight(1, 0, 1);
    Camera camera = Camera.above(ORIGIN, 8);
    Placed ball = Placed.at(Shape.sphere(0.4, WHITE), 0, 0, 2);
    Image open = new Renderer(161, 161).render(List.of(GROUND), camera, look);
    Image shaded = new Renderer(161, 161).render(List.of(GROUND, ball), camera, look);
    double pixelsPerMetre = 161 / (2 * 8 * Lens.halfHeight(camera));
    int x = (int) Math.round(80 - 2 * pixelsPerMetre);
    assertTrue(brightness(shaded.get(x, 80)) < 0.75 * brightness(open.get(x, 80)));
    int opposite = (int) Math.round(80 + 2 * pixelsPerMetre);
    assertEquals(brightness(open.get(opposite, 80)), brightness(shaded.get(opposite, 80)), 2);
  }

  @Test
  void shadowsOfGlassAreFaint() {
    Look look = plainGround().withLight(1, 0, 1);
    Camera camera = Camera.above(ORIGIN, 8);
    int x = (int) Math.round(80 - 2 * 161 / (2 * 8 * Lens.halfHeight(camera)));
    double[] seen = new double[3];
    for (int i = 0; i < 3; i++) {
      Shape ball = Shape.sphere(0.4, WHITE.withAlpha(i / 2.0));
      List<Placed> shapes = List.of(GROUND, Placed.at(ball, 0, 0, 2));
      seen[i] = brightness(new Renderer(161, 161).render(shapes, camera, look).get(x, 80));
    }
    assertTrue(seen[0] > seen[1] + 5 && seen[1] > seen[2] + 5);
  }

  @Test
  void theOutlineOfATurnedBoxIsTurned() {
    // 45 degrees about z: the corners of a unit square point along the axes.
    double[] turn = {Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)};
    Placed box = Placed.turned(Shape.box(1, 1, 0.01, RED), ORIGIN, turn);
    Camera camera = Camera.above(ORIGIN, 5);
    Image image = new Renderer(101, 101).render(List.of(box), camera, Look.standard());
    double pixelsPerMetre = 101 / (2 * 5 * Lens.halfHeight(camera));
    assertTrue(isRed(image.get((int) (50.5 + 1.3 * pixelsPerMetre), 50)));
    int corner = (int) (50.5 + 0.85 * pixelsPerMetre);
    assertTrue(!isRed(image.get(corner, corner)));
  }

  @Test
  void translucentShapesShowWhatIsBehindThem() {
    Camera camera = Camera.above(ORIGIN, 3);
    Placed under = Placed.at(Shape.box(2, 2, 0.1, Colour.of(0.1, 0.1, 0.9)), 0, 0, -1);
    double lastRed = -1;
    double lastBlue = 256;
    for (double alpha : new double[] {0, 0.3, 0.6, 1}) {
      Placed over = Placed.at(Shape.box(1, 1, 0.1, RED.withAlpha(alpha)), 0, 0, 0);
      int rgb = new Renderer(9, 9).render(List.of(under, over), camera, Look.standard()).get(4, 4);
      assertTrue((rgb >> 16) > lastRed && (rgb & 0xff) < lastBlue);
      lastRed = rgb >> 16;
      lastBlue = rgb & 0xff;
    }
  }

  @Test
  void theOrderOfTheListDoesNotMatterToGlass() {
    Camera camera = Camera.lookingAt(new double[] {3, 1, 2}, ORIGIN);
    Placed near = Placed.at(Shape.box(0.3, 0.3, 0.3, RED.withAlpha(0.4)), 1, 0.3, 0.6);
    Placed far = Placed.at(Shape.sphere(0.5, WHITE.withAlpha(0.5)), 0, 0, 0);
    Renderer renderer = new Renderer(60, 40);
    Image one = renderer.render(List.of(near, far), camera, Look.standard());
    Image other = renderer.render(List.of(far, near), camera, Look.standard());
    assertArrayEquals(one.pixels(), other.pixels());
  }

  @Test
  void overlappingGlassOfOneColourLooksLikeOnePiece() {
    Colour glass = new Colour(0.5, 0.5, 0.5, 0.3);
    Placed along = Placed.at(Shape.box(1, 0.2, 0.1, glass), 0, 0, 0);
    Placed across = Placed.at(Shape.box(0.2, 1, 0.1, glass), 0, 0, 0);
    Camera camera = Camera.above(ORIGIN, 4);
    Renderer renderer = new Renderer(41, 41);
    int alone = renderer.render(List.of(along), camera, Look.standard()).get(20, 20);
    int crossed = renderer.render(List.of(along, across), camera, Look.standard()).get(20, 20);
    assertEquals(brightness(alone), brightness(crossed), 20);
  }

  @Test
  void theSamePictureEveryTime() {
    for (SampleScenes.Sample scene : SampleScenes.all()) {
      Renderer renderer = new Renderer(97, 61);
      int[] first = renderer.render(scene.shapes(), scene.camera(), scene.look()).pixels();
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(
            first, renderer.render(scene.shapes(), scene.camera(), scene.look()).pixels());
      }
    }
  }

  @Test
  void edgesAreSmooth() {
    // The area of a disc counted in shades is far closer than whole pixels could come.
    Placed ball = Placed.at(Shape.sphere(0.5, Colour.of(0, 0, 0)), 0, 0, 0);
    Look white = new Look(WHITE, WHITE, 1, WHITE, WHITE, new double[] {0, 0, 1});
    Camera camera = Camera.above(ORIGIN, 50).withFieldOfView(2);
    Image image = new Renderer(40, 40).render(List.of(ball), camera, white);
    int between = 0;
    for (int rgb : image.pixels()) {
      int level = rgb & 0xff;
      between += level > 140 && level < 250 ? 1 : 0;
    }
    assertTrue(between > 40, "shades along the outline: " + between);
  }

  @Test
  void distantSquaresMeltIntoTheHorizon() {
    Camera camera = Camera.lookingAt(new double[] {0, -3, 1}, new double[] {0, 0, 0.5});
    Image image = new Renderer(200, 150).render(List.of(GROUND), camera, Look.standard());
    int horizon = 0;
    while (brightness(image.get(100, horizon)) < brightness(image.get(100, horizon + 1)) + 1) {
      horizon++;
    }
    for (int x = 1; x < 200; x++) {
      assertEquals(
          brightness(image.get(x, horizon + 1)), brightness(image.get(x - 1, horizon + 1)), 4);
    }
  }

  @Test
  void theMeanOfTheCheckerIsTheMeanOfItsPoints() {
    RandomGenerator random = Seeds.generator(3);
    for (int i = 0; i < 200; i++) {
      double u = 10 * random.nextGaussian();
      double v = 10 * random.nextGaussian();
      double widthU = 3 * random.nextDouble();
      double widthV = 3 * random.nextDouble();
      int light = 0;
      for (int a = 0; a < 100; a++) {
        for (int b = 0; b < 100; b++) {
          double x = u + widthU * ((a + 0.5) / 100 - 0.5);
          double y = v + widthV * ((b + 0.5) / 100 - 0.5);
          light += Math.floorMod((long) Math.floor(x) + (long) Math.floor(y), 2);
        }
      }
      assertEquals(light / 10_000.0, Checker.lightShare(u, v, widthU, widthV), 0.03);
    }
  }

  @Test
  void picturesOfAnySizeAndNoShapes() {
    Camera camera = Camera.lookingAt(new double[] {3, 1, 2}, ORIGIN);
    assertEquals(1, new Renderer(1, 1).render(List.of(), camera, Look.standard()).width());
    assertEquals(33, new Renderer(17, 33).render(List.of(), camera, Look.standard()).height());
    UserError error = assertThrows(UserError.class, () -> new Renderer(0, 10));
    assertTrue(error.getMessage().contains("not 0 x 10"), error.getMessage());
  }

  @Test
  void aCaptionChangesItsCornerOnly() {
    Image image = new Image(480, 360);
    image.caption("walk  step 120  reward 0.83 é");
    int touched = 0;
    for (int y = 0; y < 360; y++) {
      for (int x = 0; x < 480; x++) {
        if (image.get(x, y) != 0) {
          touched++;
          assertTrue(y > 310 && x < 420, x + " " + y);
        }
      }
    }
    assertTrue(touched > 1000);
    new Image(3, 2).caption("far too long for three pixels");
    assertArrayEquals(new int[6], new Image(3, 2).caption(" ").pixels());
  }

  private static Look plainGround() {
    Colour grey = Colour.of(0.5, 0.5, 0.5);
    return Look.standard().withGround(grey, grey);
  }

  private static double brightness(int rgb) {
    return ((rgb >> 16) + (rgb >> 8 & 0xff) + (rgb & 0xff)) / 3.0;
  }

  private static boolean isRed(int rgb) {
    return (rgb >> 16) > 2 * (rgb & 0xff);
  }
}
