package dev.psm.app;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;

/**
 * What every command says and where: results on standard output, everything else on standard error,
 * so that {@code --json} leaves exactly one JSON document on standard output.
 */
final class Output {
  @Option(
      names = "--json",
      description = "Print one JSON document on standard output, all else on standard error.")
  private boolean json;

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);

  /** A result for people; goes to standard error when standard output belongs to JSON. */
  void say(String text) {
    (json ? err : out).println(Wording.printable(text));
  }

  /** A remark about the work. */
  void note(String text) {
    // On a terminal it takes the line of a bar, which is drawn anew below it.
    err.println((isTerminal() ? "\r\033[K" : "") + "psm: " + Wording.printable(text));
  }

  void finish(JsonNode document) {
    if (json) {
      out.println(Wording.printable(Json.pretty(document).strip()));
    }
  }

  Progress progress() {
    return new TerminalProgress(err, isTerminal());
  }

  /** The launcher looks at standard error; Java can only tell for input and output together. */
  private static boolean isTerminal() {
    return Boolean.getBoolean("psm.terminal");
  }
}
