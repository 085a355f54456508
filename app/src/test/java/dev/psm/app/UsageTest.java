package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.torch.CudaLibraries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        "infer",
        "evaluate",
        "export",
        "reproduce",
        "reproduce grids",
        "reproduce dmc",
        "reproduce ablation",
        "sweep",
        "exact",
        "bench",
        "bench grids",
        "bench envs",
        "bench rewards",
        "bench data",
        "bench infer",
        "bench training",
        "bench studio",
        "bench fuzz",
        "reward",
        "reward list",
        "reward check",
        "env",
        "env list",
        "env random",
        "env replay",
        "env film",
        "collect",
        "dataset",
        "dataset info",
        "dataset check",
        "dataset import",
        "dataset relabel",
        "dataset balance",
        "doctor",
        "bundle"
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
        "export",
        "export runs/walker",
        "pretrain --sead 1",
        "pretrain --seed one",
        "doctor now",
        "bundle",
        "exact --discount high",
        "reproduce grids --seeds 0,x",
        "reproduce dmc --seeds 0,x",
        "reproduce dmc --steps few",
        "reproduce ablation --dimensions large"
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
  void whatIsMissingOfPretrainIsNamed() {
    Cli.run("pretrain", "--settings").refused("--env gridworld", "--data DIR");
    Cli.run("pretrain", "--env", "walker", "--out", "x")
        .refused(
            "not few and known", "./psm collect --env walker", "./psm pretrain --data data/walker");
    Cli.run("exact", "--env", "maze", "--goal", "1,1")
        .refused("--env maze", "give a world whose states are few and known");
  }

  @Test
  void exitCodesAreInTheHelp() {
    String help = Cli.run("--help").succeeded().out();
    assertTrue(help.contains("130 stopped by Ctrl-C (143 by SIGTERM)"), help);
  }

  @Test
  void doctorNamesMklOnLinux() {
    String said = Cli.run("doctor").succeeded().out();
    assertTrue(said.contains("libtorch"), said);
    if (System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux")
        && System.getProperty("os.arch").equals("amd64")) {
      assertTrue(said.contains("MKL, mapped as"), said);
    }
    JsonNode document = Cli.run("doctor", "--json").json();
    assertTrue(document.path("healthy").asBoolean());
    assertFalse(document.path("driver").asText().isEmpty());
    assertFalse(document.path("gpu").asText().isEmpty());
  }

  @Test
  void doctorFailsWhereCudaIsWantedAndCannotBeUsed() {
    Cli.Result result = Cli.run("doctor", "--device", "cuda", "--json");
    // The tests' own libtorch is the one for CPUs, so there is a problem on every machine.
    assertEquals(1, result.code());
    JsonNode document = Json.parse(result.out(), "standard output");
    assertTrue(document.path("gpu").asText().startsWith("not used: "), result.out());
    assertEquals(CudaLibraries.names().size(), document.path("cudaLibraries").size());
    assertFalse(result.err().contains("\tat "), result.err());
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
    String loaded = forked("-verbose:class", command.split(" "));
    assertTrue(loaded.contains("dev.psm.app.Psm"), "classes are listed");
    assertFalse(loaded.contains("] org.bytedeco."), "libtorch's classes are loaded");
  }

  /**
   * Nothing has trained in a fresh process, so the first optimiser there is made inside a solver's
   * scope.
   */
  @Test
  @Tag("slow")
  void aModelSolvedByItsOwnOptimiserIsEvaluatedInAFreshProcess(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path map = Files.writeString(folder.resolve("small.txt"), "...\n...\n");
    String out = folder.resolve("model").toString();
    assertEquals(
        0,
        Psm.execute(
            ("pretrain --preset paper --map "
                    + map
                    + " --out "
                    + out
                    + " gradientSteps=2"
                    + " dualSteps=2 basisWidth=8 coordinateWidth=8 basisDimension=4 solveCodes=4")
                .split(" ")));
    assertTrue(forked("-Xmx512m", "evaluate", out).contains("value lost"));
  }

  /** What a command prints in a Java of its own, which must end well. */
  private static String forked(String option, String... command)
      throws IOException, InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-Dorg.bytedeco.openblas.load=mkl",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.psm.app.Psm"));
    line.addAll(List.of(command));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), printed);
    return printed;
  }
}
