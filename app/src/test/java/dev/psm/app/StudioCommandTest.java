package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The studio as a process of its own, started and ended as users do. */
final class StudioCommandTest {
  @TempDir private Path folder;

  @Test
  @Tag("slow")
  void withoutArgumentsItOffersWhatLiesUnderModelsAndRuns() throws Exception {
    Path models = Path.of("../models").toAbsolutePath().normalize();
    Files.createSymbolicLink(folder.resolve("models"), models);
    Path begun = Files.createDirectories(folder.resolve("runs/of-others/begun"));
    Files.writeString(begun.resolve("run.json"), "{");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Psm.class.getName(),
                "studio",
                "--port",
                "0",
                "--no-browser")
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      String line = said.readLine();
      String shape = "psm studio with \\d+ agents: (http://127.0.0.1:\\d+) \\(Ctrl-C stops it\\)";
      assertTrue(line.matches(shape), line);
      String address = line.replaceAll(shape, "$1");
      List<String> ids = get(address + "/api/models").findValuesAsText("id");
      assertTrue(ids.contains("walker-psm"), ids::toString);
      assertEquals(
          List.of("runs/of-others/begun"), get(address + "/api/runs").findValuesAsText("id"));
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
      assertEquals(143, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  private static JsonNode get(String address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    return Json.parse(
        HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body(), "answer");
  }

  @Test
  void wrongUseIsRefused() {
    Cli.run("studio", "--port", "70000").refused("--port must be at least 0 and at most 65535");
    Cli.run("studio", folder).refused("holds no agent");
  }
}
