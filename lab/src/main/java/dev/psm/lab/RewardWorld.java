package dev.psm.lab;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridQuantities;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Vocabulary;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An environment as the reward language sees it: a robot, a built-in grid, or a map of the user's.
 *
 * @param tasks the built-in ones
 * @param examples formulas to begin with
 * @param states where states come from when there is no data: given a number of episodes and a seed
 * @param isGrid whether these are all its cells, whatever the episodes and the seed
 */
public record RewardWorld(
    String name,
    Vocabulary vocabulary,
    List<Task> tasks,
    List<String> examples,
    Function<Trial, StateSource> states,
    boolean isGrid) {

  /** How states are to be drawn. */
  public record Trial(int episodes, long seed, Progress progress) {}

  /** The robots, then the built-in grids. */
  public static List<String> names() {
    return Stream.concat(DomainFacts.all().stream().map(DomainFacts::name), GridMap.NAMES.stream())
        .toList();
  }

  /** The environment of that name, or the grid drawn in that file. */
  public static RewardWorld named(String name) {
    if (GridMap.NAMES.contains(name)) {
      return grid(GridMap.named(name));
    }
    if (names().contains(name) || name.equals("maze")) {
      return robot(DomainFacts.named(name));
    }
    Path file = RewardText.path(name);
    if (file != null && Files.isRegularFile(file)) {
      return grid(GridMap.read(file));
    }
    throw UserError.usage(
        "'%s' is neither an environment nor a map file; %s", name, Nearest.hint(name, names()));
  }

  private static RewardWorld robot(DomainFacts facts) {
    return new RewardWorld(
        facts.name(),
        facts.vocabulary(),
        facts.tasks(),
        switch (facts.name()) {
          case "walker" -> List.of("upright * clip(velocity_x / 4, 0, 1)");
          case "cheetah" -> List.of("clip(velocity_x / 10, 0, 1) - 0.1 * (torso_height > 0.7)");
          case "quadruped" -> List.of("(1 + upright) / 2 * tolerance(distance(3, 0), 0, 0.5, 3)");
          case "point_mass_maze" -> List.of("exp(-10 * distance(0.2, -0.2))");
          default -> List.of("exp(-5 * distance(1.4, 0.8, 0.6))");
        },
        trial -> new RandomStates(facts, trial.episodes(), trial.seed(), trial.progress()),
        false);
  }

  private static RewardWorld grid(GridMap map) {
    int middle = map.freeCellCount() / 2;
    int last = map.freeCellCount() - 1;
    return new RewardWorld(
        map.name(),
        GridQuantities.vocabulary(map),
        List.of(),
        List.of(
            "row == %d && col == %d".formatted(map.row(last), map.column(last)),
            "exp(-distance(%d, %d) / 3) - 0.1 * (row < 2)"
                .formatted(map.row(middle), map.column(middle))),
        trial -> new GridStates(map),
        true);
  }

  /** What the user asks for as a reward: the name of a task, or else a formula. */
  public String formula(String text) {
    return tasks.stream()
        .filter(task -> task.name().equals(text.strip()))
        .findFirst()
        .map(Task::formula)
        .orElse(text);
  }
}
