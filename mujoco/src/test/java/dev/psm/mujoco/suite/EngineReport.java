package dev.psm.mujoco.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.io.Json;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.MujocoException;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.mujoco.Simulation;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What psm reads from the engine of this process, as JSON. A process binds one engine for good, so
 * another one is looked at by a process of its own: this class's {@link #main}.
 */
final class EngineReport {
  static final List<String> TRAJECTORIES =
      List.of(
          "walker",
          "cheetah",
          "quadruped",
          "point_mass_maze",
          "point_mass_maze_wall",
          "fetchreach");

  private EngineReport() {}

  public static void main(String[] arguments) {
    System.out.println(Json.line(make()));
  }

  static ObjectNode make() {
    ObjectNode report = Json.object();
    report.put("version", MujocoLibrary.load().version());
    report.put("file", MujocoLibrary.load().file());
    ObjectNode facts = report.putObject("facts");
    ObjectNode exact = report.putObject("exact");
    for (RobotWorld each : Robots.all()) {
      try (Domain domain = each.openDomain()) {
        facts.set(each.name(), facts(domain));
        exact.put(each.name(), isRestoredExactly(each));
      }
    }
    ObjectNode deviations = report.putObject("deviations");
    TRAJECTORIES.forEach(name -> deviations.set(name, deviations(name)));
    report.put("pushed", pushed());
    report.put("warning", warning());
    report.put("divergence", isDivergenceTold());
    return report;
  }

  /** Everything of a model that any class reads, by MuJoCo's names. */
  private static ObjectNode facts(Domain domain) {
    ModelFacts model = domain.simulation().facts();
    ObjectNode node = Json.object();
    for (String size :
        List.of(
            "nq",
            "nv",
            "nu",
            "na",
            "nbody",
            "njnt",
            "ngeom",
            "nsite",
            "ntendon",
            "neq",
            "nmocap",
            "nsensor",
            "nsensordata")) {
      node.put(size, model.size(size));
    }
    int bodies = model.size("nbody");
    int joints = model.size("njnt");
    int geoms = model.size("ngeom");
    int sites = model.size("nsite");
    node.put("timestep", model.timestep());
    doubles(node, model, "qpos0", model.size("nq"));
    doubles(node, model, "body_pos", 3 * bodies);
    doubles(node, model, "body_mass", bodies);
    doubles(node, model, "jnt_range", 2 * joints);
    doubles(node, model, "actuator_ctrlrange", 2 * model.size("nu"));
    doubles(node, model, "geom_size", 3 * geoms);
    doubles(node, model, "site_size", 3 * sites);
    // The order of the principal axes is each version's own.
    double[] inertias = model.doubles("body_inertia", 3 * bodies);
    for (int body = 0; body < bodies; body++) {
      Arrays.sort(inertias, 3 * body, 3 * body + 3);
    }
    ArrayNode sorted = node.putArray("body_inertia");
    Arrays.stream(inertias).forEach(sorted::add);
    node.put("jnt_limited", Arrays.toString(model.flags("jnt_limited", joints)));
    for (String field : List.of("jnt_type", "jnt_qposadr", "jnt_dofadr")) {
      node.put(field, Arrays.toString(model.ints(field, joints)));
    }
    for (String field :
        List.of("geom_type", "geom_bodyid", "geom_contype", "geom_conaffinity", "geom_group")) {
      node.put(field, Arrays.toString(model.ints(field, geoms)));
    }
    for (String field : List.of("site_type", "site_bodyid", "site_group")) {
      node.put(field, Arrays.toString(model.ints(field, sites)));
    }
    for (String field : List.of("sensor_adr", "sensor_dim")) {
      node.put(field, Arrays.toString(model.ints(field, model.size("nsensor"))));
    }
    node.put("geom_rgba", Arrays.toString(model.floats("geom_rgba", 4 * geoms)));
    node.put("site_rgba", Arrays.toString(model.floats("site_rgba", 4 * sites)));
    ArrayNode names = node.putArray("names");
    for (int body = 0; body < bodies; body++) {
      names.add(domain.simulation().nameOf(Simulation.Kind.BODY, body));
    }
    return node;
  }

  private static void doubles(ObjectNode node, ModelFacts model, String field, int length) {
    ArrayNode list = node.putArray(field);
    Arrays.stream(model.doubles(field, length)).forEach(list::add);
  }

  /** Whether a stored state is come back to in every bit, and goes on as it did. */
  private static boolean isRestoredExactly(RobotWorld world) {
    try (PhysicsEnvironment environment = Robots.open(world.name());
        PhysicsEnvironment other = Robots.open(world.name())) {
      RandomGenerator random = Seeds.generator(3);
      Robots.reset(environment, 3);
      boolean same = true;
      for (int i = 0; i < 40; i++) {
        double[] moment = environment.moment();
        other.restore(moment);
        float[] action = Robots.action(world, random);
        same &= Arrays.equals(moment, other.moment());
        same &=
            Arrays.equals(environment.step(action).observation(), other.step(action).observation());
      }
      return same;
    }
  }

  /** The largest difference from the recorded positions up to 1, 10 and 100 steps. */
  private static ObjectNode deviations(String name) {
    JsonNode file = reference(name);
    ObjectNode deviations = Json.object();
    try (Domain domain = Robots.named(file.get("env").textValue()).openDomain()) {
      double[] physics = domain.physics();
      int at = 0;
      for (String part : List.of("qpos", "qvel", "act")) {
        for (JsonNode number : file.get("initial").path(part)) {
          physics[at++] = number.doubleValue();
        }
      }
      domain.start(physics);
      JsonNode controls = file.has("controls") ? file.get("controls") : file.get("actions");
      double largest = 0;
      int step = 0;
      for (JsonNode frame : file.get("frames")) {
        for (; step < frame.get("step").intValue(); step++) {
          domain.advance(numbers(controls.get(step)));
        }
        double[] recorded = numbers(frame.get("qpos"));
        for (int i = 0; i < recorded.length; i++) {
          largest = Math.max(largest, Math.abs(recorded[i] - domain.simulation().qpos().get(i)));
        }
        if (List.of(1, 10, 100).contains(step)) {
          deviations.put(Integer.toString(step), largest);
        }
      }
    }
    return deviations;
  }

  /** How fast a walker is after a step in which its torso was pushed forward. */
  private static double pushed() {
    try (Domain walker = Robots.named("walker").openDomain()) {
      walker.start(Seeds.generator(1));
      int torso = walker.simulation().id(Simulation.Kind.BODY, "torso");
      double[] point = new double[3];
      walker.simulation().bodyCentres().copy(3 * torso, point, 0, 3);
      point[2] += 0.1;
      walker.simulation().push(torso, point, new double[] {300, 0, 0});
      walker.advance(new double[walker.controlSize()]);
      return walker.simulation().qvel().get(1);
    }
  }

  private static String warning() {
    try (Domain domain = Robots.named("walker").openDomain()) {
      domain.simulation().ctrl().set(0, Double.NaN);
      domain.simulation().forward();
      return "none";
    } catch (MujocoException e) {
      return e.getMessage();
    }
  }

  private static boolean isDivergenceTold() {
    try (Domain domain = Robots.named("walker").openDomain()) {
      domain.simulation().qpos().set(0, Double.NaN);
      return !domain.simulation().step(1);
    }
  }

  private static JsonNode reference(String name) {
    try {
      return Json.read(
          Path.of(Simulation.class.getResource("reference/" + name + ".json").toURI()));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double[] numbers(JsonNode list) {
    double[] numbers = new double[list.size()];
    Arrays.setAll(numbers, i -> list.get(i).doubleValue());
    return numbers;
  }
}
