package dev.psm.agents;

import dev.psm.agents.affine.AffinePsm;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.agents.control.ControlLaplacian;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.agents.control.Hilp;
import dev.psm.agents.control.Rldp;
import dev.psm.agents.discrete.DiscreteForwardBackward;
import dev.psm.agents.discrete.DiscreteLaplacian;
import dev.psm.agents.discrete.MeshPsm;
import dev.psm.agents.finite.ForwardBackward;
import dev.psm.agents.finite.Laplacian;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.core.settings.Settings;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Every agent. A new one needs a line here, no more. */
public final class Agents {
  private static final List<Agent> ALL =
      List.of(
          FactoredPsm.AGENT,
          ControlForwardBackward.AGENT,
          ControlLaplacian.AGENT,
          Hilp.AGENT,
          Rldp.AGENT,
          MeshPsm.AGENT,
          DiscreteForwardBackward.AGENT,
          DiscreteLaplacian.AGENT,
          AffinePsm.AGENT,
          ForwardBackward.AGENT,
          Laplacian.AGENT);

  private Agents() {}

  public static List<Agent> all() {
    return ALL;
  }

  /** Those for continuous actions. */
  public static List<ControlAgent> control() {
    return ALL.stream()
        .filter(ControlAgent.class::isInstance)
        .map(ControlAgent.class::cast)
        .toList();
  }

  /** Those that can learn a world. */
  public static List<Agent> learning(World world) {
    return ALL.stream().filter(agent -> agent.learns(world)).toList();
  }

  /** As users type them, each once. */
  public static List<String> ids() {
    return ALL.stream().map(Agent::id).distinct().toList();
  }

  /** The agent of that id that learns a world; where there is none, it says which ones do. */
  public static Agent named(String id, World world) {
    List<Agent> called = ALL.stream().filter(agent -> agent.id().equals(id)).toList();
    if (called.isEmpty()) {
      throw unknown(id, ids());
    }
    return called.stream()
        .filter(agent -> agent.learns(world))
        .findFirst()
        .orElseThrow(
            () ->
                world instanceof StoredWorld && learning(world).isEmpty()
                    ? absent(id, world)
                    : UserError.invalid(
                        "agent %s learns %s, which %s is not; %s",
                        id,
                        called.stream().map(Agent::learnable).collect(Collectors.joining(", and ")),
                        world.name(),
                        learning(world).isEmpty()
                            ? "no agent learns it"
                            : "of it learn "
                                + learning(world).stream()
                                    .map(Agent::id)
                                    .collect(Collectors.joining(", "))));
  }

  /**
   * The agent of a model whose shape has those keys. Where a world is known by its description
   * alone, that does not say whether its states are few and known; the model's shape does.
   */
  public static Agent ofModel(String id, World world, Set<String> shapeKeys) {
    Agent named = named(id, world);
    boolean isOther =
        world instanceof StoredWorld
            && !Settings.keys(named.shapeType()).containsAll(shapeKeys)
            && ALL.stream()
                .filter(agent -> agent.id().equals(id) && !agent.learns(world))
                .anyMatch(agent -> Settings.keys(agent.shapeType()).containsAll(shapeKeys));
    if (isOther) {
      throw absent(id, world);
    }
    return named;
  }

  /** An agent for continuous actions; an unknown one is refused with the nearest known. */
  public static ControlAgent control(String id) {
    return control().stream()
        .filter(agent -> agent.id().equals(id))
        .findFirst()
        .orElseThrow(() -> unknown(id, control().stream().map(Agent::id).toList()));
  }

  private static UserError absent(String id, World world) {
    return UserError.invalid(
        "world %s is not known here, only its description, and agent %s needs the world itself: add"
            + " the plugin or the file that it comes from",
        world.name(), id);
  }

  private static UserError unknown(String id, List<String> known) {
    return UserError.invalid("no agent '%s'; %s", id, Nearest.hint(id, known));
  }
}
