package dev.psm.mujoco.mjcf;

import static dev.psm.mujoco.mjcf.Models.CART;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are no model for us: one sentence each, in the engine's own words where it has any.
 */
class MjcfErrorsTest {
  @TempDir Path folder;

  private void assertRefused(String text, String... words) {
    Path file = Models.write(folder, "bad.xml", text);
    String message = Models.assertRefused(file.toString(), () -> Models.read(file), words);
    assertEquals(1, message.lines().count(), message);
  }

  @Test
  void whatIsNoXml() throws IOException {
    assertRefused("a robot", "XML");
    assertRefused("", "EMPTY_DOCUMENT");
    assertRefused("<mujoco>\n<worldbody>\n<body>\n</mujoco>", "MISMATCHED_ELEMENT", "number=3");
    Path file = folder.resolve("bytes.xml");
    byte[] bytes = new byte[4096];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 37);
    }
    Files.write(file, bytes);
    Models.assertRefused(file.toString(), () -> Models.read(file));
  }

  @Test
  void whatMujocoDoesNotKnow() {
    assertRefused("<mujoco>\n<worldbody>\n<boddy/>\n</worldbody></mujoco>", "'boddy'", "line 3");
    assertRefused("<robots/>", "MuJoCo does not accept");
    assertRefused(CART.formatted("<include file=\"gone.xml\"/>"), "gone.xml");
    assertRefused(CART.formatted("<include file=\"bad.xml\"/>"), "already included");
    assertRefused(
        CART.formatted("<asset><mesh name=\"m\" file=\"gone.stl\"/></asset>"), "gone.stl");
  }

  @Test
  void whatIsTooDeepForIt() {
    String deep = "<body><joint/><geom size=\"0.1\"/>".repeat(5000) + "</body>".repeat(5000);
    assertRefused("<mujoco><worldbody>" + deep + "</worldbody></mujoco>", "too deep");
  }

  @Test
  void whatNobodyCanActIn() {
    assertRefused(
        CART.formatted("").replaceAll("(?s)<actuator>.*</actuator>", ""), "actuator", "found none");
    assertRefused(
        "<mujoco><worldbody><geom size=\"1\"/></worldbody></mujoco>", "joint", "found none");
    assertRefused(
        CART.formatted("").replace("ctrllimited=\"true\" ctrlrange=\"-1 3\"", ""),
        "actuator 'push'",
        "ctrlrange=\"-1 1\"");
  }

  @Test
  void noiseThatNoSeedGoverns() {
    assertRefused(
        CART.formatted("<option><flag sensornoise=\"enable\"/></option>"), "sensornoise", "remove");
  }
}
