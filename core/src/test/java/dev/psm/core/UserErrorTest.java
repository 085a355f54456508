package dev.psm.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UserErrorTest {
  @Test
  void whatIsQuotedFromAFileCannotSteerATerminal() {
    String name = "a\u001b[2Jb\rc\u202ed\ud800e\u0000";
    assertEquals(
        "unknown key 'a\\u001b[2Jb\\u000dc\\u202ed\\ud800e\\u0000'\nnext line, 5 µs",
        UserError.usage("unknown key '%s'\nnext line, 5 µs", name).getMessage());
  }

  @Test
  void bothEndsOfAnEndlessMessageStay() {
    String message =
        UserError.usage("x.json: found '%s'; copy it again", "y".repeat(1 << 20)).getMessage();
    assertTrue(message.startsWith("x.json: found 'yyy"), message);
    assertTrue(message.endsWith("yyy'; copy it again"), message);
    assertTrue(message.length() < 5000, message.length() + " characters");
  }
}
