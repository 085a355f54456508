package dev.psm.app;

import dev.psm.agents.Agent;
import dev.psm.core.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Changes of settings in a table of several agents: {@code batchSize=512} is for all of them,
 * {@code psm.protoSteps=5000} for one.
 */
final class AgentOverrides {
  private final List<String> overrides;

  AgentOverrides(List<String> overrides) {
    this.overrides = overrides;
  }

  /** Those that say whose setting it is. */
  List<String> owned() {
    return overrides.stream().filter(AgentOverrides::isOwned).toList();
  }

  private static boolean isOwned(String override) {
    int dot = override.indexOf('.');
    return dot >= 0 && dot < override.indexOf('=');
  }

  /**
   * What is said to all agents and to this one.
   *
   * @param agents of the table
   * @param named finds an agent by its id, and refuses an unknown one
   */
  List<String> of(Agent agent, List<Agent> agents, Function<String, ? extends Agent> named) {
    List<String> own = new ArrayList<>();
    for (String override : overrides) {
      if (!isOwned(override)) {
        own.add(override);
        continue;
      }
      int dot = override.indexOf('.');
      Agent owner = named.apply(override.substring(0, dot));
      if (!agents.contains(owner)) {
        throw UserError.invalid("'%s' is for an agent that is not in this table", override);
      }
      if (owner == agent) {
        own.add(override.substring(dot + 1));
      }
    }
    return own;
  }
}
