package dev.psm.core.io;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * JSON with one set of rules for the whole project: UTF-8, one document per file, no duplicate
 * keys. A number that JSON lacks is written as the text {@code "NaN"} or {@code "Infinity"}, so
 * that a diverged run still leaves a record.
 */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final ObjectWriter PRETTY = MAPPER.writer(prettyPrinter());

  private Json() {}

  /** Reads one document; errors name the file, the line and the column. */
  public static JsonNode read(Path file) {
    return parse(TextFiles.read(file, "a JSON document"), file.toString());
  }

  /**
   * Reads one document from text.
   *
   * @param name names the source in errors
   */
  public static JsonNode parse(String text, String name) {
    JsonNode node;
    try {
      node = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw UserError.invalid(
          "%s, line %d, column %d: not valid JSON: %s",
          name,
          at == null ? 1 : at.getLineNr(),
          at == null ? 1 : at.getColumnNr(),
          firstLine(e.getOriginalMessage()));
    }
    if (node == null || node.isMissingNode()) {
      throw UserError.invalid("%s: expected a JSON document, found nothing", name);
    }
    return node;
  }

  /** Writes one document atomically, indented, with a final newline. */
  public static void write(Path file, JsonNode node) {
    AtomicFiles.writeText(file, pretty(node));
  }

  /** The document indented by two spaces, with a final newline. */
  public static String pretty(JsonNode node) {
    return render(PRETTY, node) + "\n";
  }

  /** The document on one line, without a newline. */
  public static String line(JsonNode node) {
    return render(MAPPER.writer(), node);
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static String decode(byte[] bytes, String name) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw UserError.invalid("%s: not UTF-8 text, which JSON must be", name);
    }
  }

  private static String render(ObjectWriter writer, JsonNode node) {
    try {
      return writer.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a JSON tree that cannot be written", e);
    }
  }

  /** The parser's own words, without its source code's settings and markers. */
  private static String firstLine(String message) {
    return message
        .lines()
        .findFirst()
        .orElse("")
        .replaceAll(
            " ?\\((start marker|for ).*|: enable `.*|, enable `.*|, from `[^`]*`| \\(bound as [^)]*\\)"
                + "|: not allowed as per `.*",
            "")
        .strip();
  }

  private static DefaultPrettyPrinter prettyPrinter() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
  }
}
