package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import java.util.List;

/**
 * What a program observes.
 *
 * @param place where it was written, for errors
 * @param isBatch whether it was a list of observations
 * @param step of a demonstration
 */
@SuppressWarnings("ArrayRecordComponent")
record ActRequest(String place, float[] observations, boolean isBatch, int step) {
  static final String POLICY = "policy";
  static final String STEP = "step";
  private static final String ONE = "observation";
  private static final String MANY = "observations";

  /** One observation or many; who the policy is and which step, the caller has read. */
  static ActRequest read(JsonField body, ServedModel model, int step, ServiceLimits limits) {
    body.checkKeys(List.of(POLICY, ONE, MANY, STEP));
    if (body.has(ONE) == body.has(MANY)) {
      throw body.error(
          "expected either '%s' or '%s', found %s"
              .formatted(ONE, MANY, body.has(ONE) ? "both" : "neither"));
    }
    int size = model.observationSize();
    if (body.has(MANY)) {
      JsonField many = body.get(MANY);
      return new ActRequest(many.place(), many.rows(size, limits.maxBatch()), true, step);
    }
    JsonField one = body.get(ONE);
    float[] observation = one.floats();
    if (observation.length != size) {
      throw one.error("expected %d numbers, found %d".formatted(size, observation.length));
    }
    return new ActRequest(one.place(), observation, false, step);
  }

  static int step(JsonField body, int otherwise) {
    return body.has(STEP) ? body.get(STEP).integer(0, Integer.MAX_VALUE) : otherwise;
  }

  float[] act(ServedPolicy policy) {
    return ServedModel.act(place, () -> policy.policy().act(observations, step));
  }

  ObjectNode answer(ServedModel model, float[] actions) {
    ObjectNode document = Json.object();
    if (!isBatch) {
      document.set("action", model.action(actions, 0));
      return document;
    }
    ArrayNode rows = document.putArray("actions");
    for (int row = 0; row < actions.length / model.actionSize(); row++) {
      rows.add(model.action(actions, row));
    }
    return document;
  }
}
