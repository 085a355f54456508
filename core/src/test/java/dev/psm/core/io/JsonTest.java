package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonTest {
  @TempDir Path directory;

  @Test
  void documentsRoundTripAndAreReadable() throws IOException {
    Path file = directory.resolve("a.json");
    ObjectNode node = Json.object().put("name", "ψ").put("rate", 3e-4);
    Json.write(file, node);
    assertEquals("{\n  \"name\" : \"ψ\",\n  \"rate\" : 3.0E-4\n}\n", Files.readString(file));
    assertEquals(node, Json.read(file));
  }

  @Test
  void malformedTextIsLocated() throws IOException {
    Path file = directory.resolve("bad.json");
    Files.writeString(file, "{\n  \"a\": 1,\n  \"b\": oops\n}");
    String message = refusal(file);
    assertTrue(message.startsWith(file + ", line 3, column "), message);
    assertTrue(message.contains("oops"), message);
  }

  @Test
  void everythingThatIsNotOneDocumentIsRefused() throws IOException {
    Path file = directory.resolve("bad.json");
    for (String text : List.of("", "  ", "{} {}", "{\"a\":1,\"a\":2}", "{\"a\":NaN}", "[1")) {
      Files.writeString(file, text);
      assertTrue(refusal(file).startsWith(file.toString()), text);
    }
    Files.write(file, new byte[] {'"', (byte) 0xff, '"'});
    assertTrue(refusal(file).contains("not UTF-8"));
    Files.writeString(file, "[".repeat(100_000));
    assertTrue(refusal(file).contains("not valid JSON"));
  }

  @Test
  void aMissingFileIsNamed() {
    Path file = directory.resolve("none.json");
    assertEquals("cannot read %s: there is no such file".formatted(file), refusal(file));
  }

  @Test
  void sha256IsTheStandardOne() {
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        Hashes.sha256(new byte[] {'a'}, new byte[] {'b', 'c'}));
  }

  private static String refusal(Path file) {
    return assertThrows(UserError.class, () -> Json.read(file)).getMessage();
  }
}
