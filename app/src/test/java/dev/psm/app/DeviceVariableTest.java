package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
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
    OwnProcess said = run("gpu", command);
    assertEquals(2, said.code(), said.text());
    assertEquals(
        List.of("psm: PSM_DEVICE: expected auto, cpu or cuda, found 'gpu'"),
        said.text().lines().toList());
  }

  @Test
  @Tag("slow")
  void theOptionWins() throws Exception {
    OwnProcess said = run("cuda", "doctor --device cpu");
    assertEquals(0, said.code(), said.text());
  }

  @Test
  void aGpuThatCannotBeUsedIsBlamedOnTheVariable() throws Exception {
    // The tests' own libtorch is the one for CPUs, so there is a problem on every machine.
    OwnProcess said = run("cuda", "collect --env maze --policy rnd --steps 1000 --out OUT/data");
    assertEquals(1, said.code(), said.text());
    assertTrue(said.text().startsWith("psm: PSM_DEVICE=cuda: "), said.text());
  }

  private OwnProcess run(String device, String command) throws Exception {
    return OwnProcess.run(
        "PSM_DEVICE", device, command.replace("OUT", folder.toString()).split(" "));
  }
}
