package dev.psm.studio.body;

import dev.psm.core.io.JsonField;
import java.util.List;

/** What a page asks of an agent, as it is written in a message. */
@SuppressWarnings("ArrayRecordComponent") // never compared
sealed interface Asked {
  int MAX_WINDOW = 1000;
  int MAX_NUMBERS = 1 << 16;

  /** A formula, or a task by its name. */
  record Reward(String text) implements Asked {}

  /** An observation, or those of its numbers that goals speak of. */
  record Goal(float[] numbers) implements Asked {}

  /** The body's coordinates, in the order of {@code Environment.pose()}. */
  record Posture(double[] values) implements Asked {}

  /** A state of the agent's inference sample. */
  record Frame(int index) implements Asked {}

  /** A file that was uploaded before. */
  record Demonstration(String upload, int window) implements Asked {}

  static Asked read(JsonField prompt) {
    String kind = prompt.get("kind").text();
    switch (kind) {
      case "reward" -> {
        prompt.checkKeys(List.of("kind", "text"));
        return new Reward(prompt.get("text").textOrBlank());
      }
      case "goal" -> {
        prompt.checkKeys(List.of("kind", "numbers"));
        return new Goal(few(prompt.get("numbers")).floats());
      }
      case "pose" -> {
        prompt.checkKeys(List.of("kind", "values"));
        JsonField values = few(prompt.get("values"));
        return new Posture(values.numbers(values.elements().size()));
      }
      case "frame" -> {
        prompt.checkKeys(List.of("kind", "index"));
        return new Frame(prompt.get("index").integer(0, Integer.MAX_VALUE));
      }
      case "demonstration" -> {
        prompt.checkKeys(List.of("kind", "upload", "window"));
        return new Demonstration(
            prompt.get("upload").text(), prompt.get("window").integer(1, MAX_WINDOW));
      }
      default ->
          throw prompt
              .get("kind")
              .error("expected reward, goal, pose, frame or demonstration, found " + kind);
    }
  }

  private static JsonField few(JsonField list) {
    int count = list.elements().size();
    if (count > MAX_NUMBERS) {
      throw list.error("expected at most %d numbers, found %d".formatted(MAX_NUMBERS, count));
    }
    return list;
  }
}
