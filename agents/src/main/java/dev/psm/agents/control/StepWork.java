package dev.psm.agents.control;

import dev.psm.torch.ParallelMlp;

/**
 * Multiplications of one row of a batch of one seed, those in products of matrices alone. All else
 * of a step is a small number of operations per element.
 *
 * <p>NetworkShapes count forward; backward once by the weights and once by the inputs, the latter
 * not where nobody asks for it: the first layers' inputs are data. Losses count as d × d products.
 * Task vectors of goals, in double precision and on other units of a GPU, do not count.
 */
final class StepWork {
  private final NetworkSizes sizes;
  private final int observationSize;
  private final int actionSize;
  private final NetworkShapes shapes;

  StepWork(NetworkSizes sizes, int observationSize, int actionSize) {
    this.sizes = sizes;
    this.observationSize = observationSize;
    this.actionSize = actionSize;
    this.shapes = NetworkShapes.of(sizes, observationSize, actionSize, 1);
  }

  int actionSize() {
    return actionSize;
  }

  /** One network of the features. */
  ParallelMlp features() {
    return shapes.features();
  }

  /** ψ for conditions of a size. */
  Towers successor(int conditionSize) {
    return NetworkShapes.successor("", sizes, observationSize, conditionSize, actionSize);
  }

  /** The actor's next action, ψ̄ of it, and a step of ψ. */
  long successorStep() {
    Towers psi = shapes.successor();
    return forward(shapes.actor()) + forward(psi) + learn(psi);
  }

  /** The actor, ψ of its action, and the backward pass through ψ to the action alone. */
  long actorStep() {
    Towers psi = shapes.successor();
    return learn(shapes.actor()) + forward(psi) + backToFirst(psi);
  }

  /** Gradients of a measure by ψ and φ: ten products of rows by d × d or of rows to d × d. */
  long measureGradients() {
    return (6 + 2 * NetworkShapes.MEMBERS) * square();
  }

  /** A product of rows by d × d. */
  long square() {
    return (long) sizes.featureDimension() * sizes.featureDimension();
  }

  static long forward(ParallelMlp network) {
    int[] sizes = network.sizes();
    long sum = 0;
    for (int layer = 0; layer + 1 < sizes.length; layer++) {
      sum += (long) sizes[layer] * sizes[layer + 1];
    }
    return network.members() * sum;
  }

  /** Forward, and backward to all weights. */
  static long learn(ParallelMlp network) {
    return 2 * forward(network) + backToFirstLayer(network);
  }

  private static long backToFirstLayer(ParallelMlp network) {
    return forward(network) - firstLayer(network);
  }

  private static long firstLayer(ParallelMlp network) {
    return (long) network.members() * network.sizes()[0] * network.sizes()[1];
  }

  static long forward(Towers towers) {
    return forward(towers.first()) + forward(towers.second()) + forward(towers.trunk());
  }

  static long learn(Towers towers) {
    return 2 * forward(towers)
        + backToFirstLayer(towers.first())
        + backToFirstLayer(towers.second())
        + forward(towers.trunk());
  }

  /** Through half of the trunk's inputs and one tower, to its inputs. */
  private static long backToFirst(Towers towers) {
    return backToFirstLayer(towers.trunk())
        + firstLayer(towers.trunk()) / 2
        + forward(towers.first());
  }
}
