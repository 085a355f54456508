package dev.psm.mujoco;

import dev.psm.core.env.SimulationException;

/**
 * What MuJoCo itself complained about: an error, or a warning that no episode should go on after.
 */
public final class MujocoException extends SimulationException {
  private static final long serialVersionUID = 1L;

  public MujocoException(String message) {
    super(message);
  }
}
