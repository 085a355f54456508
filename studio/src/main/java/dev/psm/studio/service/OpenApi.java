package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The service's description of itself. */
final class OpenApi {
  private static final String FILE = "openapi.json";

  private final ObjectNode document = read();

  private static ObjectNode read() {
    try (InputStream file = OpenApi.class.getResourceAsStream(FILE)) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      ObjectNode document = (ObjectNode) Json.parse(text, FILE);
      ((ObjectNode) document.get("info")).put("version", version());
      return document;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String version() {
    return Optional.ofNullable(OpenApi.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  ObjectNode document() {
    return document;
  }

  /** The server by the Open Inference Protocol. */
  ObjectNode server() {
    ObjectNode server = Json.object().put("name", "psm").put("version", version());
    server.putArray("extensions").add("binary_tensor_data");
    return server;
  }
}
