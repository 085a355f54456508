package dev.psm.agents.control;

import dev.psm.core.io.TensorData;
import dev.psm.core.io.onnx.OnnxGraph;
import dev.psm.core.io.onnx.OnnxValue;
import dev.psm.torch.OnnxLayers;
import java.util.Map;

/**
 * What a {@link ControlModel} computes, as ONNX graphs: nothing is left to do for their callers.
 */
public final class ControlGraphs {
  private static final String OBSERVATION = "observation";
  private static final String TASK = "task";
  private static final String ACTION = "action";
  private static final String FEATURES = "features";

  private final ControlModel model;
  private final NetworkShapes networks;
  private final Map<String, TensorData> tensors;
  private final OnnxGraph graph;
  private final OnnxValue observation;

  private ControlGraphs(ControlModel model, String name, String description) {
    this.model = model;
    this.networks =
        NetworkShapes.of(model.shape().networks(), model.observationSize(), model.actionSize(), 1);
    this.tensors = model.tensors();
    this.graph = new OnnxGraph(name, description);
    this.observation =
        graph.input(OBSERVATION, model.observationSize(), "as the environment gives it");
  }

  /** {@link ControlModel#act}: observation and task to action. */
  public static OnnxGraph actor(ControlModel model) {
    ControlGraphs graphs =
        new ControlGraphs(model, "actor", "The action for an observation and a task vector.");
    OnnxValue task =
        graphs.graph.input(
            TASK,
            model.featureDimension(),
            "a task vector, of length √" + model.featureDimension());
    return graphs.actor(task);
  }

  /** {@link ControlModel#features}: observation to features. */
  public static OnnxGraph features(ControlModel model) {
    ControlGraphs graphs =
        new ControlGraphs(model, FEATURES, "The features of an observation, φ(s).");
    graphs.graph.output(graphs.features(), "φ(s)");
    return graphs.graph;
  }

  /** {@link ControlModel#act} for one task vector: observation to action. */
  public static OnnxGraph policy(ControlModel model, float[] task) {
    ControlGraphs graphs = policy(model);
    return graphs.actor(graphs.graph.constant(TASK, task));
  }

  /**
   * The same for the task vectors that {@link ControlModel#direction} gives.
   *
   * @param goal features of the state to reach
   */
  public static OnnxGraph policyTowards(ControlModel model, float[] goal) {
    ControlGraphs graphs = policy(model);
    OnnxGraph graph = graphs.graph;
    OnnxValue there = graph.constant("goal", goal);
    OnnxValue direction =
        graph.node(
            "Sub", new OnnxValue("direction", goal.length), there.name(), graphs.features().name());
    return graphs.actor(OnnxLayers.onSphere(graph, direction, TASK));
  }

  private static ControlGraphs policy(ControlModel model) {
    return new ControlGraphs(model, "policy", "The action for an observation.");
  }

  private OnnxGraph actor(OnnxValue task) {
    Towers towers = networks.actor();
    // The towers' embeddings, as NetworkShapes gives them their inputs.
    OnnxValue first = OnnxLayers.network(graph, towers.first(), tensors, observation, task);
    OnnxValue second = OnnxLayers.network(graph, towers.second(), tensors, observation);
    OnnxValue output = OnnxLayers.network(graph, towers.trunk(), tensors, first, second);
    OnnxValue action = graph.node("Tanh", new OnnxValue(ACTION, model.actionSize()), output.name());
    graph.output(action, "the actor's mean action, in [-1, 1]");
    return graph;
  }

  private OnnxValue features() {
    boolean onSphere = model.kind().onSphere();
    OnnxValue raw = OnnxLayers.network(graph, networks.features(), tensors, observation);
    OnnxValue centre =
        graph.constant(ControlModel.CENTRE, tensors.get(ControlModel.CENTRE).floats());
    OnnxValue centred =
        graph.node(
            "Sub",
            new OnnxValue(onSphere ? FEATURES + ".centred" : FEATURES, raw.width()),
            raw.name(),
            centre.name());
    return onSphere ? OnnxLayers.onSphere(graph, centred, FEATURES) : centred;
  }
}
