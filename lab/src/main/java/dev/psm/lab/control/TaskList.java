package dev.psm.lab.control;

import dev.psm.core.UserError;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.suite.DomainFacts;
import java.util.ArrayList;
import java.util.List;

/** Several tasks as a command is given them: names and formulas with commas between them. */
public final class TaskList {
  private TaskList() {}

  /** {@code all} is every task of the environment; a formula goes by its own text. */
  public static List<Task> of(String text, DomainFacts facts) {
    if (text.strip().equals("all")) {
      return facts.tasks();
    }
    List<Task> tasks = new ArrayList<>();
    for (String word : split(text)) {
      if (word.isBlank()) {
        throw UserError.usage("expected tasks with commas between them, found '%s'", text);
      }
      Task task = facts.taskOrFormula(word);
      if (tasks.stream().anyMatch(each -> each.name().equals(task.name()))) {
        throw UserError.usage("the task '%s' is named twice", task.name());
      }
      tasks.add(task);
    }
    return tasks;
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
