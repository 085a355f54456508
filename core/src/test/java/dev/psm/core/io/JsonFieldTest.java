package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import org.junit.jupiter.api.Test;

final class JsonFieldTest {
  private static final String KEY = "a\u001b[31mb\npsm: all good";

  private final ObjectNode document = Json.object().put(KEY, "x");
  private final JsonField root = JsonField.of("a.json", document);

  /** What follows a line break would pass for a line of psm's own. */
  @Test
  void aKeyIsOneLineOfAnError() {
    assertEquals("a.json, field a\u001b[31mb\\npsm: all good", root.get(KEY).place());
    UserError error = assertThrows(UserError.class, () -> root.get(KEY).number());
    assertEquals(
        "a.json, field a\\u001b[31mb\\npsm: all good: expected a finite number, found \"x\"",
        error.getMessage());
    error = assertThrows(UserError.class, () -> root.get("c\nd"));
    assertEquals("a.json: key 'c\\nd' is missing", error.getMessage());
  }

  /** Others print them as names of tasks or of settings. */
  @Test
  void keysOfSeveralLinesAreNobodysNames() {
    UserError error = assertThrows(UserError.class, root::object);
    assertEquals(
        "a.json: expected keys of one line, found 'a\\u001b[31mb\\npsm: all good'",
        error.getMessage());
    assertEquals(
        Json.object().put("a b", 1), JsonField.of("a.json", Json.object().put("a b", 1)).object());
  }
}
