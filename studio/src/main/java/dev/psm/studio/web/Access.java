package dev.psm.studio.web;

import io.javalin.security.RouteRole;

/** Who may ask for a route. */
public enum Access implements RouteRole {
  /** Whoever reaches the server, without the token: for probes, which tell nothing. */
  OPEN
}
