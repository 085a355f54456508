package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Open Inference Protocol, with tensors as JSON and as bytes. */
final class InferTest {
  private static TestService service;
  private static ZeroShotAgent walker;
  private static ZeroShotPolicy run;
  private static String policy;

  @BeforeAll
  static void start() {
    service = TestService.of(TestService.WALKER, TestService.FETCH);
    walker = ZeroShotAgent.load(TestService.WALKER);
    run = walker.solve("run");
    policy = service.solve("{\"task\": \"run\"}");
  }

  @AfterAll
  static void stop() {
    service.close();
    walker.close();
  }

  private static float[] observations(int rows) {
    return java.util.Arrays.copyOf(walker.sample().observations(), rows * 24);
  }

  private static ObjectNode input(ObjectNode request, String name, int rows, int width) {
    ArrayNode inputs = request.withArray("inputs");
    ObjectNode input = inputs.addObject().put("name", name).put("datatype", "FP32");
    input.putArray("shape").add(rows).add(width);
    return input;
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void aPolicyActsOnJson(boolean inRows) {
    ObjectNode request = Json.object().put("id", "a 1");
    request.putObject("parameters").put("policy", policy);
    float[] observation = observations(1);
    ObjectNode input = input(request, "observation", 1, 24);
    if (inRows) {
      input.putArray("data").add(TestService.array(observation));
    } else {
      input.set("data", TestService.array(observation));
    }
    request.putArray("outputs").addObject().put("name", "action");
    JsonNode answer = service.post(TestService.INFER, Json.line(request)).ok().json();
    assertEquals("walker-psm", answer.get("model_name").textValue());
    assertEquals("a 1", answer.get("id").textValue());
    JsonNode output = answer.get("outputs").get(0);
    assertEquals("[1,6]", output.get("shape").toString());
    assertEquals("FP32", output.get("datatype").textValue());
    assertArrayEquals(run.act(observation), TestService.floats(output.get("data")));
  }

  /** Each row with a task vector of its own, as bytes in both directions. */
  @Test
  void taskVectorsActOnBytes() {
    int rows = 3;
    float[] observations = observations(rows);
    float[] tasks = new float[rows * 128];
    for (int i = 0; i < rows; i++) {
      System.arraycopy(run.taskVector(), 0, tasks, i * 128, 128);
    }
    ObjectNode request = Json.object();
    request.putObject("parameters").put("binary_data_output", true);
    input(request, "task", rows, 128)
        .putObject("parameters")
        .put("binary_data_size", tasks.length * 4);
    input(request, "observation", rows, 24)
        .putObject("parameters")
        .put("binary_data_size", observations.length * 4);
    TestService.Answer answer = binary(request, tasks, observations).ok();
    assertEquals("application/octet-stream", answer.headers().get("content-type").get(0));
    int head = Integer.parseInt(answer.headers().get("inference-header-content-length").get(0));
    JsonNode output =
        Json.parse(new String(answer.bytes(), 0, head, StandardCharsets.UTF_8), "head")
            .get("outputs")
            .get(0);
    assertEquals("[3,6]", output.get("shape").toString());
    assertEquals(72, output.get("parameters").get("binary_data_size").intValue());
    float[] actions = new float[18];
    ByteBuffer.wrap(answer.bytes(), head, answer.bytes().length - head)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(actions);
    assertArrayEquals(walker.act(observations, tasks), actions);
  }

  @Test
  void onlyWhatIsAskedForIsBytes() {
    ObjectNode request = Json.object();
    request.putObject("parameters").put("policy", policy).put("binary_data_output", true);
    input(request, "observation", 1, 24).putObject("parameters").put("binary_data_size", 24 * 4);
    request
        .putArray("outputs")
        .addObject()
        .put("name", "action")
        .putObject("parameters")
        .put("binary_data", false);
    TestService.Answer answer = binary(request, observations(1)).ok();
    assertArrayEquals(
        run.act(observations(1)),
        TestService.floats(answer.json().get("outputs").get(0).get("data")));
  }

  @Test
  void numberedActionsAreWholeNumbers() {
    ObjectNode request = Json.object();
    String id =
        service
            .post("/v1/models/fetchreach-psm/solve", "{\"goal\": [1.3, 0.7, 0.5]}")
            .ok()
            .json()
            .get("policy")
            .textValue();
    request.putObject("parameters").put("policy", id);
    input(request, "observation", 1, 10).set("data", TestService.array(new float[10]));
    JsonNode output =
        service
            .post("/v2/models/fetchreach-psm/infer", Json.line(request))
            .ok()
            .json()
            .get("outputs")
            .get(0);
    assertEquals("INT64", output.get("datatype").textValue());
    assertTrue(output.get("data").get(0).isIntegralNumber());
  }

  @Test
  void aServerAndItsModelsAreDescribed() {
    assertEquals("psm", service.get("/v2").ok().json().get("name").textValue());
    JsonNode model = service.get("/v2/models/walker-psm").ok().json();
    assertEquals("[-1,128]", model.get("inputs").get(1).get("shape").toString());
    service.get("/v2/models/nobody").refused(404);
    service.get("/v2/models/nobody/ready").refused(404);
    service.post("/v2/models/nobody/infer", "{}").refused(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | key 'inputs' is missing",
        "{\"inputs\": []} | inputs: expected an input 'observation'",
        "{\"inputs\": [{\"name\": \"x\"}]} | inputs[0].name: expected 'observation' or 'task', found 'x'",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP64\"}]} | datatype: expected FP32, found \"FP64\"",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [24]}]} | shape: expected [rows, 24], found [24]",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 23]}]} | shape[1]: expected a whole number from 24 to 24",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [0, 24]}]} | shape[0]: expected a whole number from 1 to 1024",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [9999999999, 24]}]} | shape[0]: expected a whole number from 1 to 1024",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24]}]} | found neither",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": [1]}]} | data: expected 24 numbers, found 1",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": [[1]]}]} | data[0]: expected 24 numbers, found 1",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"parameters\": {\"binary_data_size\": 96}}]} | 0 bytes follow the JSON, which are too few",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"parameters\": {\"binary_data_size\": -1}}]} | binary_data_size: expected a whole number from 96 to 96",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": D}]} | expected either an input 'task' or a parameter 'policy', found neither",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": D}], \"parameters\": {\"policy\": 3}} | policy: expected a text",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": D}], \"parameters\": {\"p\": 3}} | unknown key 'p'",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": D}, {\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": D}]} | 'observation' is given twice",
        "{\"inputs\": [{\"name\": \"observation\", \"datatype\": \"FP32\", \"shape\": [1, 24], \"data\": D}], \"parameters\": {\"policy\": \"P\"}, \"outputs\": [{\"name\": \"z\"}]} | outputs[0].name: expected 'action'",
      })
  void wrongRequestsAreRefusedInWords(String body, String said) {
    String numbers = "[" + "0,".repeat(23) + "0]";
    String error =
        service
            .post(TestService.INFER, body.replace("D", numbers).replace("FP32", "FP32"))
            .refused(400);
    assertTrue(error.contains(said), error);
  }

  @ParameterizedTest
  @CsvSource({"-1", "0", "x", "99999", "99999999999", "''", "1.5"})
  void aWrongLengthOfTheJsonIsRefused(String length) {
    String error =
        service.post(TestService.INFER, "{}", InferMessage.JSON_LENGTH, length).refused(400);
    assertTrue(error.contains("expected how many of the body's 2 bytes are JSON"), error);
  }

  @Test
  void bytesThatNobodySpeaksOfAndThatAreNoNumbersAreRefused() {
    ObjectNode request = Json.object();
    request.putObject("parameters").put("policy", policy);
    input(request, "observation", 1, 24).putObject("parameters").put("binary_data_size", 24 * 4);
    String error = binary(request, observations(1), new float[1]).refused(400);
    assertTrue(error.contains("4 bytes follow the JSON"), error);
    float[] broken = observations(1);
    broken[7] = Float.NaN;
    error = binary(request, broken).refused(400);
    assertTrue(error.contains("number 7 of its bytes (from 0) must be finite, found NaN"), error);
  }

  private static TestService.Answer binary(ObjectNode request, float[]... tensors) {
    byte[] head = Json.line(request).getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(head);
    for (float[] tensor : tensors) {
      ByteBuffer bytes = ByteBuffer.allocate(tensor.length * 4).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asFloatBuffer().put(tensor);
      body.writeBytes(bytes.array());
    }
    return service.post(
        TestService.INFER,
        body.toByteArray(),
        InferMessage.JSON_LENGTH,
        Integer.toString(head.length));
  }
}
