package dev.psm.spark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.lab.compute.TaskResult;
import java.util.ArrayList;
import java.util.List;

/** Tasks and what became of them, as they travel: lines of JSON. */
final class TaskMessage {
  private static final String INDEX = "index";
  private static final String TASK = "task";
  private static final String NOTES = "notes";

  private TaskMessage() {}

  /** A task with its place in the list of tasks. */
  record Asked(int index, ObjectNode task) {
    String line() {
      ObjectNode message = Json.object().put(INDEX, index);
      message.set(TASK, task);
      return Json.line(message);
    }

    static Asked of(String line) {
      JsonNode message = Json.parse(line, "a task");
      return new Asked(message.path(INDEX).asInt(), (ObjectNode) message.path(TASK));
    }
  }

  /** A result with the remarks that were made on the way. */
  record Answered(TaskResult result, List<String> notes) {
    String line() {
      ObjectNode message = Json.object().put(INDEX, result.index());
      result.put(message);
      notes.forEach(message.putArray(NOTES)::add);
      return Json.line(message);
    }

    static Answered of(String line) {
      JsonNode message = Json.parse(line, "a result");
      List<String> notes = new ArrayList<>();
      message.path(NOTES).forEach(note -> notes.add(note.asText()));
      return new Answered(
          TaskResult.of(message.path(INDEX).asInt(), JsonField.of("a result", message)), notes);
    }
  }
}
