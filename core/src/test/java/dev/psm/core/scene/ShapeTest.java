package dev.psm.core.scene;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class ShapeTest {
  private static final Colour RED = Colour.of(0.9, 0.1, 0.1);

  @Test
  void impossibleShapesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Shape.sphere(0, RED));
    assertThrows(IllegalArgumentException.class, () -> Shape.box(1, -1, 1, RED));
    assertThrows(IllegalArgumentException.class, () -> Shape.capsule(1, Double.NaN, RED));
    assertThrows(IllegalArgumentException.class, () -> Shape.plane(1, 0, RED));
    assertThrows(IllegalArgumentException.class, () -> Colour.of(1.1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> Placed.at(Shape.ground(), Double.NaN, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> Look.standard().withLight(0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> Look.standard().withSquare(0));
  }
}
