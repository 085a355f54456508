package dev.psm.lab.study;

import dev.psm.agents.Agent;
import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Changes of settings in a table of several agents: {@code batchSize=512} is for all of them,
 * {@code psm.protoSteps=5000} for one.
 */
public final class AgentOverrides {
  private final List<String> overrides;

  public AgentOverrides(List<String> overrides) {
    this.overrides = overrides;
  }

  /** Those that say whose setting it is. */
  public List<String> owned() {
    return overrides.stream().filter(AgentOverrides::isOwned).toList();
  }

  private static boolean isOwned(String override) {
    int dot = override.indexOf('.');
    return dot >= 0 && dot < override.indexOf('=');
  }

  /** What only some agents know must say whose it is; what none knows is refused later. */
  private static void requireShared(String override, Agent agent, List<Agent> agents) {
    String key = override.substring(0, Math.max(0, override.indexOf('=')));
    List<String> owners =
        agents.stream().filter(each -> knows(each, key)).map(Agent::id).distinct().toList();
    if (!owners.isEmpty() && !knows(agent, key)) {
      throw UserError.invalid(
          "'%s' is for every agent of the table, and %s has no setting %s; give %s",
          override,
          agent.id(),
          key,
          owners.stream().map(owner -> owner + "." + override).collect(Collectors.joining(" or ")));
    }
  }

  private static boolean knows(Agent agent, String key) {
    return Settings.keys(agent.settingsType()).contains(key);
  }

  /**
   * What is said to all agents and to this one.
   *
   * @param agents of the table
   * @param named finds an agent by its id, and refuses an unknown one
   */
  public List<String> of(Agent agent, List<Agent> agents, Function<String, ? extends Agent> named) {
    return overrides.stream()
        .flatMap(override -> of(override, agent, agents, named).stream())
        .toList();
  }

  /** The same for one of them, without its owner; empty where it is another agent's. */
  public static Optional<String> of(
      String override, Agent agent, List<Agent> agents, Function<String, ? extends Agent> named) {
    if (!isOwned(override)) {
      requireShared(override, agent, agents);
      return Optional.of(override);
    }
    int dot = override.indexOf('.');
    Agent owner = named.apply(override.substring(0, dot));
    if (!agents.contains(owner)) {
      throw UserError.invalid("'%s' is for an agent that is not in this table", override);
    }
    return owner == agent ? Optional.of(override.substring(dot + 1)) : Optional.empty();
  }
}
