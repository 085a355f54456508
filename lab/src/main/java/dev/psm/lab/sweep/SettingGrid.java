package dev.psm.lab.sweep;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import dev.psm.lab.study.AgentOverrides;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The settings of one agent on one world: every combination of the lists, with every draw. */
final class SettingGrid {
  private final Sweep sweep;
  private final SweptWorld world;
  private final Agent agent;
  private final Map<String, SettingChoice> choices = new LinkedHashMap<>();

  SettingGrid(Sweep sweep, SweptWorld world, Agent agent) {
    this.sweep = sweep;
    this.world = world;
    this.agent = agent;
    sweep
        .settings()
        .forEach(
            (key, choice) ->
                AgentOverrides.of(key + "=…", agent, world.agents(), this::named)
                    .map(own -> own.substring(0, own.indexOf('=')))
                    .ifPresent(own -> add(own, choice)));
  }

  private Agent named(String id) {
    return Agents.named(id, world.world());
  }

  private void add(String key, SettingChoice choice) {
    if (choices.put(key, choice) != null) {
      throw UserError.argument(
          "settings", "%s is given twice for agent %s; keep one of them", key, agent.id());
    }
  }

  /** In the order in which they are given; draws that came out the same count once. */
  List<SweepCell> cells() {
    List<Map<String, String>> combinations = new ArrayList<>(List.of(new LinkedHashMap<>()));
    for (Map.Entry<String, SettingChoice> each : choices.entrySet()) {
      if (each.getValue().range().isEmpty()) {
        combinations = crossed(combinations, each.getKey(), each.getValue().values());
      }
    }
    boolean drawn = choices.values().stream().anyMatch(choice -> choice.range().isPresent());
    Map<Record, SweepCell> cells = new LinkedHashMap<>();
    for (Map<String, String> listed : combinations) {
      for (int draw = 0; draw < (drawn ? sweep.draws() : 1); draw++) {
        SweepCell cell = cell(with(listed, draw));
        SweepCell same = cells.putIfAbsent(cell.settings(), cell);
        if (same != null && !drawn) {
          throw UserError.argument(
              "settings",
              "the same trial is given twice: %s on %s; keep one of them",
              cell.name(),
              world.label());
        }
      }
    }
    return varied(cells.values());
  }

  private static List<Map<String, String>> crossed(
      List<Map<String, String>> combinations, String key, List<String> values) {
    List<Map<String, String>> all = new ArrayList<>();
    for (Map<String, String> before : combinations) {
      for (String value : values) {
        Map<String, String> more = new LinkedHashMap<>(before);
        more.put(key, value);
        all.add(more);
      }
    }
    return all;
  }

  private Map<String, String> with(Map<String, String> listed, int draw) {
    Map<String, String> all = new LinkedHashMap<>(listed);
    choices.forEach(
        (key, choice) ->
            choice
                .range()
                .ifPresent(range -> all.put(key, range.draw(sweep.drawSeed(), key, draw))));
    return all;
  }

  private SweepCell cell(Map<String, String> values) {
    List<String> assignments =
        values.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
    String preset = sweep.preset().orElseGet(() -> agent.defaultPreset(world.world()));
    Record settings;
    try {
      settings = agent.settings(preset, world.world(), sweep.steps().orElse(null), assignments);
    } catch (UserError refused) {
      throw refused.kind() == UserError.Kind.INVALID
          ? UserError.invalid("%s on %s: %s", agent.id(), world.label(), refused.getMessage())
          : refused;
    }
    TreeMap<String, String> named = new TreeMap<>();
    values.keySet().forEach(key -> named.put(key, Settings.text(settings, key)));
    return new SweepCell(world, agent, named, Set.of(), settings);
  }

  private static List<SweepCell> varied(Collection<SweepCell> cells) {
    Map<String, Set<String>> values = new TreeMap<>();
    cells.forEach(
        cell ->
            cell.values()
                .forEach(
                    (key, value) ->
                        values.computeIfAbsent(key, any -> new HashSet<>()).add(value)));
    values.values().removeIf(each -> each.size() < 2);
    return cells.stream()
        .map(
            cell ->
                new SweepCell(
                    cell.world(), cell.agent(), cell.values(), values.keySet(), cell.settings()))
        .toList();
  }
}
