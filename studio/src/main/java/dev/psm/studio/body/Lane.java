package dev.psm.studio.body;

import dev.psm.core.Seeds;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Scenery;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.util.List;
import java.util.Optional;

/** One body: its environment, what it pursues, and who pulls at it. For one thread. */
final class Lane implements AutoCloseable {
  /** The page repeats a push while it lasts; without that it ends, as when the page hangs. */
  private static final long PUSH_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final Pursuits pursuits;
  private final Mannequin mannequin;

  private Optional<Scenery> scenery = Optional.empty();
  private List<Shape> shapes = List.of();
  private Pursuit pursuit;
  private int promptId;
  private float[] observation;
  private double[] values = new double[0];
  private double total;
  private int elapsed;
  private int since;
  private int episodes;
  private boolean diverged;
  private Optional<double[]> preview = Optional.empty();
  private Message.Push push;
  private long pushed;

  Lane(World world, Pursuits pursuits, Mannequin mannequin) {
    this.environment = CheckedEnvironment.open(world);
    this.pursuits = pursuits;
    this.mannequin = mannequin;
    dress(Task.unpaid("nothing"));
  }

  /** Begins an episode; the same seed begins it in the same state. */
  void begin(long seed) {
    observation = environment.reset(Seeds.generator(Seeds.mix(seed, 0, "starts")));
    elapsed = 0;
    total = 0;
    episodes++;
    push = null;
    if (pursuit != null) {
      if (pursuit.drawn()) {
        pursuit = pursuits.solve(pursuit.asked(), environment);
      }
      engage();
      measure();
    }
  }

  /** Pursues something else from where it is. */
  Pursuit pursue(int id, Asked asked) {
    pursuit = pursuits.solve(asked, environment);
    promptId = id;
    total = 0;
    preview = Optional.empty();
    dress(pursuit.task());
    engage();
    measure();
    return pursuit;
  }

  private void engage() {
    since = 0;
    pursuit.policy().restart();
    pursuit.target().ifPresent(environment::replaceGoal);
  }

  /** What there is to draw may depend on the task: a goal has a mark. */
  private void dress(Task task) {
    scenery = environment.scenery(task);
    shapes = scenery.map(Lane::shapes).orElse(List.of());
  }

  private static List<Shape> shapes(Scenery scenery) {
    return scenery.shapes().stream().map(Placed::shape).toList();
  }

  /** Acts once; a body of which nothing was asked yet stands still in time. */
  void step() {
    if (pursuit == null) {
      return;
    }
    pull();
    Environment.Step step = environment.step(pursuit.policy().act(observation));
    observation = step.observation();
    elapsed++;
    since++;
    diverged |= step.diverged();
    if (step.diverged() || step.terminated()) {
      begin(episodes);
      return;
    }
    measure();
    if (values.length > 0 && !Double.isNaN(values[0])) {
      total += values[0];
    }
    if (step.truncated()) {
      goOn();
    }
  }

  /** Only the time of an episode is over; whoever watches wants to see more. */
  private void goOn() {
    try {
      observation = environment.startHere();
    } catch (UnsupportedOperationException e) {
      begin(episodes);
    }
  }

  private void measure() {
    values =
        pursuit.tracks().stream()
            .mapToDouble(track -> track.value().applyAsDouble(environment, observation))
            .toArray();
  }

  void push(Message.Push wanted) {
    if (scenery.isPresent()
        && wanted.shape() < shapes.size()
        && scenery.get().canBePushed(wanted.shape())) {
      push = wanted;
      pushed = System.nanoTime();
    }
  }

  void release() {
    push = null;
  }

  private void pull() {
    if (push == null) {
      return;
    }
    if (System.nanoTime() - pushed > PUSH_NANOS) {
      push = null;
      return;
    }
    Placed held = scenery.orElseThrow().shapes().get(push.shape());
    double[] point = held.position().clone();
    double[] rotation = held.rotation();
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 3; column++) {
        point[row] += rotation[3 * row + column] * push.point()[column];
      }
    }
    scenery.get().push(push.shape(), point, push.force());
  }

  void preview(Optional<double[]> state) {
    preview = state;
  }

  /** The pale body: of the preview, or of what is pursued. */
  List<Placed> ghost() {
    if (preview.isPresent()) {
      return mannequin.ghost(preview.get(), environment);
    }
    if (pursuit == null || pursuit.ghost().isEmpty()) {
      return List.of();
    }
    int last = pursuit.ghost().size() - 1;
    return mannequin.ghost(pursuit.ghost().get(Math.min(since, last)), environment);
  }

  Optional<Scenery> scenery() {
    return scenery;
  }

  /** The body's coordinates, in the order of its pose; empty where it cannot be posed. */
  double[] posture() {
    double[] state = environment.state();
    return environment.pose().stream().mapToDouble(each -> state[each.index()]).toArray();
  }

  /** The tracks' values after the last step. */
  double[] values() {
    return values;
  }

  int promptId() {
    return promptId;
  }

  int elapsed() {
    return elapsed;
  }

  int episodes() {
    return episodes;
  }

  /** What the first track came to since the prompt or the episode began. */
  double total() {
    return total;
  }

  /** Whether the simulation blew up since this was last asked. */
  boolean takeDiverged() {
    boolean was = diverged;
    diverged = false;
    return was;
  }

  Pursuit pursuit() {
    return pursuit;
  }

  /** Whether other shapes are there to draw after some work than were before. */
  boolean dressedOtherwise(Runnable work) {
    List<Shape> before = shapes;
    work.run();
    return !before.equals(shapes);
  }

  boolean isPushed() {
    return push != null;
  }

  @Override
  public void close() {
    environment.close();
  }
}
