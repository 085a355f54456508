package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Tasks in a folder, for processes that perform one each, and what became of them:
 *
 * <pre>
 *   tasks.json          the work and all of its tasks
 *   results/12.json     the answer of task 12, or why there is none
 * </pre>
 */
public final class WorkList {
  private static final String TASKS = "tasks.json";
  private static final String RESULTS = "results";
  private static final String WORK = "work";
  private static final long PAUSE_MILLIS = 1000;

  private final Path folder;
  private final String work;
  private final List<ObjectNode> tasks;

  WorkList(Path folder, String work, List<ObjectNode> tasks) {
    this.folder = folder;
    this.work = work;
    this.tasks = List.copyOf(tasks);
  }

  /** Whether a folder has one. */
  static boolean isIn(Path folder) {
    return Files.isRegularFile(folder.resolve(TASKS));
  }

  public static WorkList read(Path folder) {
    JsonField root = JsonField.read(folder.resolve(TASKS));
    root.checkKeys(List.of(WORK, "tasks"));
    return new WorkList(
        folder,
        root.get(WORK).text(),
        root.get("tasks").elements().stream().map(JsonField::object).toList());
  }

  void write() {
    ObjectNode root = Json.object().put(WORK, work);
    ArrayNode list = root.putArray("tasks");
    tasks.forEach(list::add);
    Json.write(folder.resolve(TASKS), root);
  }

  Work work() {
    return Attempt.work(work);
  }

  List<ObjectNode> tasks() {
    return tasks;
  }

  private Path file(int index) {
    return folder.resolve(RESULTS).resolve(index + ".json");
  }

  /**
   * Performs one of the tasks and keeps what became of it. One that another process performs is
   * waited for: it may be given up.
   *
   * @return what became of it; neither answer nor failure where somebody wanted it to stop
   */
  public TaskResult perform(int index, WorkContext context) {
    if (index < 0 || index >= tasks.size()) {
      throw UserError.invalid(
          "%s has tasks 0 to %d, found %d", folder.resolve(TASKS), tasks.size() - 1, index);
    }
    Work performed = work();
    TaskResult result = Attempt.perform(performed, index, tasks.get(index), context);
    while (result.answer().filter(performed::isBusy).isPresent()) {
      if (context.stop().getAsBoolean()) {
        return TaskResult.stopped(index);
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw UserError.failed(e, "interrupted while another process performs the task");
      }
      result = Attempt.perform(performed, index, tasks.get(index), context);
    }
    if (result.ended()) {
      ObjectNode kept = Json.object();
      result.put(kept);
      Json.write(file(index), kept);
    }
    return result;
  }

  /** What became of a task, if it has come to an end. */
  Optional<TaskResult> result(int index) {
    if (!Files.isRegularFile(file(index))) {
      return Optional.empty();
    }
    return Optional.of(TaskResult.of(index, JsonField.read(file(index))));
  }
}
