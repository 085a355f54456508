package dev.psm.studio.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.psm.core.UserError;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.function.Supplier;

/** A model that programs may ask, once it is ready. */
final class ServedModel {
  private final ModelShelf.Entry entry;
  private volatile ZeroShotAgent agent;

  ServedModel(ModelShelf.Entry entry) {
    this.entry = entry;
  }

  String id() {
    return entry.id();
  }

  /** From the description alone. */
  World world() {
    ZeroShotAgent loaded = agent;
    return loaded == null ? entry.world() : loaded.environment();
  }

  /** Loads it and lets it act once, as every request will. */
  void load(InferenceThreads threads) {
    ZeroShotAgent loaded = entry.agent();
    float[] observation = new float[loaded.environment().observationSize()];
    System.arraycopy(loaded.sample().observations(), 0, observation, 0, observation.length);
    threads.start(() -> loaded.act(observation, new float[loaded.model().taskSize()])).join();
    agent = loaded;
  }

  boolean isReady() {
    return agent != null;
  }

  ZeroShotAgent agent() {
    ZeroShotAgent loaded = agent;
    if (loaded == null) {
      throw RequestError.later(503, "model '%s' is still being loaded", id());
    }
    return loaded;
  }

  int observationSize() {
    return agent().environment().observationSize();
  }

  int actionSize() {
    return agent().environment().actionSize();
  }

  boolean hasNumberedActions() {
    return agent().environment().actionSpace() instanceof Space.Discrete;
  }

  /**
   * Acts; what cannot be acted on is told as the request's mistake, which it is.
   *
   * @param place where the request says what it observes
   */
  static float[] act(String place, Supplier<float[]> acting) {
    try {
      return acting.get();
    } catch (UserError e) {
      throw RequestError.invalid("%s: %s", place, e.getMessage());
    } catch (IllegalArgumentException e) {
      throw RequestError.invalid(
          "%s: beyond what the networks can take: %s", place, e.getMessage());
    }
  }

  /** One of some actions: a number where actions are numbered, else a list. */
  JsonNode action(float[] actions, int row) {
    if (hasNumberedActions()) {
      return IntNode.valueOf((int) actions[row]);
    }
    int size = actionSize();
    ArrayNode action = Json.object().putArray("action");
    for (int i = 0; i < size; i++) {
      action.add(actions[row * size + i]);
    }
    return action;
  }
}
