package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service as a process of its own, started and ended as users do. */
final class ServeCommandTest {
  private static final Path WALKER = Path.of("../models/walker-psm");

  @TempDir private Path folder;

  @Test
  @Tag("slow")
  void itServesUntilItIsAskedToEnd() throws Exception {
    Path log = folder.resolve("log");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Psm.class.getName()));
    command.addAll(List.of("serve", WALKER.toString(), "--port", "0"));
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      String line = said.readLine();
      assertTrue(line.startsWith("psm serves walker-psm at http://127.0.0.1:"), line);
      String address = line.replaceAll(".* at (\\S+) .*", "$1");
      JsonNode solved = post(address + "/v1/models/walker-psm/solve", "{\"task\": \"run\"}");
      String acting =
          "{\"policy\": \"%s\", \"observation\": [%s0]}"
              .formatted(solved.get("policy").textValue(), "0,".repeat(23));
      assertEquals(6, post(address + "/v1/models/walker-psm/act", acting).get("action").size());
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
      assertEquals(143, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
    String remarks = Files.readString(log);
    assertTrue(remarks.contains("stopping"), remarks);
    assertFalse(remarks.contains("/v1/"), "no request is logged unless asked for: " + remarks);
  }

  private static JsonNode post(String address, String body) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).POST(BodyPublishers.ofString(body)).build();
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer.body());
      return Json.parse(answer.body(), "answer");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--host 0.0.0.0 | --host: 0.0.0.0 can be reached by others, so a token is needed",
        "--port 70000 | --port must be at least 0 and at most 65535, found 70000",
        "--token-file nowhere | nowhere",
        "--max-requests 0 | --max-requests must be at least 1",
        "--max-formula 10001 | --max-formula must be at least 1 and at most 10000",
        "--request-seconds 0 | --request-seconds must be at least 0.01",
        "--threads 0 | --threads must be at least 1",
      })
  void wrongOptionsAreRefused(String options, String said) {
    List<Object> line = new ArrayList<>(List.of("serve", WALKER));
    line.addAll(List.of(options.split(" ")));
    Cli.run(line.toArray()).refused(said);
  }

  @ParameterizedTest
  @CsvSource({"--rate, 0", "--rate, NaN", "--seconds, 0.5"})
  void wrongOptionsOfTheBenchmarkAreRefused(String option, String value) {
    Cli.run("bench", "serve", option, value).refused(option);
  }

  @Test
  void aFolderWithoutAnAgentIsRefused() {
    Cli.run("serve", folder).refused("holds no agent");
  }
}
