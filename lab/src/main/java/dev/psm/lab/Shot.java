package dev.psm.lab;

import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Scenery;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Placed;
import dev.psm.view.render.Image;
import dev.psm.view.render.Renderer;
import java.util.ArrayList;
import java.util.List;

/** One take of a film, in real time: a camera that follows a robot from where it is now. */
public final class Shot {
  private static final double FRAMES_PER_SECOND = 25;
  private static final int SHORTEST_DELAY = 2;

  private final Renderer renderer;
  private final Scenery scenery;
  private double[] focus;

  /** The environment must be in the take's first state: the camera looks there first. */
  public Shot(World world, Environment environment, Task task, Renderer renderer) {
    this.renderer = renderer;
    scenery = scenery(world, environment, task);
    focus = scenery.focus();
  }

  /** What there is to draw; a world that nobody draws is refused. */
  static Scenery scenery(World world, Environment environment, Task task) {
    return environment
        .scenery(task)
        .orElseThrow(
            () ->
                UserError.invalid(
                    "%s cannot be filmed: its environment has no scenery to draw", world.name()));
  }

  /** How many control steps pass from one frame to the next. */
  public static int stepsPerFrame(World world) {
    return Math.max(1, (int) Math.round(1 / (FRAMES_PER_SECOND * world.stepSeconds())));
  }

  /** How long a frame is shown, in hundredths of a second. */
  public static int delay(World world) {
    double seconds = stepsPerFrame(world) * world.stepSeconds();
    return Math.max(SHORTEST_DELAY, (int) Math.round(100 * seconds));
  }

  /** The robot as it is now. */
  public Image frame(String caption) {
    return frame(caption, List.of());
  }

  /** The robot as it is now, with more shapes. */
  Image frame(String caption, List<Placed> more) {
    focus = Camera.follow(focus, scenery.focus());
    Camera camera = scenery.camera(focus);
    List<Placed> shapes = new ArrayList<>(scenery.shapes());
    shapes.addAll(more);
    return renderer.render(shapes, camera, scenery.look().litFor(camera)).caption(caption);
  }
}
