package dev.psm.mujoco;

/**
 * What MuJoCo itself complained about: an error, or a warning that no episode should go on after.
 */
public final class MujocoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MujocoException(String message) {
    super(message);
  }
}
