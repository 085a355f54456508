package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Commands run in this process, with what they print caught. */
final class Cli {
  static final List<String> TINY_PSM =
      List.of(
          "basisDimension=4",
          "codesPerStep=4",
          "enrichedCodes=4",
          "coordinateWidth=16",
          "solveCodes=16",
          "dualSteps=30",
          "gradientSteps=60");

  private Cli() {}

  record Result(int code, String out, String err) {

    Result succeeded() {
      assertEquals(0, code, err);
      return this;
    }

    /** One document and nothing else on standard output. */
    JsonNode json() {
      succeeded();
      return Json.parse(out, "standard output");
    }

    /** A user's mistake: told in words on standard error, and nothing of the program's inside. */
    Result refused(String... words) {
      assertEquals(2, code, err);
      assertEquals("", out);
      for (String word : words) {
        assertTrue(err.contains(word), "'" + word + "' is not in: " + err);
      }
      assertFalse(err.contains("\tat "), err);
      assertFalse(err.contains("Exception"), err);
      return this;
    }
  }

  static Result run(Object... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream caughtOut = new ByteArrayOutputStream();
    ByteArrayOutputStream caughtErr = new ByteArrayOutputStream();
    int code;
    try {
      System.setOut(new PrintStream(caughtOut, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(caughtErr, true, StandardCharsets.UTF_8));
      code = Psm.execute(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return new Result(
        code,
        caughtOut.toString(StandardCharsets.UTF_8),
        caughtErr.toString(StandardCharsets.UTF_8));
  }

  /** The arguments with tiny settings of psm behind them. */
  static Result runTiny(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.addAll(TINY_PSM);
    return run(all.toArray());
  }
}
