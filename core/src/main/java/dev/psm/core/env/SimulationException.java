package dev.psm.core.env;

/** What a simulation cannot go on after: a state it cannot take, or numbers that blew up. */
public class SimulationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SimulationException(String message) {
    super(message);
  }
}
