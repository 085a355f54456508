package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.JsonField;
import dev.psm.studio.web.Bodies;
import dev.psm.studio.web.RequestError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An inference request of the Open Inference Protocol (KServe v2): a JSON object, behind which
 * tensors may follow as bytes, little-endian and row by row, in the order of the inputs.
 *
 * @param id to be given back with the answer; empty where there is none
 * @param isBinary whether the answer's tensor is to be bytes too
 */
@SuppressWarnings("ArrayRecordComponent")
record InferMessage(
    String id,
    float[] observations,
    Optional<float[]> tasks,
    Optional<String> policy,
    int step,
    boolean isBinary) {
  /** The header that says how many bytes of a body are JSON, where tensors follow. */
  static final String JSON_LENGTH = "Inference-Header-Content-Length";

  /** Where tensors are written, for errors. */
  static final String INPUTS = "body, field inputs";

  static final String OBSERVATION = "observation";
  static final String TASK = "task";
  static final String ACTION = "action";
  static final String FLOAT = "FP32";
  static final String BINARY_SIZE = "binary_data_size";

  /**
   * @param jsonLength the header's value; null where there is none
   */
  static InferMessage read(
      byte[] bytes, String jsonLength, ServedModel model, ServiceLimits limits) {
    int length = jsonLength == null ? bytes.length : length(jsonLength, bytes.length);
    ObjectNode document = Bodies.object(Arrays.copyOf(bytes, length));
    ByteBuffer binary =
        ByteBuffer.wrap(bytes, length, bytes.length - length).order(ByteOrder.LITTLE_ENDIAN);
    JsonField body = JsonField.of("body", document);
    body.checkKeys(List.of("id", "parameters", "inputs", "outputs"));
    Map<String, Tensor> tensors = inputs(body, binary, model, limits);
    if (binary.hasRemaining()) {
      throw RequestError.invalid(
          "%d bytes follow the JSON that no input's %s speaks of", binary.remaining(), BINARY_SIZE);
    }
    if (!tensors.containsKey(OBSERVATION)) {
      throw body.get("inputs").error("expected an input '%s'".formatted(OBSERVATION));
    }
    Tensor observation = tensors.get(OBSERVATION);
    Optional<Tensor> task = Optional.ofNullable(tensors.get(TASK));
    if (task.isPresent() && task.get().rows != observation.rows) {
      throw body.get("inputs")
          .error(
              "expected a %s for each of %d observations, found %d"
                  .formatted(TASK, observation.rows, task.get().rows));
    }
    Parameters parameters = Parameters.read(body);
    if (task.isPresent() == parameters.policy.isPresent()) {
      throw body.error(
          "expected either an input '%s' or a parameter 'policy', found %s"
              .formatted(TASK, task.isPresent() ? "both" : "neither"));
    }
    return new InferMessage(
        body.has("id") ? body.get("id").textOrBlank() : "",
        observation.numbers,
        task.map(Tensor::numbers),
        parameters.policy,
        parameters.step,
        isBinary(body, parameters.isBinary));
  }

  private static int length(String header, int most) {
    try {
      int length = Integer.parseInt(header);
      if (length >= 1 && length <= most) {
        return length;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw RequestError.invalid(
        "header %s: expected how many of the body's %d bytes are JSON, found '%s'",
        JSON_LENGTH, most, header);
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Tensor(float[] numbers, int rows) {}

  private static Map<String, Tensor> inputs(
      JsonField body, ByteBuffer binary, ServedModel model, ServiceLimits limits) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (JsonField input : body.get("inputs").elements()) {
      input.checkKeys(List.of("name", "shape", "datatype", "parameters", "data"));
      String name = input.get("name").text();
      int width =
          switch (name) {
            case OBSERVATION -> model.observationSize();
            case TASK -> model.agent().model().taskSize();
            default ->
                throw input
                    .get("name")
                    .error("expected '%s' or '%s', found '%s'".formatted(OBSERVATION, TASK, name));
          };
      if (tensors.put(name, tensor(input, width, binary, limits.maxBatch())) != null) {
        throw input.get("name").error("'%s' is given twice".formatted(name));
      }
    }
    return tensors;
  }

  private static Tensor tensor(JsonField input, int width, ByteBuffer binary, int most) {
    if (!input.get("datatype").text().equals(FLOAT)) {
      throw input
          .get("datatype")
          .error("expected %s, found %s".formatted(FLOAT, input.get("datatype").shown()));
    }
    List<JsonField> shape = input.get("shape").elements();
    if (shape.size() != 2) {
      throw input
          .get("shape")
          .error("expected [rows, %d], found %s".formatted(width, input.get("shape").shown()));
    }
    int rows = shape.get(0).integer(1, most);
    shape.get(1).integer(width, width);
    float[] numbers = new float[rows * width];
    Optional<JsonField> size = binarySize(input);
    if (size.isPresent() == input.has("data")) {
      throw input.error(
          "expected either 'data' or the parameter %s, found %s"
              .formatted(BINARY_SIZE, size.isPresent() ? "both" : "neither"));
    }
    if (size.isEmpty()) {
      input.get("data").flatFloats(numbers, width);
      return new Tensor(numbers, rows);
    }
    int bytes = size.get().integer(numbers.length * Float.BYTES, numbers.length * Float.BYTES);
    if (binary.remaining() < bytes) {
      throw size.get()
          .error("%d bytes follow the JSON, which are too few".formatted(binary.remaining()));
    }
    binary.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(numbers);
    binary.position(binary.position() + bytes);
    for (int i = 0; i < numbers.length; i++) {
      if (!Float.isFinite(numbers[i])) {
        throw input.error(
            "number %d of its bytes (from 0) must be finite, found %s".formatted(i, numbers[i]));
      }
    }
    return new Tensor(numbers, rows);
  }

  private static Optional<JsonField> binarySize(JsonField input) {
    if (!input.has("parameters")) {
      return Optional.empty();
    }
    JsonField parameters = input.get("parameters");
    parameters.checkKeys(List.of(BINARY_SIZE));
    return parameters.has(BINARY_SIZE)
        ? Optional.of(parameters.get(BINARY_SIZE))
        : Optional.empty();
  }

  private record Parameters(Optional<String> policy, int step, boolean isBinary) {
    static Parameters read(JsonField body) {
      if (!body.has("parameters")) {
        return new Parameters(Optional.empty(), 0, false);
      }
      JsonField given = body.get("parameters");
      given.checkKeys(List.of("policy", "step", "binary_data_output"));
      return new Parameters(
          given.has("policy") ? Optional.of(given.get("policy").text()) : Optional.empty(),
          ActRequest.step(given, 0),
          given.has("binary_data_output") && given.get("binary_data_output").truth());
    }
  }

  private static boolean isBinary(JsonField body, boolean otherwise) {
    if (!body.has("outputs")) {
      return otherwise;
    }
    boolean binary = otherwise;
    for (JsonField output : body.get("outputs").elements()) {
      output.checkKeys(List.of("name", "parameters"));
      if (!output.get("name").text().equals(ACTION)) {
        throw output
            .get("name")
            .error("expected '%s', found %s".formatted(ACTION, output.get("name").shown()));
      }
      if (output.has("parameters")) {
        JsonField parameters = output.get("parameters");
        parameters.checkKeys(List.of("binary_data"));
        binary = parameters.has("binary_data") && parameters.get("binary_data").truth();
      }
    }
    return binary;
  }

  /**
   * The answer's JSON.
   *
   * @param data the actions where they are not bytes
   */
  ObjectNode answer(ServedModel model, int actions, Optional<ArrayNode> data) {
    ObjectNode document = ModelDocuments.named(model);
    if (!id.isEmpty()) {
      document.put("id", id);
    }
    ObjectNode output = document.putArray("outputs").addObject();
    output.put("name", ACTION);
    output.put("datatype", ModelDocuments.actionType(model));
    output.putArray("shape").add(actions / model.actionSize()).add(model.actionSize());
    data.ifPresentOrElse(
        numbers -> output.set("data", numbers),
        () ->
            output
                .putObject("parameters")
                .put(BINARY_SIZE, actions * ModelDocuments.actionBytes(model)));
    return document;
  }
}
