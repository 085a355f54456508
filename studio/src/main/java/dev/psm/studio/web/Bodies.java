package dev.psm.studio.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.eclipse.jetty.http.HttpException;

/** JSON in and out of requests. */
public final class Bodies {
  /** Bytes a second that a long body must come in with, once it had some seconds. */
  private static final int MIN_RATE = 16 << 10;

  private static final int PATIENCE_SECONDS = 5;

  /** Characters of an error that are told, at its beginning and at its end. */
  private static final int END = 1_000;

  /**
   * A body that is too large is let come, and dropped, up to so many times what is allowed: a
   * client that is still sending may find the connection cut before it has read why.
   */
  private static final int EXCESS = 4;

  private Bodies() {}

  /** The request's body, which must be one JSON object. */
  public static ObjectNode object(Context request) {
    return object(bytes(request));
  }

  /** The request's body, of whatever it is; no more of it is kept than is allowed. */
  public static byte[] bytes(Context request) {
    int most = request.appData(WebServer.MAX_BODY);
    if (request.req().getContentLengthLong() > EXCESS * (long) most) {
      throw tooLarge(most);
    }
    if (request.header("Content-Encoding") != null) {
      throw new RequestError(
          415,
          "send the body as it is, without the Content-Encoding '%s'",
          request.header("Content-Encoding"));
    }
    String coding = request.header("Transfer-Encoding");
    if (coding != null && !coding.strip().equalsIgnoreCase("chunked")) {
      throw RequestError.invalid("send the body without the Transfer-Encoding '%s'", coding);
    }
    try {
      return read(request.req().getInputStream(), most);
    } catch (IOException | HttpException.RuntimeException incomplete) {
      throw isBroken(incomplete)
          ? RequestError.invalid("the body's chunks are not as HTTP wants them")
          : new RequestError(408, "the body did not come in whole");
    }
  }

  private static boolean isBroken(Exception incomplete) {
    for (Throwable each = incomplete; each != null; each = each.getCause()) {
      if (each instanceof HttpException known && known.getCode() == 400) {
        return true;
      }
    }
    return false;
  }

  /**
   * Not all bodies tell their length beforehand, and whoever sends a byte at times holds a thread.
   */
  private static byte[] read(InputStream body, int most) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] piece = new byte[1 << 16];
    long start = System.nanoTime();
    long came = 0;
    for (int count; (count = body.read(piece)) >= 0; ) {
      came += count;
      if (came <= most) {
        bytes.write(piece, 0, count);
      } else if (came > EXCESS * (long) most) {
        throw tooLarge(most);
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      if (seconds > PATIENCE_SECONDS && came / seconds < MIN_RATE) {
        throw new RequestError(408, "the body came in too slowly");
      }
    }
    if (came > most) {
      throw tooLarge(most);
    }
    return bytes.toByteArray();
  }

  private static RequestError tooLarge(int most) {
    return new RequestError(413, "a body may have at most %,d bytes", most);
  }

  /** Whether the body came in before anybody had to wait for it. */
  public static boolean isHere(Context request) {
    long length = request.req().getContentLengthLong();
    return length >= 0 && length <= WebServer.READ_AHEAD;
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

  /** {@code {"error": …}}; of a long message, which repeats what was sent, both ends. */
  public static ObjectNode error(String message) {
    return Json.object().put("error", message.length() > 2 * END ? ends(message) : message);
  }

  private static String ends(String message) {
    int head = Character.isHighSurrogate(message.charAt(END - 1)) ? END - 1 : END;
    int tail = message.length() - END;
    tail += Character.isLowSurrogate(message.charAt(tail)) ? 1 : 0;
    return message.substring(0, head) + " … " + message.substring(tail);
  }
}
