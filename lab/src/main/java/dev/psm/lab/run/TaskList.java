package dev.psm.lab.run;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Several tasks as a command is given them: names and formulas with commas between them. */
public final class TaskList {
  private TaskList() {}

  /** {@code all} is every task of the environment; a formula goes by its own text. */
  public static List<Task> of(String text, World world) {
    return of(text, null, world);
  }

  /**
   * The same where a {@link TaskFile} adds names; {@code all} is then every task of the file.
   *
   * @param file null for none
   */
  public static List<Task> of(String text, Path file, World world) {
    List<Task> known = file == null ? world.tasks() : TaskFile.read(file, world);
    if (text.strip().equals("all")) {
      if (known.isEmpty()) {
        throw UserError.invalid(
            "%s has no tasks of its own; give formulas, or a file of tasks", world.name());
      }
      return known;
    }
    List<Task> tasks = new ArrayList<>();
    for (String word : split(text)) {
      if (word.isBlank()) {
        throw UserError.invalid("expected tasks with commas between them, found '%s'", text);
      }
      Task added =
          known.stream()
              .filter(each -> each.name().equals(word.strip()))
              .findFirst()
              .orElseGet(() -> taskOrFormula(word, file, known, world));
      if (tasks.stream().anyMatch(each -> each.name().equals(added.name()))) {
        throw UserError.invalid("the task '%s' is named twice", added.name());
      }
      tasks.add(added);
    }
    return tasks;
  }

  private static Task taskOrFormula(String word, Path file, List<Task> known, World world) {
    try {
      return world.taskOrFormula(word);
    } catch (UserError e) {
      if (file == null || !TaskFile.isName(word.strip())) {
        throw e;
      }
      List<String> names = known.stream().map(Task::name).toList();
      throw UserError.invalid(
          "%s has no task '%s', nor has %s; %s",
          file, word.strip(), world.name(), Nearest.hint(word.strip(), names));
    }
  }

  /** At commas that no parenthesis holds. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '(' -> depth++;
        case ')' -> depth--;
        case ',' -> {
          if (depth == 0) {
            parts.add(text.substring(begin, i));
            begin = i + 1;
          }
        }
        default -> {}
      }
    }
    parts.add(text.substring(begin));
    return parts;
  }
}
