package dev.psm.view.render;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Vectors;
import org.junit.jupiter.api.Test;

final class LensTest {
  @Test
  void theTargetIsInTheMiddleAndTheEdgesAreHalfTheFieldAway() {
    Camera camera = Camera.lookingAt(new double[] {3, -2, 1}, new double[] {0, 0, 0.5});
    Lens lens = new Lens(camera, 64, 48);
    double[] middle = Vectors.unit(lens.direction(32, 24));
    assertArrayEquals(camera.forwardUnit(), middle, 1e-12);
    double[] top = Vectors.unit(lens.direction(32, 0));
    assertEquals(22.5, Math.toDegrees(Math.acos(Vectors.dot(middle, top))), 1e-9);
    assertTrue(top[2] > middle[2]);
  }

  @Test
  void thingsOnTheRightAreOnTheRight() {
    Camera camera = Camera.lookingAt(new double[] {0, -5, 0}, new double[] {0, 0, 0});
    assertTrue(new Lens(camera, 10, 10).direction(10, 5)[0] > 0);
    Camera above = Camera.above(new double[] {0, 0, 0}, 2);
    Lens lens = new Lens(above, 10, 10);
    assertTrue(lens.direction(10, 5)[0] > 0);
    assertTrue(lens.direction(5, 0)[1] > 0);
  }
}
