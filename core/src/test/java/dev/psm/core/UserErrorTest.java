package dev.psm.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UserErrorTest {
  @Test
  void whatIsQuotedCannotSteerATerminal() {
    assertEquals(
        "tensor '\\u001b[2J\\u202e':\n  is missing",
        UserError.invalid("tensor '%s':\n  is missing", "\033[2J\u202e").getMessage());
  }

  @Test
  void bothEndsOfAnEndlessMessageStay() {
    String message =
        UserError.invalid("x.json: found '%s'; copy it again", "y".repeat(1 << 20)).getMessage();
    assertTrue(message.startsWith("x.json: found 'yyy"), message);
    assertTrue(message.endsWith("yyy'; copy it again"), message);
    assertTrue(message.length() < 5000, message.length() + " characters");
  }
}
