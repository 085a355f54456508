package dev.psm.studio.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** JSON in and out of requests. */
public final class Bodies {
  private Bodies() {}

  /** The request's body, which must be one JSON object. */
  public static ObjectNode object(Context request) {
    return object(request.bodyAsBytes());
  }

  /** One JSON object, refused in words where it is something else. */
  public static ObjectNode object(byte[] bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw RequestError.invalid("the body is not UTF-8 text, which JSON must be");
    }
    return object(text);
  }

  /** The same of a text. */
  public static ObjectNode object(String text) {
    JsonNode node;
    try {
      node = Json.parse(text, "body");
    } catch (UserError e) {
      throw RequestError.invalid("%s", e.getMessage());
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw RequestError.invalid(
        "the body must be a JSON object, found %s",
        node.getNodeType().name().toLowerCase(Locale.ROOT));
  }

  public static void answer(Context request, JsonNode document) {
    request.contentType("application/json").result(Json.line(document));
  }

  /** {@code {"error": …}}. */
  public static ObjectNode error(String message) {
    return Json.object().put("error", message);
  }
}
