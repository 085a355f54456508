package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.psm.core.io.Json;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The answer to an {@link InferMessage}: JSON, behind which the actions may follow as bytes.
 *
 * @param jsonLength how many of the bytes are JSON; empty where all are
 */
@SuppressWarnings("ArrayRecordComponent")
record InferAnswer(byte[] bytes, Optional<Integer> jsonLength) {
  static InferAnswer of(InferMessage asked, ServedModel model, float[] actions) {
    if (!asked.isBinary()) {
      ArrayNode data = Json.object().putArray("data");
      for (float action : actions) {
        if (model.hasNumberedActions()) {
          data.add((long) action);
        } else {
          data.add(action);
        }
      }
      return new InferAnswer(
          json(asked, model, actions.length, Optional.of(data)), Optional.empty());
    }
    byte[] head = json(asked, model, actions.length, Optional.empty());
    ByteBuffer whole =
        ByteBuffer.allocate(head.length + actions.length * ModelDocuments.actionBytes(model))
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(head);
    for (float action : actions) {
      if (model.hasNumberedActions()) {
        whole.putLong((long) action);
      } else {
        whole.putFloat(action);
      }
    }
    return new InferAnswer(whole.array(), Optional.of(head.length));
  }

  private static byte[] json(
      InferMessage asked, ServedModel model, int actions, Optional<ArrayNode> data) {
    return Json.line(asked.answer(model, actions, data)).getBytes(StandardCharsets.UTF_8);
  }

  void send(Context request) {
    jsonLength.ifPresentOrElse(
        length ->
            request
                .header(InferMessage.JSON_LENGTH, Integer.toString(length))
                .contentType("application/octet-stream"),
        () -> request.contentType("application/json"));
    request.result(bytes);
  }
}
