package dev.psm.studio.web;

import dev.psm.core.io.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Tells what is no HTTP, and what never comes to a route, as all other errors are told. */
final class JsonErrors extends ErrorHandler {
  private static final HttpField JSON = new HttpField(HttpHeader.CONTENT_TYPE, "application/json");

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    response.getHeaders().put(JSON);
    Object message = request.getAttribute(ERROR_MESSAGE);
    response.write(
        true, body(response.getStatus(), message == null ? null : message.toString()), callback);
    return true;
  }

  private static ByteBuffer body(int status, String reason) {
    String text = reason == null || reason.isBlank() ? HttpStatus.getMessage(status) : reason;
    return ByteBuffer.wrap(Json.line(Bodies.error(text)).getBytes(StandardCharsets.UTF_8));
  }
}
