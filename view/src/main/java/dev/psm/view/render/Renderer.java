package dev.psm.view.render;

import dev.psm.core.UserError;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Draws scenes as pictures of one size.
 *
 * <p>Every pixel is cast once; pixels whose neighbours met another surface, or the other side of a
 * shadow's edge, are cast again many times over. That costs a fraction of casting all of them often
 * and smooths the same edges.
 */
public final class Renderer {
  private static final int LARGEST_SIDE = 8192;
  private static final int FINE = 4;
  private static final double SHADOW_STEP = 0.12;
  private static final int VISIBLE_STEP = 5;

  private final int width;
  private final int height;

  public Renderer(int width, int height) {
    checkSize(width, height);
    this.width = width;
    this.height = height;
  }

  /** Refuses a size that no picture can have. */
  public static void checkSize(int width, int height) {
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
      throw UserError.invalid(
          "a picture has from 1 to %d pixels a side, not %d x %d", LARGEST_SIDE, width, height);
    }
  }

  public Image render(List<Placed> shapes, Camera camera, Look look) {
    return new Pass(new Scene(shapes, look), camera, look).run();
  }

  /** The buffers of one picture. */
  private final class Pass {
    private final Scene scene;
    private final double[] eye;
    private final Look look;
    private final Lens lens;
    private final Atmosphere air;
    private final Tiles tiles;
    private final int[] rough = new int[width * height];
    private final int[] surfaces = new int[width * height];
    private final float[] keyLight = new float[width * height];
    private final Image image = new Image(width, height);

    Pass(Scene scene, Camera camera, Look look) {
      this.scene = scene;
      this.look = look;
      eye = camera.eye();
      lens = new Lens(camera, width, height);
      air = new Atmosphere(look, camera);
      tiles = new Tiles(lens, scene, eye);
    }

    Image run() {
      forRows(this::castRow);
      forRows(this::smoothRow);
      return image;
    }

    private void forRows(IntConsumer row) {
      IntStream.range(0, tiles.rows).parallel().forEach(row);
    }

    private void castRow(int row) {
      Tracer tracer = tracer();
      for (int y = row * Tiles.SIDE; y < Math.min(height, (row + 1) * Tiles.SIDE); y++) {
        for (int x = 0; x < width; x++) {
          cast(tracer, x, y, x + 0.5, y + 0.5, 1);
          int pixel = y * width + x;
          surfaces[pixel] = tracer.surfaces;
          keyLight[pixel] = (float) tracer.keyLight;
          double[] colour = tracer.colour;
          rough[pixel] =
              Tone.rgb(
                  Tone.compress(colour[0]), Tone.compress(colour[1]), Tone.compress(colour[2]));
        }
      }
    }

    private void smoothRow(int row) {
      Tracer tracer = tracer();
      for (int y = row * Tiles.SIDE; y < Math.min(height, (row + 1) * Tiles.SIDE); y++) {
        for (int x = 0; x < width; x++) {
          image.set(x, y, onEdge(x, y) ? fine(tracer, x, y) : rough[y * width + x]);
        }
      }
    }

    private int fine(Tracer tracer, int x, int y) {
      double red = 0;
      double green = 0;
      double blue = 0;
      for (int row = 0; row < FINE; row++) {
        // Each row shifted by a part of a step: near-vertical edges get as many levels as others.
        double shift = (row + 0.5) / FINE;
        for (int column = 0; column < FINE; column++) {
          double sx = x + (column + shift) / FINE;
          cast(tracer, x, y, sx, y + (row + 0.5) / FINE, 1.0 / FINE);
          red += Tone.compress(tracer.colour[0]);
          green += Tone.compress(tracer.colour[1]);
          blue += Tone.compress(tracer.colour[2]);
        }
      }
      double share = 1.0 / (FINE * FINE);
      return Tone.rgb(red * share, green * share, blue * share);
    }

    private void cast(Tracer tracer, int x, int y, double sx, double sy, double patch) {
      int column = x / Tiles.SIDE;
      int row = y / Tiles.SIDE;
      tracer.trace(
          lens.along(0, sx, sy),
          lens.along(1, sx, sy),
          lens.along(2, sx, sy),
          tiles.direct(column, row),
          tiles.mirrored(column, row),
          tiles.overGround(column, row),
          patch);
    }

    private boolean onEdge(int x, int y) {
      return differs(x, y, x - 1, y)
          || differs(x, y, x + 1, y)
          || differs(x, y, x, y - 1)
          || differs(x, y, x, y + 1);
    }

    private boolean differs(int x, int y, int otherX, int otherY) {
      if (otherX < 0 || otherY < 0 || otherX >= width || otherY >= height) {
        return false;
      }
      int pixel = y * width + x;
      int other = otherY * width + otherX;
      boolean edge =
          surfaces[pixel] != surfaces[other]
              || Math.abs(keyLight[pixel] - keyLight[other]) > SHADOW_STEP;
      return edge && contrast(rough[pixel], rough[other]) > VISIBLE_STEP;
    }

    private static int contrast(int a, int b) {
      int red = Math.abs((a >> 16) - (b >> 16));
      int green = Math.abs((a >> 8 & 0xff) - (b >> 8 & 0xff));
      return Math.max(red, Math.max(green, Math.abs((a & 0xff) - (b & 0xff))));
    }

    private Tracer tracer() {
      return new Tracer(scene, air, look, eye, lens.right, lens.up);
    }
  }
}
