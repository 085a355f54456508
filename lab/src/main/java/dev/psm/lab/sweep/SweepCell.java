package dev.psm.lab.sweep;

import dev.psm.agents.Agent;
import dev.psm.agents.AgentSettings;
import dev.psm.core.io.Hashes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A row of a sweep's table: an agent with its settings on a world, for all seeds.
 *
 * @param values of the settings that the sweep names, by key
 * @param varied those of them of which the agent has several values on the world
 * @param settings all of them
 */
record SweepCell(
    SweptWorld world,
    Agent agent,
    TreeMap<String, String> values,
    Set<String> varied,
    Record settings) {
  private static final int LONGEST_NAME = 150;
  private static final Pattern UNUSUAL = Pattern.compile("[^\\w.,=+-]");

  /** No two worlds of a sweep share a label. */
  boolean isOn(SweptWorld other) {
    return world.label().equals(other.label());
  }

  /** No two settings of an agent on a world are the same. */
  @Override
  public boolean equals(Object other) {
    return other instanceof SweepCell cell
        && cell.isOn(world)
        && cell.agent.id().equals(agent.id())
        && cell.settings.equals(settings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(world.label(), agent.id(), settings);
  }

  /** As in "discount=0.9 learningRate=0.001". */
  String setting() {
    return joined(" ");
  }

  private String joined(String separator) {
    return values.entrySet().stream()
        .map(Map.Entry::toString)
        .collect(Collectors.joining(separator));
  }

  /** The same without what all rows of the agent have. */
  String variation() {
    return values.entrySet().stream()
        .filter(each -> varied.contains(each.getKey()))
        .map(Map.Entry::toString)
        .collect(Collectors.joining(" "));
  }

  /** As a person names it, the agent before what tells its settings apart. */
  String name() {
    return (agent.id() + " " + variation()).strip();
  }

  /** The name of its folder: the settings as far as a name can have them. */
  String folder() {
    String name = joined(",");
    if (name.isEmpty()) {
      return "preset";
    }
    if (name.length() <= LONGEST_NAME && !UNUSUAL.matcher(name).find()) {
      return name;
    }
    String hash = Hashes.sha256(name.getBytes(StandardCharsets.UTF_8)).substring(0, 12);
    String readable = UNUSUAL.matcher(name).replaceAll("_");
    return readable.substring(0, Math.min(LONGEST_NAME, readable.length())) + "-" + hash;
  }

  int gradientSteps() {
    return ((AgentSettings) settings).gradientSteps();
  }
}
