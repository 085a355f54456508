package dev.psm.lab;

import dev.psm.core.render.Camera;
import dev.psm.core.render.Image;
import dev.psm.core.render.Placed;
import dev.psm.core.render.Renderer;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.DomainFacts;
import dev.psm.mujoco.suite.Stage;
import java.util.ArrayList;
import java.util.List;

/** One take of a film, in real time: a camera that follows a robot from where it is now. */
public final class Shot {
  private static final double FRAMES_PER_SECOND = 25;
  private static final int SHORTEST_DELAY = 2;

  private final Domain domain;
  private final Renderer renderer;
  private final Stage stage;
  private double[] focus;

  /** The domain must be in the take's first state: the goal that is marked is taken from there. */
  public Shot(Domain domain, Task task, Renderer renderer) {
    this.domain = domain;
    this.renderer = renderer;
    stage = new Stage(domain, task);
    focus = domain.focus();
  }

  /** How many control steps pass from one frame to the next. */
  public static int stepsPerFrame(DomainFacts facts) {
    return Math.max(1, (int) Math.round(1 / (FRAMES_PER_SECOND * facts.controlTimestep())));
  }

  /** How long a frame is shown, in hundredths of a second. */
  public static int delay(DomainFacts facts) {
    double seconds = stepsPerFrame(facts) * facts.controlTimestep();
    return Math.max(SHORTEST_DELAY, (int) Math.round(100 * seconds));
  }

  /** The robot as it is now. */
  public Image frame(String caption) {
    return frame(caption, List.of());
  }

  /** The robot as it is now, with more shapes. */
  Image frame(String caption, List<Placed> more) {
    focus = Camera.follow(focus, domain.focus());
    Camera camera = domain.camera(focus);
    List<Placed> shapes = new ArrayList<>(stage.shapes());
    shapes.addAll(more);
    return renderer.render(shapes, camera, domain.look().litFor(camera)).caption(caption);
  }
}
