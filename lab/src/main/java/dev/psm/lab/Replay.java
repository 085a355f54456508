package dev.psm.lab;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.JsonField;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.MujocoException;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.View;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.FetchReach;
import dev.psm.mujoco.suite.PhysicsEnvironment;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Drives a domain through a list of controls from a given state and writes down everything there is
 * to see after each, so that another engine's or another implementation's trajectory can be
 * compared number by number.
 */
public final class Replay {
  /** Enough for every double to come back as itself. */
  private static final MathContext DIGITS = new MathContext(17);

  /** What is read, and what recorded trajectories tell besides. */
  private static final List<String> KEYS =
      List.of(
          "initial",
          "controls",
          "actions",
          "env",
          "initial_gripper_xpos",
          "frames",
          "engine",
          "physics_timestep",
          "substeps",
          "control_timestep",
          "diverged_at_step",
          "control_law",
          "protocol",
          "note",
          "nq",
          "nv",
          "nu",
          "na",
          "joint_names",
          "actuator_names",
          "sensor_names");

  private static final List<String> INITIAL_KEYS = List.of("qpos", "qvel", "act", "time", "goal");

  private final World world;
  private final Domain domain;
  private final JsonField initial;
  private final double[] start;
  private final double startTime;
  private final double[][] controls;
  private final RecordedFrames recorded;

  private Replay(Domain domain, JsonField file) {
    this.world = domain.world();
    this.domain = domain;
    this.initial = file.get("initial");
    this.start = start(domain, initial);
    this.startTime = initial.has("time") ? initial.get("time").number() : 0;
    this.controls = controls(domain, file);
    this.recorded = new RecordedFrames(file);
  }

  /**
   * What a replay came to.
   *
   * @param steps how many control steps it made
   * @param deviations from the frames that the file was recorded with, if it has any
   */
  public record Result(int steps, List<Deviation> deviations) {}

  /**
   * The largest differences from recorded frames up to a step.
   *
   * @param positions in {@code qpos}, {@code velocities} in {@code qvel}
   */
  public record Deviation(int step, double positions, double velocities, double observation) {}

  /**
   * Replays {@code in} and writes {@code out}.
   *
   * @param in JSON with {@code initial} (qpos, qvel, act) and {@code controls}, one list of raw
   *     actuator values per control step; FetchReach has {@code actions} instead, each four numbers
   *     or the number of a discrete action
   */
  public static Result run(World world, Path in, Path out) {
    JsonField file = JsonField.read(in);
    file.checkKeys(KEYS);
    file.get("initial").checkKeys(INITIAL_KEYS);
    if (file.has("env") && !world.name().startsWith(file.get("env").text())) {
      throw UserError.invalid(
          "%s is a trajectory of %s, not of %s", in, file.get("env").text(), world.name());
    }
    try (Domain domain = open(world, file)) {
      return new Replay(domain, file).write(out);
    }
  }

  /**
   * FetchReach comes with its base on the floor and without; a trajectory that tells where its
   * gripper started from belongs to the one that starts there.
   */
  private static Domain open(World world, JsonField file) {
    Environment environment = world.open();
    if (!(environment instanceof PhysicsEnvironment robot)) {
      environment.close();
      throw UserError.invalid(
          "replay drives robots on MuJoCo by their actuators; %s is not one", world.name());
    }
    Domain domain = robot.domain();
    if (domain instanceof FetchReach fetch && file.has("initial_gripper_xpos")) {
      double[] told = file.get("initial_gripper_xpos").numbers(3);
      FetchReach floating = FetchReach.withoutBaseContacts();
      boolean closer = distance(floating.home(), told) < distance(fetch.home(), told);
      (closer ? fetch : floating).close();
      return closer ? floating : fetch;
    }
    return domain;
  }

  private static double distance(double[] a, double[] b) {
    double squared = 0;
    for (int i = 0; i < a.length; i++) {
      squared += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(squared);
  }

  private static double[] start(Domain domain, JsonField initial) {
    Simulation simulation = domain.simulation();
    // What the file does not tell, such as Fetch's goal, stays as it is.
    double[] physics = domain.physics();
    int positions = simulation.qpos().size();
    int velocities = simulation.qvel().size();
    int activations = simulation.act().size();
    System.arraycopy(initial.get("qpos").numbers(positions), 0, physics, 0, positions);
    System.arraycopy(initial.get("qvel").numbers(velocities), 0, physics, positions, velocities);
    if (activations > 0) {
      System.arraycopy(
          initial.get("act").numbers(activations), 0, physics, positions + velocities, activations);
    } else if (initial.has("act")) {
      initial.get("act").numbers(0);
    }
    if (initial.has("goal") && domain instanceof FetchReach) {
      System.arraycopy(initial.get("goal").numbers(3), 0, physics, physics.length - 3, 3);
    }
    return physics;
  }

  private static double[][] controls(Domain domain, JsonField file) {
    boolean named = file.has("actions") && !file.has("controls");
    List<JsonField> rows = file.get(named ? "actions" : "controls").elements();
    double[][] controls = new double[rows.size()][];
    for (int i = 0; i < controls.length; i++) {
      JsonField row = rows.get(i);
      controls[i] =
          row.isInteger() && domain instanceof FetchReach
              ? FetchReach.direction(row.integer(0, FetchReach.DIRECTION_COUNT - 1))
              : row.numbers(domain.controlSize());
    }
    return controls;
  }

  private Result write(Path out) {
    int[] diverged = {-1};
    AtomicFiles.write(out, stream -> diverged[0] = write(stream));
    if (diverged[0] >= 0) {
      throw UserError.failed(
          null,
          "the simulation blew up in control step %d; the frames before it are in %s",
          diverged[0],
          out);
    }
    return new Result(controls.length, recorded.deviations());
  }

  /** Writes the document and returns the step in which the simulation blew up, or −1. */
  private int write(OutputStream stream) throws IOException {
    Simulation simulation = domain.simulation();
    JsonGenerator json = new JsonFactory().createGenerator(stream);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.writeStartObject();
    json.writeStringField("env", world.name());
    json.writeStringField("engine", world.engine());
    json.writeFieldName("physics_timestep");
    number(json, simulation.facts().timestep());
    json.writeNumberField("substeps", domain.substeps());
    json.writeFieldName("control_timestep");
    number(json, world.stepSeconds());
    json.writeArrayFieldStart("frames");
    int diverged = -1;
    for (int step = 0; step <= controls.length && diverged < 0; step++) {
      if (reach(step)) {
        recorded.compare(step, domain);
        frame(json, step);
      } else if (step == 0) {
        throw initial.error("the simulation cannot start there, its numbers are too large");
      } else {
        diverged = step;
      }
    }
    json.writeEndArray();
    if (diverged >= 0) {
      json.writeNumberField("diverged_at_step", diverged);
    }
    json.writeEndObject();
    json.writeRaw('\n');
    json.close();
    return diverged;
  }

  /** Goes on to a step, and says whether it came to a state that can be written down. */
  private boolean reach(int step) {
    try {
      if (step == 0) {
        domain.start(start);
        domain.simulation().setTime(startTime);
      } else if (!domain.advance(controls[step - 1])) {
        return false;
      }
    } catch (MujocoException warned) {
      // Numbers near the end of the range make the engine complain before they make it blow up.
      return false;
    }
    double[] observation = new double[world.observationSize()];
    domain.observe(observation);
    return finite(domain.physics())
        && finite(domain.simulation().sensors().toArray())
        && finite(observation)
        && finite(world.quantities().stream().mapToDouble(domain::get).toArray());
  }

  private static boolean finite(double[] values) {
    return Arrays.stream(values).allMatch(Double::isFinite);
  }

  private void frame(JsonGenerator json, int step) throws IOException {
    Simulation simulation = domain.simulation();
    json.writeRaw('\n');
    json.writeStartObject();
    json.writeNumberField("step", step);
    json.writeFieldName("time");
    number(json, simulation.time());
    json.writeNumberField("ncon", simulation.contacts());
    numbers(json, "ctrl", step == 0 ? new double[world.actionSize()] : controls[step - 1]);
    array(json, "qpos", simulation.qpos());
    array(json, "qvel", simulation.qvel());
    array(json, "act", simulation.act());
    array(json, "sensordata", simulation.sensors());
    if (simulation.mocapPosition().size() > 0) {
      array(json, "mocap_pos", simulation.mocapPosition());
      array(json, "mocap_quat", simulation.mocapQuaternion());
    }
    double[] observation = new double[world.observationSize()];
    domain.observe(observation);
    numbers(json, "observation", observation);
    json.writeObjectFieldStart("reward");
    for (Task task : world.tasks()) {
      json.writeFieldName(task.name());
      number(json, task.reward(domain));
    }
    json.writeEndObject();
    json.writeObjectFieldStart("quantities");
    for (Quantity quantity : world.quantities()) {
      json.writeFieldName(quantity.name());
      number(json, domain.get(quantity));
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void array(JsonGenerator json, String name, View view) throws IOException {
    numbers(json, name, view.toArray());
  }

  private static void numbers(JsonGenerator json, String name, double[] values) throws IOException {
    json.writeArrayFieldStart(name);
    for (double value : values) {
      number(json, value);
    }
    json.writeEndArray();
  }

  private static void number(JsonGenerator json, double value) throws IOException {
    if (value == 0) {
      json.writeNumber(0);
    } else {
      json.writeNumber(new BigDecimal(value).round(DIGITS));
    }
  }
}
