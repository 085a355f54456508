package dev.psm.mujoco.mjcf;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.formula.Vocabulary;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.Simulation.Kind;
import dev.psm.mujoco.mjcf.Gauge.Array;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that can be measured in a model, under names that a formula can take: every number of
 * every sensor, every coordinate of every joint, every activation. Controls are not among them: a
 * reward is of the state that was reached, and an {@code actuatorfrc} sensor tells the effort.
 */
final class Gauges {
  private static final List<String> TURN = List.of("_qw", "_qx", "_qy", "_qz");
  private static final List<String> PLACE = List.of("_x", "_y", "_z");

  private final Simulation simulation;
  private final ModelFacts model;
  private final Set<String> taken = new HashSet<>();
  private final List<Gauge> sensors = new ArrayList<>();
  private final List<Gauge> positions = new ArrayList<>();
  private final List<Gauge> velocities = new ArrayList<>();
  private final List<Gauge> activations = new ArrayList<>();

  Gauges(Simulation simulation) {
    this.simulation = simulation;
    this.model = simulation.facts();
    addSensors();
    addJoints();
    for (int i = 0; i < model.size("na"); i++) {
      add(activations, "activation_" + i, "1", "activation of an actuator", Array.ACTIVATIONS, i);
    }
  }

  /** All of them: sensors first, then the state. */
  List<Gauge> all() {
    List<Gauge> all = new ArrayList<>(sensors);
    all.addAll(state());
    return all;
  }

  List<Gauge> sensors() {
    return List.copyOf(sensors);
  }

  /** The numbers of the state, in the order in which it is stored. */
  List<Gauge> state() {
    List<Gauge> state = new ArrayList<>(positions);
    state.addAll(velocities);
    state.addAll(activations);
    return state;
  }

  private void addSensors() {
    int count = model.size("nsensor");
    int[] addresses = model.ints("sensor_adr", count);
    int[] sizes = model.ints("sensor_dim", count);
    int[] types = model.ints("sensor_type", count);
    int[] objects = model.ints("sensor_objid", count);
    int[] jointTypes = model.ints("jnt_type", model.size("njnt"));
    for (int i = 0; i < count; i++) {
      Optional<SensorType> type = SensorType.of(model, types[i]);
      String named = simulation.nameOf(Kind.SENSOR, i);
      String name = named.isEmpty() ? "sensor" + i : named;
      boolean slides =
          type.isPresent()
              && type.get().isOfJoint()
              && jointTypes[objects[i]] == model.constant("mjJNT_SLIDE");
      String unit = type.map(each -> each.unit(slides ? "m" : "rad")).orElse("1");
      String meaning =
          type.map(SensorType::element).orElse("sensor") + (named.isEmpty() ? ", unnamed" : "");
      for (int j = 0; j < sizes[i]; j++) {
        boolean alone = sizes[i] == 1;
        add(
            sensors,
            alone ? name : name + "_" + j,
            unit,
            alone ? meaning : "%s, number %d of %d".formatted(meaning, j + 1, sizes[i]),
            Array.SENSORS,
            addresses[i] + j);
      }
    }
  }

  private void addJoints() {
    int count = model.size("njnt");
    int[] types = model.ints("jnt_type", count);
    int[] places = model.ints("jnt_qposadr", count);
    int[] rates = model.ints("jnt_dofadr", count);
    for (int i = 0; i < count; i++) {
      String named = simulation.nameOf(Kind.JOINT, i);
      String name = named.isEmpty() ? "joint" + i : named;
      String meaning = named.isEmpty() ? "joint, unnamed" : "joint";
      if (types[i] == model.constant("mjJNT_FREE")) {
        addPositions(name, PLACE, "m", "place of the free " + meaning, places[i]);
        addPositions(name, TURN, "1", "orientation of the free " + meaning, places[i] + 3);
        addVelocities(name, "_velocity", "m/s", "velocity of the free " + meaning, rates[i]);
        addTurning(name, "free " + meaning, rates[i] + 3);
      } else if (types[i] == model.constant("mjJNT_BALL")) {
        addPositions(name, TURN, "1", "orientation of the ball " + meaning, places[i]);
        addTurning(name, "ball " + meaning, rates[i]);
      } else {
        boolean slides = types[i] == model.constant("mjJNT_SLIDE");
        String words = (slides ? "slide " : "hinge ") + meaning;
        String unit = slides ? "m" : "rad";
        addPositions(name, List.of("_position"), unit, "position of the " + words, places[i]);
        String rate = "velocity of the " + words;
        add(velocities, name + "_velocity", unit + "/s", rate, Array.VELOCITIES, rates[i]);
      }
    }
  }

  private void addPositions(String name, List<String> ends, String unit, String words, int first) {
    for (int i = 0; i < ends.size(); i++) {
      add(positions, name + ends.get(i), unit, words, Array.POSITIONS, first + i);
    }
  }

  private void addTurning(String name, String words, int first) {
    addVelocities(name, "_angular_velocity", "rad/s", "angular velocity of the " + words, first);
  }

  private void addVelocities(String name, String what, String unit, String words, int first) {
    for (int i = 0; i < PLACE.size(); i++) {
      add(velocities, name + what + PLACE.get(i), unit, words, Array.VELOCITIES, first + i);
    }
  }

  /** A name that a formula cannot take, or that is taken, is changed, and the meaning says so. */
  private void add(
      List<Gauge> gauges, String wanted, String unit, String meaning, Array array, int address) {
    String word = wanted.replaceAll("[^A-Za-z0-9_]", "_").replaceFirst("^(?=[0-9])", "_");
    String name = word;
    for (int i = 2; !Vocabulary.canName(name) || !taken.add(name); i++) {
      name = word + "_" + i;
    }
    String told = name.equals(wanted) ? meaning : meaning + "; '" + wanted + "' in the file";
    gauges.add(new Gauge(new Quantity(name, unit, told), array, address));
  }
}
