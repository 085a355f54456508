package dev.psm.studio.body;

import dev.psm.core.io.JsonField;
import dev.psm.studio.web.Bodies;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a page says to its session: one JSON object each. */
@SuppressWarnings("ArrayRecordComponent") // never compared
sealed interface Message {
  /** Two policies beside each other are as many as a page shows. */
  int MAX_LANES = 2;

  double MIN_SPEED = 0.1;
  double MAX_SPEED = 4;

  /** How many bodies there are, each with a policy of its own. */
  record Lanes(int count) implements Message {}

  /**
   * Another prompt for a body, which goes on from where it is.
   *
   * @param id chosen by the page, which finds it again in frames
   */
  record Prompt(int lane, int id, Asked asked) implements Message {}

  record Play(boolean playing) implements Message {}

  /** As a multiple of real time. */
  record Speed(double factor) implements Message {}

  /** All bodies begin anew, in the same start. */
  record Reset() implements Message {}

  /**
   * Pulls at a body until {@link Release}, or until the page has not said so again for a while.
   *
   * @param point in the shape's own frame
   * @param force in newtons, in the world's axes
   */
  record Push(int lane, int shape, double[] point, double[] force) implements Message {}

  record Release(int lane) implements Message {}

  /** Shows a posture as a ghost before it is asked for; none to show the prompt's own again. */
  record Preview(int lane, Optional<Asked> asked) implements Message {}

  /** Asks for the body's present coordinates. */
  record Posture(int lane) implements Message {}

  /** Reads a message; whatever is wrong is told in a sentence. */
  static Message read(String text) {
    JsonField message = JsonField.of(Path.of("message"), Bodies.object(text));
    String type = message.get("type").text();
    switch (type) {
      case "lanes" -> {
        message.checkKeys(List.of("type", "count"));
        return new Lanes(message.get("count").integer(1, MAX_LANES));
      }
      case "prompt" -> {
        message.checkKeys(List.of("type", "lane", "id", "prompt"));
        return new Prompt(
            lane(message),
            message.get("id").integer(0, 1 << 24),
            Asked.read(message.get("prompt")));
      }
      case "play" -> {
        message.checkKeys(List.of("type", "playing"));
        return new Play(message.get("playing").truth());
      }
      case "speed" -> {
        message.checkKeys(List.of("type", "factor"));
        double factor = message.get("factor").number();
        if (!(factor >= MIN_SPEED && factor <= MAX_SPEED)) {
          throw message
              .get("factor")
              .error("expected %s to %s, found %s".formatted(MIN_SPEED, MAX_SPEED, factor));
        }
        return new Speed(factor);
      }
      case "reset" -> {
        message.checkKeys(List.of("type"));
        return new Reset();
      }
      case "push" -> {
        message.checkKeys(List.of("type", "lane", "shape", "point", "force"));
        return new Push(
            lane(message),
            message.get("shape").integer(0, Integer.MAX_VALUE),
            message.get("point").numbers(3),
            message.get("force").numbers(3));
      }
      case "release" -> {
        message.checkKeys(List.of("type", "lane"));
        return new Release(lane(message));
      }
      case "preview" -> {
        message.checkKeys(List.of("type", "lane", "prompt"));
        return new Preview(
            lane(message),
            message.has("prompt")
                ? Optional.of(Asked.read(message.get("prompt")))
                : Optional.empty());
      }
      case "posture" -> {
        message.checkKeys(List.of("type", "lane"));
        return new Posture(lane(message));
      }
      default ->
          throw message
              .get("type")
              .error(
                  "expected lanes, prompt, play, speed, reset, push, release, preview or posture,"
                      + " found "
                      + type);
    }
  }

  private static int lane(JsonField message) {
    return message.get("lane").integer(0, MAX_LANES - 1);
  }
}
