package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.zeroshot.ZeroShotAgent;

/** What is told of models. */
final class ModelDocuments {
  private ModelDocuments() {}

  /** In a list. */
  static ObjectNode line(ServedModel model) {
    World world = model.world();
    return Json.object()
        .put("id", model.id())
        .put("world", world.name())
        .put("title", world.title())
        .put("ready", model.isReady());
  }

  /** Everything. */
  static ObjectNode whole(ServedModel model) {
    ZeroShotAgent agent = model.agent();
    World world = agent.environment();
    ObjectNode document = line(model);
    document.put("agent", agent.name()).put("agentTitle", agent.title());
    document.put("stepSeconds", world.stepSeconds()).put("episodeSteps", world.episodeSteps());
    document.putObject("observation").put("size", world.observationSize());
    action(world, document.putObject("action"));
    ObjectNode goal = document.putObject("goal").put("size", agent.model().goalSize());
    ArrayNode columns = goal.putArray("columns");
    for (int column : agent.goalColumns()) {
      columns.add(column);
    }
    document
        .putObject("task")
        .put("size", agent.model().taskSize())
        .put("vector", agent.hasTaskVectors());
    ArrayNode methods = document.putArray("methods");
    agent.model().methods().stream()
        .filter(SolveRequest.METHODS::contains)
        .forEach(method -> methods.add(method.id()));
    document
        .putObject("sample")
        .put("states", agent.sample().states(world))
        .put("takesRewards", agent.sample().quantities().isPresent());
    ArrayNode quantities = document.putArray("quantities");
    world.quantities().forEach(quantity -> quantities.add(quantity.toJson()));
    ArrayNode tasks = document.putArray("tasks");
    world.tasks().forEach(task -> tasks.add(task.toJson()));
    ArrayNode examples = document.putArray("examples");
    world.examples().forEach(examples::add);
    document.set("about", ZeroShotAgent.about(agent.description()));
    return document;
  }

  private static void action(World world, ObjectNode action) {
    if (world.actionUnits() instanceof Space.Box box) {
      action.put("kind", "box").put("size", box.size());
      ArrayNode low = action.putArray("low");
      ArrayNode high = action.putArray("high");
      for (int i = 0; i < box.size(); i++) {
        low.add(box.low()[i]);
        high.add(box.high()[i]);
      }
      return;
    }
    action.put("kind", "discrete").put("count", ((Space.Discrete) world.actionSpace()).count());
    if (world instanceof FiniteWorld finite) {
      ArrayNode names = action.putArray("names");
      finite.actionNames().forEach(names::add);
    }
  }

  /** A model by the Open Inference Protocol. */
  static ObjectNode tensors(ServedModel model) {
    ObjectNode document = Json.object().put("name", model.id()).put("platform", "psm");
    ArrayNode inputs = document.putArray("inputs");
    tensor(inputs, InferMessage.OBSERVATION, InferMessage.FLOAT, model.observationSize());
    tensor(inputs, InferMessage.TASK, InferMessage.FLOAT, model.agent().model().taskSize());
    tensor(
        document.putArray("outputs"), InferMessage.ACTION, actionType(model), model.actionSize());
    return document;
  }

  private static void tensor(ArrayNode tensors, String name, String type, int width) {
    tensors
        .addObject()
        .put("name", name)
        .put("datatype", type)
        .putArray("shape")
        .add(-1)
        .add(width);
  }

  static ObjectNode named(ServedModel model) {
    return Json.object().put("model_name", model.id());
  }

  static String actionType(ServedModel model) {
    return model.hasNumberedActions() ? "INT64" : InferMessage.FLOAT;
  }

  static int actionBytes(ServedModel model) {
    return model.hasNumberedActions() ? Long.BYTES : Float.BYTES;
  }
}
