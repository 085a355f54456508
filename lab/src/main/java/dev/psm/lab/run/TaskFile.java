package dev.psm.lab.run;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.TextFiles;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tasks as text, one a line: {@code name: formula}, or a formula or one of the environment's own
 * tasks without a name. Empty lines mean nothing, and # begins a remark. A file named {@code .json}
 * holds an object of formulas by name.
 */
final class TaskFile {
  // No formula begins so: a colon only comes after a question mark.
  private static final Pattern NAMED = Pattern.compile("\\s*([^\\s:?()]+)\\s*:(.*)");
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");

  /** What these would mean in --tasks, or in a table, is something else. */
  private static final Set<String> RESERVED = Set.of("all", "average");

  private TaskFile() {}

  static boolean isName(String word) {
    return NAME.matcher(word).matches();
  }

  static List<Task> read(Path file, World world) {
    if (file.toString().endsWith(".json")) {
      return readJson(file, world);
    }
    List<Task> tasks = new ArrayList<>();
    List<String> lines = TextFiles.lines(file, "a task a line, as in 'name: formula'");
    for (int i = 0; i < lines.size(); i++) {
      String content = lines.get(i).replaceFirst("#.*", "");
      if (content.isBlank()) {
        continue;
      }
      try {
        add(task(content, world), tasks);
      } catch (UserError e) {
        throw UserError.invalid("%s, line %d: %s", file, i + 1, e.getMessage());
      }
    }
    if (tasks.isEmpty()) {
      throw UserError.invalid(
          "%s: expected a task a line, as in 'name: formula', found none", file);
    }
    return tasks;
  }

  private static List<Task> readJson(Path file, World world) {
    JsonField root = JsonField.read(file);
    List<Task> tasks = new ArrayList<>();
    root.object()
        .fieldNames()
        .forEachRemaining(
            name -> {
              JsonField formula = root.get(name);
              formula.within(() -> add(named(name, formula.text(), world), tasks));
            });
    if (tasks.isEmpty()) {
      throw UserError.invalid("%s: expected {\"name\": \"formula\", …}, found none", file);
    }
    return tasks;
  }

  private static boolean add(Task task, List<Task> tasks) {
    if (tasks.stream().anyMatch(each -> each.name().equals(task.name()))) {
      throw UserError.invalid("the task '%s' is named twice", task.name());
    }
    return tasks.add(task);
  }

  private static Task task(String content, World world) {
    Matcher matcher = NAMED.matcher(content);
    if (!matcher.matches()) {
      return world.taskOrFormula(content);
    }
    // Blanks in place of the name, so that a mistake's column is that of the line.
    String formula = " ".repeat(matcher.start(2)) + matcher.group(2);
    return named(matcher.group(1), formula, world);
  }

  private static Task named(String name, String formula, World world) {
    if (!isName(name)) {
      throw UserError.invalid(
          "a name has letters, digits, - and _, and begins with a letter, found '%s'", name);
    }
    if (RESERVED.contains(name)
        || Formula.constants().containsKey(name)
        || world.namedTasks().stream().anyMatch(task -> task.name().equals(name))
        || world.quantities().stream().anyMatch(quantity -> quantity.name().equals(name))) {
      throw UserError.invalid("the name '%s' is taken; choose another", name);
    }
    Task task = world.taskOrFormula(formula);
    return new Task(name, task.meaning(), task.formula().strip(), task.reward());
  }
}
