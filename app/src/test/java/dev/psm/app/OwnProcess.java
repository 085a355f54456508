package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** How a command ended that had a Java of its own, and all that it said. */
record OwnProcess(int code, String text) {
  /** With one variable of the environment set. */
  static OwnProcess run(String variable, String value, String... command)
      throws IOException, InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.openblas.load=mkl",
                "-cp",
                System.getProperty("java.class.path"),
                Psm.class.getName()));
    line.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put(variable, value);
    Process process = builder.start();
    // Java itself speaks up where that variable is set.
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .filter(said -> !said.startsWith("Picked up JAVA_TOOL_OPTIONS"))
            .collect(Collectors.joining("\n"));
    assertTrue(process.waitFor(5, TimeUnit.MINUTES));
    return new OwnProcess(process.exitValue(), text);
  }

  void has(String... words) {
    assertEquals(0, code, text);
    for (String word : words) {
      assertTrue(text.contains(word), text);
    }
  }
}
