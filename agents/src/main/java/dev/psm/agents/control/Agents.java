package dev.psm.agents.control;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import java.util.List;

/** Every agent that learns continuous control from data. A new one needs a line here, no more. */
public final class Agents {
  private static final List<Agent> ALL =
      List.of(
          FactoredPsm.AGENT, //
          ControlForwardBackward.AGENT,
          ControlLaplacian.AGENT,
          Hilp.AGENT,
          Rldp.AGENT);

  private Agents() {}

  public static List<Agent> all() {
    return ALL;
  }

  public static List<String> ids() {
    return ALL.stream().map(Agent::id).toList();
  }

  /** An unknown one is refused with the nearest known. */
  public static Agent named(String id) {
    return ALL.stream()
        .filter(agent -> agent.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "no agent '%s' learns from data; %s", id, Nearest.hint(id, ids())));
  }
}
