package dev.psm.mujoco.suite;

import dev.psm.core.env.Scenery;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Colour;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.Simulation.Kind;
import dev.psm.mujoco.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What there is to draw of a domain: its model's geoms and sites of the groups 0 to 2, where the
 * simulation has them now. The one that is the {@link Domain#targetMarker} marks the task's goal.
 */
public final class Stage implements Scenery {
  private static final int DRAWN_GROUPS = 3;
  private static final double WALL_HALF_THICKNESS = 0.01;
  private static final double FLAT = 1e-4;
  private static final int WORLD = 0;
  private static final Colour PALE = Colour.of(1, 1, 1);
  private static final double PALENESS = 0.6;
  private static final double GHOST_ALPHA = 0.45;
  private static final double GHOST_SIZE = 0.97;

  private final Domain domain;
  private final Simulation simulation;
  private final Task task;
  private final List<Prop> props = new ArrayList<>();

  /**
   * One geom or site.
   *
   * @param body that it belongs to
   * @param depth how far behind the engine's origin, along local −z, the shape's middle lies
   */
  private record Prop(
      Shape shape,
      int body,
      double depth,
      boolean isTarget,
      boolean moves,
      View positions,
      View rotations,
      int id) {}

  public Stage(Domain domain, Task task) {
    this.domain = domain;
    simulation = domain.simulation();
    this.task = task;
    ModelFacts model = simulation.facts();
    add(model, "geom", Kind.GEOM, simulation.geomPositions(), simulation.geomRotations());
    add(model, "site", Kind.SITE, simulation.sitePositions(), simulation.siteRotations());
  }

  private void add(ModelFacts model, String what, Kind kind, View positions, View rotations) {
    boolean hasTarget = domain.target(task) != null;
    int count = model.size("n" + what);
    int[] bodies = model.ints(what + "_bodyid", count);
    int[] fixedTo = model.ints("body_weldid", model.size("nbody"));
    int[] types = model.ints(what + "_type", count);
    int[] groups = model.ints(what + "_group", count);
    double[] sizes = model.doubles(what + "_size", 3 * count);
    float[] colours = model.floats(what + "_rgba", 4 * count);
    for (int id = 0; id < count; id++) {
      boolean isTarget = simulation.nameOf(kind, id).equals(domain.targetMarker());
      boolean invisible = groups[id] >= DRAWN_GROUPS || colours[4 * id + 3] == 0;
      if (invisible || (isTarget && !hasTarget)) {
        continue;
      }
      Colour colour =
          new Colour(
              colours[4 * id], colours[4 * id + 1], colours[4 * id + 2], colours[4 * id + 3]);
      double[] size = Arrays.copyOfRange(sizes, 3 * id, 3 * id + 3);
      boolean plane = types[id] == model.constant("mjGEOM_PLANE");
      boolean ground = plane && (size[0] == 0 || size[1] == 0 || isFloor(model, bodies[id], id));
      Shape shape;
      if (!plane) {
        shape = solid(model, types[id], size, colour);
      } else if (ground) {
        shape = Shape.ground();
      } else {
        // A wall is thin but not a mere surface, or nobody would see it from above; a little
        // longer,
        // so that walls meet in the corners.
        size[size[0] > size[1] ? 0 : 1] += 2 * WALL_HALF_THICKNESS;
        shape = Shape.box(size[0], size[1], WALL_HALF_THICKNESS, colour);
      }
      double depth = plane && !ground ? WALL_HALF_THICKNESS : 0;
      boolean moves = fixedTo[bodies[id]] != WORLD && !isTarget;
      props.add(new Prop(shape, bodies[id], depth, isTarget, moves, positions, rotations, id));
    }
  }

  /** Whether a plane lies level in the world; what is called its size only limits its picture. */
  private static boolean isFloor(ModelFacts model, int body, int geom) {
    double[] quaternions = model.doubles("geom_quat", 4 * model.size("ngeom"));
    double tilt = Math.hypot(quaternions[4 * geom + 1], quaternions[4 * geom + 2]);
    return body == WORLD && tilt < 1e-6;
  }

  /** Meshes, height fields and whatever else a model may have are drawn as their bounding boxes. */
  private static Shape solid(ModelFacts model, int type, double[] size, Colour colour) {
    if (type == model.constant("mjGEOM_SPHERE")) {
      return Shape.sphere(size[0], colour);
    } else if (type == model.constant("mjGEOM_CAPSULE")) {
      return Shape.capsule(size[0], size[1], colour);
    } else if (type == model.constant("mjGEOM_ELLIPSOID")) {
      return Shape.ellipsoid(size[0], size[1], size[2], colour);
    } else if (type == model.constant("mjGEOM_CYLINDER")) {
      return Shape.cylinder(size[0], size[1], colour);
    }
    return Shape.box(
        Math.max(size[0], FLAT), Math.max(size[1], FLAT), Math.max(size[2], FLAT), colour);
  }

  @Override
  public List<Placed> shapes() {
    List<Placed> placed = new ArrayList<>(props.size());
    props.forEach(prop -> placed.add(place(prop, prop.shape)));
    return placed;
  }

  @Override
  public boolean canBePushed(int shape) {
    return props.get(shape).moves;
  }

  @Override
  public void push(int shape, double[] point, double[] force) {
    simulation.push(props.get(shape).body, point, force);
  }

  /**
   * What moves, where it is now, as a pale and translucent copy: a little smaller, so that it
   * vanishes within a robot of the same pose.
   */
  @Override
  public List<Placed> ghost() {
    List<Placed> placed = new ArrayList<>();
    for (Prop prop : props) {
      if (prop.moves) {
        Colour colour = prop.shape.colour().mix(PALE, PALENESS);
        placed.add(
            place(prop, prop.shape.scaled(GHOST_SIZE).withColour(colour.withAlpha(GHOST_ALPHA))));
      }
    }
    return placed;
  }

  @Override
  public double[] focus() {
    return domain.focus();
  }

  @Override
  public Camera camera(double[] focus) {
    return domain.camera(focus);
  }

  @Override
  public Look look() {
    return domain.look();
  }

  private Placed place(Prop prop, Shape shape) {
    double[] position = new double[3];
    double[] rotation = new double[9];
    prop.positions.copy(3 * prop.id, position, 0, 3);
    prop.rotations.copy(9 * prop.id, rotation, 0, 9);
    for (int i = 0; i < 3; i++) {
      position[i] -= prop.depth * rotation[3 * i + 2];
    }
    return new Placed(shape, prop.isTarget ? domain.target(task) : position, rotation);
  }
}
