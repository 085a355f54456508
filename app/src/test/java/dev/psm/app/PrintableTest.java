package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrintableTest {
  /** Clears the screen, and the same once more by an 8-bit control character. */
  private static final String HOSTILE = "\033[2Jgone\u009b2J\u202e";

  @TempDir private Path root;

  @Test
  void aDatasetCannotSpeakToTheTerminalAndJsonStaysTheSame() throws IOException {
    Path data = root.resolve("data");
    Cli.run(
            "collect",
            "--env",
            "maze",
            "--policy",
            "random",
            "--steps",
            1000,
            "--environments",
            1,
            "--out",
            data)
        .succeeded();
    Path manifest = data.resolve("dataset.json");
    ObjectNode edited = (ObjectNode) Json.read(manifest);
    ((ObjectNode) edited.get("collector")).put("name", HOSTILE);
    Json.write(manifest, edited);
    Cli.Result told = Cli.run("dataset", "info", data).succeeded();
    assertPrintable(told.out());
    assertTrue(told.out().contains("collected by \\u001b[2Jgone\\u009b2J\\u202e on"), told.out());
    Cli.Result document = Cli.run("dataset", "info", data, "--json").succeeded();
    assertPrintable(document.out());
    assertEquals(HOSTILE, document.json().path("collector").asText());
    edited.put("environment", HOSTILE);
    Json.write(manifest, edited);
    assertPrintable(Cli.run("pretrain", "--data", data, "--out", root.resolve("run")).err());
  }

  /** A name with a line break in it could add lines that look like psm's own. */
  @Test
  void namesHaveNoLines() throws IOException {
    String forged = "psm: sound";
    Path data = root.resolve("data\n" + forged);
    Path manifest = data.resolve("dataset.json");
    Files.createDirectory(data);
    Json.write(manifest, Json.object().put("format\n" + forged, 1));
    assertNotForged(forged, Cli.run("dataset", "check", data));
    Path run = Files.createDirectory(root.resolve("run"));
    Files.writeString(run.resolve("notes\n" + forged), "x");
    assertNotForged(forged, Cli.run("pretrain", "--env", "gridworld", "--out", run));
    Cli.run(
            "collect",
            "--env",
            "maze",
            "--policy",
            "random",
            "--steps",
            1000,
            "--environments",
            1,
            "--out",
            root.resolve("sound"))
        .succeeded();
    Path sound = root.resolve("sound/dataset.json");
    Json.write(sound, ((ObjectNode) Json.read(sound)).put("environment", "maze\n" + forged));
    for (String command : new String[] {"info", "check"}) {
      Cli.Result found = Cli.run("dataset", command, root.resolve("sound"));
      assertNotForged(forged, found);
      found.refused("field environment: expected a text of one line");
    }
  }

  private static void assertNotForged(String forged, Cli.Result result) {
    assertEquals(2, result.code(), result.err());
    assertTrue(result.err().contains("\\n" + forged), result.err());
    assertFalse(result.err().lines().anyMatch(forged::equals), result.err());
  }

  @Test
  void neitherCanAFilesName() throws IOException {
    Path map = root.resolve("map" + HOSTILE + ".txt");
    Files.writeString(map, "..\n..\n");
    assertPrintable(Cli.run("reproduce", "grids", "--map", map, "--map", map).err());
    assertPrintable(Cli.run("pretrain", "--unknown" + HOSTILE).err());
  }

  private static void assertPrintable(String text) {
    assertFalse(text.isBlank());
    assertEquals(Wording.printable(text), text);
  }
}
