package dev.psm.agents.control;

import dev.psm.agents.control.Towers.Inputs;
import dev.psm.torch.Device;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * The shapes of the networks that every continuous agent has: features φ(s), successor features
 * ψ(s, z, a) and an actor π(s, z). {@link Networks} are these with weights that learn.
 */
record NetworkShapes(ParallelMlp features, Towers successor, Towers actor) {
  /** Value estimates per seed; one alone would have no disagreement to measure. */
  static final int MEMBERS = 2;

  /**
   * @param featureMembers feature networks per seed
   */
  static NetworkShapes of(
      NetworkSizes sizes, int observationSize, int actionSize, int featureMembers) {
    int d = sizes.featureDimension();
    int hidden = sizes.featureWidth();
    return new NetworkShapes(
        new ParallelMlp(
            "features",
            new int[] {observationSize, hidden, hidden, d},
            true,
            false,
            featureMembers,
            1),
        successor("successor", sizes, observationSize, d, actionSize),
        Towers.of("actor", observationSize + d, observationSize, sizes.width(), actionSize, 1));
  }

  /** ψ for conditions of any size, task vectors or codes. */
  static Towers successor(
      String name, NetworkSizes sizes, int observationSize, int conditionSize, int actionSize) {
    return Towers.of(
        name,
        observationSize + actionSize,
        observationSize + conditionSize,
        sizes.width(),
        sizes.featureDimension(),
        MEMBERS);
  }

  Parameters initialiseFeatures(Device device, List<? extends RandomGenerator> seeds) {
    Parameters parameters = new Parameters(device);
    features.initialise(parameters, seeds);
    return parameters;
  }

  /** The same without values, to load some into. */
  Parameters blankFeatures() {
    Parameters parameters = new Parameters();
    features.blank(parameters, 1);
    return parameters;
  }

  /** The shapes of the features' and the actor's weights, of one seed. */
  Map<String, long[]> weights() {
    Map<String, long[]> shapes = new LinkedHashMap<>(features.shapes(1));
    List.of(actor.first(), actor.second(), actor.trunk())
        .forEach(network -> shapes.putAll(network.shapes(1)));
    return shapes;
  }

  /** The actor's mean action: seeds × rows × actions, in [−1, 1]. */
  Tensor meanAction(Parameters parameters, Tensor observations, Tensor tasks) {
    return actor
        .forward(parameters, new Inputs(observations, tasks), new Inputs(observations))
        .squeeze(1)
        .tanh();
  }
}
