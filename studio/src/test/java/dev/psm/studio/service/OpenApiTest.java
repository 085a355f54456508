package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description of the service is true, in both directions. */
final class OpenApiTest {
  private static final String NUMBERS = "[" + "0.5,".repeat(23) + "0.5]";

  @TempDir private static Path folder;
  private static TestService service;
  private static JsonNode document;
  private static String policy;

  @BeforeAll
  static void start() {
    service =
        TestService.of(
            TestService.WALKER, TestService.FETCH, TestService.grid(folder.resolve("grid")));
    document = service.get("/openapi.json").ok().json();
    policy = service.solve("{\"task\": \"run\"}");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Set<String> described() {
    Set<String> described = new TreeSet<>();
    document
        .get("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        key -> {
                          if (!key.equals("parameters")) {
                            described.add(key.toUpperCase(Locale.ROOT) + " " + path.getKey());
                          }
                        }));
    return described;
  }

  @Test
  void everyRouteIsDescribedAndEveryDescriptionIsARoute() {
    assertEquals("3.1.0", document.get("openapi").textValue());
    assertFalse(document.get("info").get("version").textValue().isEmpty());
    assertEquals(
        service.service().routes().stream()
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toCollection(TreeSet::new)),
        described());
    for (String each : described()) {
      String path = each.substring(each.indexOf(' ') + 1).replace("{model}", "walker-psm");
      TestService.Answer answer =
          each.startsWith("GET")
              ? service.get(path.replace("{policy}", policy))
              : service.post(path, "{}");
      assertNotEquals(404, answer.status(), each);
      assertNotEquals(405, answer.status(), each);
      checked(answer, each);
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    for (JsonNode reference : document.findValues("$ref")) {
      assertFalse(
          document.at(reference.textValue().substring(1)).isMissingNode(), reference.toString());
    }
    Set<String> ids = new TreeSet<>();
    document.get("paths").findValues("operationId").forEach(id -> ids.add(id.textValue()));
    assertEquals(described().size(), ids.size(), "operation ids are unique");
  }

  @Test
  void answersAreAsDescribed() {
    for (String model : List.of("walker-psm", "fetchreach-psm", "grid")) {
      checked(service.get("/v1/models/" + model).ok(), "GET /v1/models/{model}");
      checked(service.get("/v2/models/" + model).ok(), "GET /v2/models/{model}");
    }
    exchange(
        "POST /v1/models/{model}/solve",
        200,
        "{\"formula\": \"upright\"}",
        "{\"task\": \"run\"}",
        "{\"goal\": %s}".formatted(NUMBERS),
        "{\"samples\": {\"observations\": [%s], \"rewards\": [1]}}".formatted(NUMBERS),
        "{\"demonstration\": {\"observations\": [%s, %s], \"window\": 3}}"
            .formatted(NUMBERS, NUMBERS));
    exchange(
        "POST /v1/models/{model}/act",
        200,
        "{\"policy\": \"%s\", \"observation\": %s}".formatted(policy, NUMBERS),
        "{\"policy\": \"%s\", \"observations\": [%s, %s], \"step\": 0}"
            .formatted(policy, NUMBERS, NUMBERS));
    String input =
        "{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": %s}"
            .formatted(NUMBERS);
    exchange(
        "POST /v2/models/{model}/infer",
        200,
        "{\"id\": \"x\", \"parameters\": {\"policy\": \"%s\"}, \"inputs\": [%s]}"
            .formatted(policy, input));
  }

  @Test
  void whatIsNotDescribedIsRefused() {
    for (String body :
        List.of(
            "{}",
            "{\"task\": 1}",
            "{\"task\": \"run\", \"x\": 1}",
            "{\"task\": \"run\", \"formula\": \"1\"}",
            "{\"samples\": {\"observations\": [%s]}}".formatted(NUMBERS))) {
      assertFalse(fits("POST /v1/models/{model}/solve", body), body);
      checked(service.post(TestService.SOLVE, body), "POST /v1/models/{model}/solve");
      service.post(TestService.SOLVE, body).refused(400);
    }
  }

  private static void exchange(String route, int status, String... bodies) {
    String path = route.substring(route.indexOf(' ') + 1).replace("{model}", "walker-psm");
    for (String body : bodies) {
      assertTrue(fits(route, body), body);
      TestService.Answer answer = service.post(path, body);
      assertEquals(status, answer.status(), answer.text());
      checked(answer, route);
    }
  }

  private static JsonNode operation(String route) {
    int blank = route.indexOf(' ');
    return document
        .get("paths")
        .get(route.substring(blank + 1))
        .get(route.substring(0, blank).toLowerCase(Locale.ROOT));
  }

  private static boolean fits(String route, String body) {
    JsonNode schema = operation(route).at("/requestBody/content/application~1json/schema");
    return new Schema(document).check(schema, Json.parse(body, "body"), "body").isEmpty();
  }

  /** Status, media type and content of an answer are described. */
  private static void checked(TestService.Answer answer, String route) {
    JsonNode response = operation(route).get("responses").get(Integer.toString(answer.status()));
    assertTrue(response != null, route + " may not answer " + answer.status());
    if (response.has("$ref")) {
      response = document.at(response.get("$ref").textValue().substring(1));
    }
    if (!response.has("content")) {
      assertEquals(0, answer.bytes().length, route);
      return;
    }
    String type = answer.headers().get("content-type").get(0).replaceAll(";.*", "");
    JsonNode content = response.get("content").get(type);
    assertTrue(content != null, route + " answers " + type);
    if (type.equals("application/json")) {
      assertEquals(
          "", new Schema(document).check(content.get("schema"), answer.json(), "answer"), route);
    }
  }
}
