package dev.psm.view.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.scene.Colour;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import dev.psm.core.scene.Vectors;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SolidTest {
  private static final int RAYS = 300;
  private static final double END = 14;
  private static final double GRAZE = 2e-3;

  @ParameterizedTest
  @EnumSource(Shape.Kind.class)
  void raysEnterWhereWalkingThemFindsTheSurface(Shape.Kind kind) {
    RandomGenerator random = seeded(kind, 0);
    int met = 0;
    for (int i = 0; i < RAYS; i++) {
      Placed placed = Reference.placed(kind, random);
      double[] origin = Vectors.scaled(Vectors.unit(Reference.vector(random, 1)), 6);
      double[] direction = towards(placed, origin, random);
      double expected = Reference.enter(placed, origin, direction, END);
      boolean starts = Reference.implicitInWorld(placed, origin[0], origin[1], origin[2]) > 0;
      double found = enter(placed, origin, direction);
      if (!starts) {
        assertEquals(Casting.MISS, found, "a ray from inside or behind");
      } else if (Double.isInfinite(expected)) {
        boolean grazed = Reference.lowest(placed, origin, direction, END) < GRAZE;
        assertTrue(found == Casting.MISS || grazed || found > END, () -> placed + " " + found);
      } else {
        met++;
        assertEquals(expected, found, 1e-9);
      }
    }
    assertTrue(met > RAYS / 5, "too few rays met the shape: " + met);
  }

  @ParameterizedTest
  @EnumSource(Shape.Kind.class)
  void normalsAreTheSlopeOfTheSurface(Shape.Kind kind) {
    RandomGenerator random = seeded(kind, 100);
    double[] normal = new double[3];
    double step = 1e-6;
    for (int i = 0; i < RAYS; i++) {
      Placed placed = Reference.placed(kind, random);
      double[] origin = Vectors.scaled(Vectors.unit(Reference.vector(random, 1)), 6);
      double[] direction = Vectors.unit(Vectors.minus(placed.position(), origin));
      double t = enter(placed, origin, direction);
      if (t == Casting.MISS) {
        continue;
      }
      double[] p = new double[3];
      for (int axis = 0; axis < 3; axis++) {
        p[axis] = origin[axis] + t * direction[axis];
      }
      double[] slope = new double[3];
      for (int axis = 0; axis < 3; axis++) {
        double[] more = p.clone();
        double[] less = p.clone();
        more[axis] += step;
        less[axis] -= step;
        slope[axis] =
            Reference.implicitInWorld(placed, more[0], more[1], more[2])
                - Reference.implicitInWorld(placed, less[0], less[1], less[2]);
      }
      new Solid(placed, 0).normal(p[0], p[1], p[2], normal);
      double[] expected = Vectors.unit(slope);
      assertEquals(1, Vectors.dot(expected, normal), 1e-5, placed::toString);
      assertEquals(1, Vectors.length(normal), 1e-12);
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.Kind.class)
  void distancesGrowByOneForOneAndVanishOnTheSurface(Shape.Kind kind) {
    RandomGenerator random = seeded(kind, 200);
    for (int i = 0; i < RAYS; i++) {
      Placed placed = Reference.placed(kind, random);
      Solid solid = new Solid(placed, 0);
      double[] p = Reference.vector(random, 1.5);
      double distance = solid.distance(p[0], p[1], p[2]);
      double side = Reference.implicitInWorld(placed, p[0], p[1], p[2]);
      assertTrue(distance * side >= 0, placed::toString);
      double[] q = Reference.vector(random, 1.5);
      if (kind != Shape.Kind.ELLIPSOID) {
        double change = Math.abs(solid.distance(q[0], q[1], q[2]) - distance);
        assertTrue(change <= Vectors.length(Vectors.minus(p, q)) + 1e-12);
      }
      double[] direction = Vectors.unit(Vectors.minus(q, p));
      double t = solid.enter(p[0], p[1], p[2], direction[0], direction[1], direction[2]);
      if (distance > 0 && t < END) {
        double x = p[0] + t * direction[0];
        double y = p[1] + t * direction[1];
        double z = p[2] + t * direction[2];
        assertEquals(0, solid.distance(x, y, z), 1e-9);
        assertTrue(kind == Shape.Kind.ELLIPSOID || t >= distance - 1e-9, "too far a distance");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Shape.Kind.class,
      names = {"SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX"})
  void clearanceIsNegativeWhereALightRayIsBlocked(Shape.Kind kind) {
    RandomGenerator random = seeded(kind, 300);
    int blocked = 0;
    for (int i = 0; i < RAYS; i++) {
      Placed placed = Reference.placed(kind, random);
      Solid solid = new Solid(placed, 0);
      double[] p = Vectors.scaled(Vectors.unit(Reference.vector(random, 1)), 4);
      double[] light = towards(placed, p, random);
      if (i % 4 == 0) {
        light = Vectors.scaled(light, -1);
      }
      double clearance = new Clearance(solid, light, 0.07).from(p[0], p[1], p[2]);
      boolean outside = solid.distance(p[0], p[1], p[2]) > 0.01;
      if (outside && Math.abs(clearance) > 1e-4) {
        double t = solid.enter(p[0], p[1], p[2], light[0], light[1], light[2]);
        assertEquals(t != Casting.MISS, clearance < 0, () -> placed + " " + clearance);
        blocked += clearance < 0 ? 1 : 0;
      }
    }
    assertTrue(blocked > RAYS / 5, "too few blocked rays: " + blocked);
  }

  @ParameterizedTest
  @EnumSource(
      value = Shape.Kind.class,
      names = {"CYLINDER", "BOX"})
  void searchedClearanceIsTheLowestRatioOnTheRay(Shape.Kind kind) {
    RandomGenerator random = seeded(kind, 400);
    double limit = 0.07;
    int between = 0;
    for (int i = 0; i < RAYS; i++) {
      Placed placed = Reference.placed(kind, random);
      Solid solid = new Solid(placed, 0);
      double[] p = Vectors.scaled(Vectors.unit(Reference.vector(random, 1)), 4);
      double[] light = towards(placed, p, random);
      double lowest = Double.POSITIVE_INFINITY;
      for (int step = 1; step <= 4000; step++) {
        double t = step * 0.002;
        double gap = solid.distance(p[0] + t * light[0], p[1] + t * light[1], p[2] + t * light[2]);
        lowest = Math.min(lowest, gap / t);
      }
      double found = new Clearance(solid, light, limit).from(p[0], p[1], p[2]);
      if (Math.abs(lowest) < limit) {
        between++;
        assertEquals(lowest, found, 2e-3);
      } else {
        assertTrue(lowest > 0 ? found >= limit - 1e-6 : found <= -limit + 2e-3);
      }
    }
    assertTrue(between > 5, "too few rays near an edge: " + between);
  }

  @Test
  void aPlaneIsSeenFromItsFrontAndWithinItsEdges() {
    Shape plane = Shape.plane(0.5, 0.25, Colour.of(1, 1, 1));
    Placed placed = Placed.at(plane, 0, 0, 0);
    double[] down = {0, 0, -1};
    assertEquals(2, enter(placed, new double[] {0.49, 0.24, 2}, down));
    assertEquals(Casting.MISS, enter(placed, new double[] {0.51, 0, 2}, down));
    assertEquals(Casting.MISS, enter(placed, new double[] {0, 0.26, 2}, down));
    assertEquals(Casting.MISS, enter(placed, new double[] {0, 0, -2}, new double[] {0, 0, 1}));
  }

  @Test
  void raysAlongTheAxesMeetBoxesAndCylinders() {
    Colour colour = Colour.of(1, 1, 1);
    Shape[] shapes = {Shape.box(1, 1, 1, colour), Shape.cylinder(1, 1, colour)};
    for (Shape shape : shapes) {
      Placed placed = Placed.at(shape, 0, 0, 0);
      for (int axis = 0; axis < 3; axis++) {
        double[] origin = {0.5, 0.5, 0.5};
        double[] direction = new double[3];
        origin[axis] = -5;
        direction[axis] = 1;
        double expected = shape.kind() == Shape.Kind.BOX || axis == 2 ? 4 : 5 - Math.sqrt(0.75);
        assertEquals(expected, enter(placed, origin, direction), 1e-12);
        double[] beside = {1.5, 1.5, 1.5};
        beside[axis] = -5;
        assertEquals(Casting.MISS, enter(placed, beside, direction));
      }
    }
  }

  private static RandomGenerator seeded(Shape.Kind kind, long test) {
    return Seeds.generator(test + kind.name().hashCode());
  }

  /** A direction from a point to somewhere about a shape. */
  private static double[] towards(Placed placed, double[] from, RandomGenerator random) {
    double[] aside = Reference.vector(random, 0.6);
    return Vectors.unit(Vectors.minus(placed.position(), Vectors.minus(from, aside)));
  }

  private static double enter(Placed placed, double[] o, double[] d) {
    return new Solid(placed, 0).enter(o[0], o[1], o[2], d[0], d[1], d[2]);
  }
}
