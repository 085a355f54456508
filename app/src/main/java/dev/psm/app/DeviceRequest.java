package dev.psm.app;

import dev.psm.core.UserError;
import java.util.List;

/**
 * The device that the user wants, and where that was said: by the option or, without it, by the
 * environment.
 *
 * @param name auto, cpu or cuda
 * @param source null where nothing was said
 */
record DeviceRequest(String name, String source) {
  private static final String OPTION = "--device";
  static final String VARIABLE = "PSM_DEVICE";
  private static final List<String> NAMES = List.of("auto", "cpu", "cuda");

  /**
   * @param option null where it was not given
   */
  static DeviceRequest of(String option) {
    return of(option, System.getenv(VARIABLE));
  }

  /**
   * @param variable as the environment has it, where an empty one is none
   */
  static DeviceRequest of(String option, String variable) {
    boolean asVariable = option == null && variable != null && !variable.isEmpty();
    String source = asVariable ? VARIABLE : option != null ? OPTION : null;
    String name = asVariable ? variable : option != null ? option : "auto";
    if (!NAMES.contains(name)) {
      throw UserError.invalid("%s: expected auto, cpu or cuda, found '%s'", source, name);
    }
    return new DeviceRequest(name, source);
  }

  boolean is(String device) {
    return name.equals(device);
  }

  /** As the user wrote it. */
  @Override
  public String toString() {
    return VARIABLE.equals(source) ? source + "=" + name : OPTION + " " + name;
  }
}
