package dev.psm.app;

import dev.psm.agents.Agents;
import java.util.Iterator;

/** The agents that learn from data, by name, for help texts. */
final class AgentNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Agents.ids().iterator();
  }
}
