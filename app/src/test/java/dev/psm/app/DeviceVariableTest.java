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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands in a Java of their own, in whose environment PSM_DEVICE is set. */
class DeviceVariableTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pretrain --env gridworld --out OUT/model",
        "collect --env maze --policy rnd --steps 1000 --out OUT/data",
        "reproduce dmc --domains maze --collect 1000 --data OUT/data --out OUT/runs",
        "bench training",
        "doctor"
      })
  @Tag("slow")
  void everyCommandWithTheOptionTakesItsDefaultFromThere(String command) throws Exception {
    Said said = run("gpu", command);
    assertEquals(2, said.code(), said.text());
    assertEquals(
        List.of("psm: PSM_DEVICE: expected auto, cpu or cuda, found 'gpu'"),
        said.text().lines().toList());
  }

  @Test
  @Tag("slow")
  void theOptionWins() throws Exception {
    Said said = run("cuda", "doctor --device cpu");
    assertEquals(0, said.code(), said.text());
  }

  @Test
  void aGpuThatCannotBeUsedIsBlamedOnTheVariable() throws Exception {
    // The tests' own libtorch is the one for CPUs, so there is a problem on every machine.
    Said said = run("cuda", "collect --env maze --policy rnd --steps 1000 --out OUT/data");
    assertEquals(1, said.code(), said.text());
    assertTrue(said.text().startsWith("psm: PSM_DEVICE=cuda: "), said.text());
  }

  private record Said(int code, String text) {}

  private Said run(String device, String command) throws IOException, InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.openblas.load=mkl",
                "-cp",
                System.getProperty("java.class.path"),
                Psm.class.getName()));
    line.addAll(List.of(command.replace("OUT", folder.toString()).split(" ")));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("PSM_DEVICE", device);
    Process process = builder.start();
    // Java itself speaks up where that variable is set.
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .filter(said -> !said.startsWith("Picked up JAVA_TOOL_OPTIONS"))
            .collect(Collectors.joining("\n"));
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    return new Said(process.exitValue(), text);
  }
}
