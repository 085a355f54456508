package dev.psm.view.render;

import dev.psm.core.scene.Shape;
import dev.psm.core.scene.Vectors;
import java.util.Arrays;

/**
 * Which solids each square tile of the picture may show, directly or in the ground: a cone around
 * the tile's rays against a ball around each solid.
 */
final class Tiles {
  static final int SIDE = 16;

  private final Lens lens;
  private final Scene scene;
  private final double[] eye;
  private final double[][] centres;
  private final double[][] images;
  final int columns;
  final int rows;
  private final int[][] direct;
  private final int[][] mirrored;
  private final int[][] overGround;

  Tiles(Lens lens, Scene scene, double[] eye) {
    this.lens = lens;
    this.scene = scene;
    this.eye = eye;
    columns = (lens.width + SIDE - 1) / SIDE;
    rows = (lens.height + SIDE - 1) / SIDE;
    centres = new double[scene.solids.length][];
    images = new double[scene.solids.length][];
    for (Solid solid : scene.solids) {
      centres[solid.index] = new double[] {solid.x - eye[0], solid.y - eye[1], solid.z - eye[2]};
      if (scene.ground != null && solid.shape.kind() != Shape.Kind.PLANE) {
        images[solid.index] = imageOf(solid, scene.ground);
      }
    }
    direct = new int[columns * rows][];
    mirrored = new int[columns * rows][];
    overGround = new int[columns * rows][];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        fill(column, row);
      }
    }
  }

  int[] direct(int column, int row) {
    return direct[row * columns + column];
  }

  int[] mirrored(int column, int row) {
    return mirrored[row * columns + column];
  }

  /** The casters that may darken the ground within a tile. */
  int[] overGround(int column, int row) {
    return overGround[row * columns + column];
  }

  private void fill(int column, int row) {
    double left = column * SIDE - 1;
    double top = row * SIDE - 1;
    double[] axis = Vectors.unit(lens.direction(left + SIDE / 2.0 + 1, top + SIDE / 2.0 + 1));
    double cosHalf = 1;
    double[][] edges = new double[4][];
    for (int corner = 0; corner < 4; corner++) {
      double x = left + (corner % 2) * (SIDE + 2);
      double y = top + (corner >> 1) * (SIDE + 2);
      edges[corner] = Vectors.unit(lens.direction(x, y));
      cosHalf = Math.min(cosHalf, Vectors.dot(axis, edges[corner]));
    }
    int[] found = new int[scene.solids.length];
    int[] foundMirrored = new int[scene.solids.length];
    int count = 0;
    int countMirrored = 0;
    for (Solid solid : scene.solids) {
      if (touches(axis, cosHalf, centres[solid.index], solid.bound)) {
        found[count++] = solid.index;
      }
      if (images[solid.index] != null && touches(axis, cosHalf, images[solid.index], solid.bound)) {
        foundMirrored[countMirrored++] = solid.index;
      }
    }
    direct[row * columns + column] = Arrays.copyOf(found, count);
    overGround[row * columns + column] = shadingGround(edges);
    mirrored[row * columns + column] = Arrays.copyOf(foundMirrored, countMirrored);
  }

  /** The casters near a ball around the four points where a tile's corners see the ground. */
  private int[] shadingGround(double[][] edges) {
    if (scene.ground == null) {
      return scene.shade.all;
    }
    double[][] feet = new double[edges.length][];
    double[] middle = new double[3];
    for (int i = 0; i < edges.length; i++) {
      double[] d = edges[i];
      double t = scene.ground.enter(eye[0], eye[1], eye[2], d[0], d[1], d[2]);
      if (t == Casting.MISS) {
        return scene.shade.all;
      }
      feet[i] = new double[] {eye[0] + t * d[0], eye[1] + t * d[1], eye[2] + t * d[2]};
      for (int c = 0; c < 3; c++) {
        middle[c] += feet[i][c] / edges.length;
      }
    }
    double radius = 0;
    for (double[] foot : feet) {
      radius = Math.max(radius, Vectors.length(Vectors.minus(foot, middle)));
    }
    return scene.shade.near(middle, radius);
  }

  private double[] imageOf(Solid solid, Solid ground) {
    double[] normal = new double[3];
    ground.normal(ground.x, ground.y, ground.z, normal);
    double twice = 2 * ground.distance(solid.x, solid.y, solid.z);
    return new double[] {
      solid.x - twice * normal[0] - eye[0],
      solid.y - twice * normal[1] - eye[1],
      solid.z - twice * normal[2] - eye[2]
    };
  }

  private static boolean touches(double[] axis, double cosHalf, double[] centre, double radius) {
    double distance = Vectors.length(centre);
    if (distance <= radius) {
      return true;
    }
    double sinBall = radius / distance;
    double cosBall = Math.sqrt(1 - sinBall * sinBall);
    double sinHalf = Math.sqrt(1 - cosHalf * cosHalf);
    // The angle to the centre against the sum of the two half angles, by their cosines.
    double widest = cosHalf * cosBall - sinHalf * sinBall;
    return Vectors.dot(axis, centre) >= (widest - 1e-9) * distance;
  }
}
