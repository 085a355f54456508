package dev.psm.core.scene;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CameraTest {
  @Test
  void theFreeCameraIsMujocos() {
    double[] at = {1, 2, 3};
    assertArrayEquals(new double[] {-1, 2, 3}, Camera.free(at, 2, 0, 0).eye(), 1e-12);
    assertArrayEquals(new double[] {1, 0, 3}, Camera.free(at, 2, 90, 0).eye(), 1e-12);
    Camera tilted = Camera.free(at, 2, 90, -30);
    assertArrayEquals(new double[] {1, 2 - Math.sqrt(3), 4}, tilted.eye(), 1e-12);
  }

  @Test
  void theLightStandsOverTheCamerasLeftShoulder() {
    Camera camera = Camera.lookingAt(new double[] {0, -5, 1}, new double[] {0, 0, 1});
    double[] light = Look.standard().litFor(camera).light();
    assertTrue(light[0] < -0.2 && light[1] < -0.2 && light[2] > 0.5);
    assertEquals(1, Vectors.length(light), 1e-12);
  }

  @Test
  void camerasThatSeeNothingAreRefused() {
    double[] here = {0, 0, 1};
    assertThrows(IllegalArgumentException.class, () -> Camera.lookingAt(here, here));
    assertThrows(
        IllegalArgumentException.class, () -> Camera.lookingAt(here, new double[] {0, 0, 0}));
    Camera sound = Camera.above(here, 1);
    assertThrows(IllegalArgumentException.class, () -> sound.withFieldOfView(180));
    assertThrows(
        IllegalArgumentException.class,
        () -> Camera.lookingAt(new double[] {Double.NaN, 0, 0}, here));
  }
}
