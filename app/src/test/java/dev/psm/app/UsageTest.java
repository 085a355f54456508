package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "demo",
        "pretrain",
        "solve",
        "evaluate",
        "reproduce",
        "reproduce grids",
        "exact",
        "bench",
        "bench grids",
        "doctor"
      })
  void everyCommandHasHelp(String command) {
    Cli.Result result = Cli.run((Object[]) (command + " --help").strip().split(" "));
    assertEquals(0, result.code());
    assertTrue(result.out().contains("Usage: psm"), result.out());
    assertEquals("", result.err());
  }

  @Test
  void theVersionIsOneLine() {
    assertTrue(Cli.run("--version").succeeded().out().startsWith("psm "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pretrian",
        "--frobnicate",
        "reproduce",
        "reproduce table",
        "bench",
        "solve",
        "evaluate",
        "pretrain --sead 1",
        "pretrain --seed one",
        "doctor now",
        "exact --discount high",
        "reproduce grids --seeds 0,x"
      })
  void whatIsNotUnderstoodIsWrongUse(String command) {
    Object[] arguments = command.isEmpty() ? new Object[0] : command.split(" ");
    assertFalse(Cli.run(arguments).refused().err().isBlank());
  }

  @Test
  void theNearestCommandAndOptionAreNamed() {
    Cli.run("pretrian").refused("pretrain");
    Cli.run("pretrain", "--sead", "1").refused("--seed");
  }

  @Test
  void doctorNamesMklOnLinux() {
    String said = Cli.run("doctor").succeeded().out();
    assertTrue(said.contains("libtorch"), said);
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux")
        && System.getProperty("os.arch").equals("amd64")) {
      assertTrue(said.contains("MKL, mapped as"), said);
    }
    assertTrue(Cli.run("doctor", "--json").json().path("healthy").asBoolean());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "exact --env gridworld --goal 2,7",
        "pretrain --env gridworld --settings"
      })
  void whatNeedsNoTensorsDoesNotLoadLibtorch(String command)
      throws IOException, InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-verbose:class",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.psm.app.Psm"));
    line.addAll(List.of(command.split(" ")));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String loaded = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), loaded);
    assertTrue(loaded.contains("dev.psm.app.Psm"), "classes are listed");
    assertFalse(loaded.contains("] org.bytedeco."), "libtorch's classes are loaded");
  }
}
