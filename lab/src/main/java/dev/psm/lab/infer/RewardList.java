package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Reward;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The rewards of a pass, worked out for many states at once on the thread that asks. */
final class RewardList {
  private static final String NAME = "name";
  private static final String TEXT = "text";

  private final List<Task> tasks;

  RewardList(List<Task> tasks) {
    this.tasks = List.copyOf(tasks);
  }

  int size() {
    return tasks.size();
  }

  Task task(int reward) {
    return tasks.get(reward);
  }

  /** What must be measured for them. */
  List<Quantity> quantities(World world) {
    Set<Quantity> used = new LinkedHashSet<>();
    for (Task task : tasks) {
      used.addAll(
          task.reward() instanceof Formula formula ? formula.quantities() : world.quantities());
    }
    return List.copyOf(used);
  }

  /**
   * What a reward pays in the states {@code from} to {@code to}, exclusive; one that is not finite
   * is refused.
   *
   * @param out as long as the table; those places of it are set
   */
  void pay(int reward, States states, int from, int to, double[] out) {
    Task task = tasks.get(reward);
    QuantityTable table = states.quantities();
    if (task.reward() instanceof Formula formula) {
      formula.values(table, from, to, out);
    } else {
      for (int i = from; i < to; i++) {
        int row = i;
        out[i] = task.reward(quantity -> table.column(quantity)[row]);
      }
    }
    for (int i = from; i < to; i++) {
      if (!(Math.abs(out[i]) <= Reward.LARGEST)) {
        throw notFinite(task, states, i, out[i]);
      }
    }
  }

  private static UserError notFinite(Task task, States states, int at, double found) {
    String where =
        task.reward() instanceof Formula formula
            ? ", where " + formula.state(quantity -> states.quantities().column(quantity)[at])
            : "";
    return UserError.argument(
        "rewards",
        "'%s' pays %s in row %d of the dataset%s; every reward must be finite: guard the formula,"
            + " as in x != 0 ? 1 / x : 0",
        task.name(),
        found,
        states.rows()[at],
        where);
  }

  /** As a list that travels. */
  void write(ArrayNode list, World world) {
    for (Task task : tasks) {
      list.addObject().put(NAME, task.name()).put(TEXT, text(task, world));
    }
  }

  /** By its own name where the world knows it, for what it pays there need not be a formula. */
  private static String text(Task task, World world) {
    return world.namedTasks().stream()
        .filter(known -> known.reward() == task.reward())
        .map(Task::name)
        .findFirst()
        .orElse(task.formula().isEmpty() ? task.name() : task.formula());
  }

  static RewardList read(Iterable<JsonNode> list, World world) {
    List<Task> tasks = new ArrayList<>();
    for (JsonNode each : list) {
      Task task = world.taskOrFormula(each.path(TEXT).asText());
      tasks.add(new Task(each.path(NAME).asText(), task.meaning(), task.formula(), task.reward()));
    }
    return new RewardList(tasks);
  }
}
