package dev.psm.mujoco.mjcf;

import dev.psm.mujoco.ModelFacts;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * MuJoCo's kinds of sensors, called as the constants {@code mjSENS_} and, in lower case, as their
 * elements in XML.
 */
enum SensorType {
  TOUCH("N"),
  ACCELEROMETER("m/s^2"),
  VELOCIMETER("m/s"),
  GYRO("rad/s"),
  FORCE("N"),
  TORQUE("N m"),
  MAGNETOMETER("1"),
  RANGEFINDER("m"),
  JOINTPOS(SensorType.OF_JOINT),
  JOINTVEL(SensorType.OF_JOINT + "/s"),
  TENDONPOS("m"),
  TENDONVEL("m/s"),
  ACTUATORPOS("1"),
  ACTUATORVEL("1/s"),
  ACTUATORFRC("1"),
  BALLQUAT("1"),
  BALLANGVEL("rad/s"),
  JOINTLIMITPOS(SensorType.OF_JOINT),
  JOINTLIMITVEL(SensorType.OF_JOINT + "/s"),
  JOINTLIMITFRC("1"),
  TENDONLIMITPOS("m"),
  TENDONLIMITVEL("m/s"),
  TENDONLIMITFRC("N"),
  FRAMEPOS("m"),
  FRAMEQUAT("1"),
  FRAMEXAXIS("1"),
  FRAMEYAXIS("1"),
  FRAMEZAXIS("1"),
  FRAMELINVEL("m/s"),
  FRAMEANGVEL("rad/s"),
  FRAMELINACC("m/s^2"),
  FRAMEANGACC("rad/s^2"),
  SUBTREECOM("m"),
  SUBTREELINVEL("m/s"),
  SUBTREEANGMOM("kg m^2/s"),
  CLOCK("s"),
  USER("1");

  /** Stands for the unit of the joint that is sensed. */
  private static final String OF_JOINT = "joint";

  private final String unit;

  SensorType(String unit) {
    this.unit = unit;
  }

  /** The kind of that number; empty where a newer engine has more of them. */
  static Optional<SensorType> of(ModelFacts model, int number) {
    return Arrays.stream(values())
        .filter(type -> model.constant("mjSENS_" + type) == number)
        .findFirst();
  }

  boolean isOfJoint() {
    return unit.startsWith(OF_JOINT);
  }

  /**
   * The unit.
   *
   * @param jointUnit of the joint's position, where it is a joint that is sensed
   */
  String unit(String jointUnit) {
    return unit.replace(OF_JOINT, jointUnit);
  }

  String element() {
    return name().toLowerCase(Locale.ROOT);
  }
}
