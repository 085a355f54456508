package dev.psm.lab.sweep;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.RunDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is learned from in a sweep: all of a finite world, or a dataset.
 *
 * @param label of its folder and its rows: the world's name, or that of the dataset's folder
 * @param gradeName what its runs are compared by, one of {@link Grade#names}
 */
record SweptWorld(
    String label,
    World world,
    RunDescription.Data data,
    List<Agent> agents,
    Grade grade,
    String gradeName) {

  /** All worlds of a sweep; what cannot be learned or graded is refused. */
  static List<SweptWorld> of(Sweep sweep) {
    List<SweptWorld> worlds = new ArrayList<>();
    for (String name : sweep.env()) {
      World world = Worlds.named(name);
      if (!(world instanceof FiniteWorld finite)) {
        throw UserError.argument(
            "env",
            "the states of %s are not few and known, so it is learned from data: collect some, and"
                + " name its folder under data",
            name);
      }
      worlds.add(of(sweep, finite));
    }
    sweep.map().forEach(file -> worlds.add(of(sweep, new GridWorld(GridMap.read(file)))));
    sweep.data().forEach(folder -> worlds.add(of(sweep, folder)));
    if (worlds.isEmpty()) {
      throw UserError.invalid("what should be learned? Give env, map or data");
    }
    Set<String> labels = new HashSet<>();
    for (SweptWorld world : worlds) {
      if (!labels.add(world.label)) {
        throw UserError.invalid(
            "two worlds or datasets of the sweep are called %s; their runs would go to one folder,"
                + " so rename one",
            world.label);
      }
    }
    return worlds;
  }

  private static SweptWorld of(Sweep sweep, FiniteWorld world) {
    return of(sweep, world.name(), world, RunDescription.Data.of(world));
  }

  private static SweptWorld of(Sweep sweep, Path folder) {
    if (!Dataset.isIn(folder)) {
      throw UserError.argument("data", "there is no dataset in %s", folder);
    }
    try (Dataset dataset = Dataset.open(folder)) {
      return of(
          sweep,
          folder.toAbsolutePath().normalize().getFileName().toString(),
          dataset.description().world(),
          RunDescription.Data.of(folder, dataset));
    }
  }

  private static SweptWorld of(Sweep sweep, String label, World world, RunDescription.Data data) {
    List<Agent> agents = sweep.agents().stream().map(id -> Agents.named(id, world)).toList();
    List<Grade> grades = agents.stream().map(agent -> Grade.of(agent, world)).distinct().toList();
    if (grades.size() > 1) {
      throw UserError.argument(
          "agents", "on %s they are graded by different things, so nothing compares them", label);
    }
    return new SweptWorld(
        label, world, data, agents, grades.get(0), gradeName(sweep.grade(), grades.get(0), world));
  }

  private static String gradeName(Optional<String> wanted, Grade grade, World world) {
    List<String> names = grade.names(world);
    if (names.isEmpty()) {
      throw UserError.invalid(
          "%s has no tasks, so its runs have no grade to be compared by", world.name());
    }
    if (wanted.isPresent() && !names.contains(wanted.get())) {
      throw UserError.argument(
          "grade",
          "runs on %s are not graded by '%s'; %s",
          world.name(),
          wanted.get(),
          Nearest.hint(wanted.get(), names));
    }
    return wanted.orElse(names.get(0));
  }

  boolean isFinite() {
    return world instanceof FiniteWorld;
  }

  boolean isSmallerBetter() {
    return grade.isSmallerBetter(gradeName);
  }

  /** As in a log. */
  String metric() {
    return grade.metric(gradeName);
  }

  /** What a number of it is, for a person. */
  String unit() {
    return switch (grade) {
      case ERRORS -> gradeName.equals(grade.headline()) ? "wrong actions, %" : "value lost, %";
      case RETURNS -> "return, " + gradeName;
      case GOALS -> gradeName.replace('_', ' ');
    };
  }
}
