package dev.psm.agents.affine;

import dev.psm.torch.Device;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Φ and b as two separate networks over (s, s⁺) with one head per action, as published. */
final class NetworkBasis implements AffineBasis {
  private final Tensor observations;
  private final int stateCount;
  private final int actionCount;
  private final int dimension;
  private final Mlp basis;
  private final Mlp bias;
  private final RandomGenerator random;

  /**
   * @param observations states × features
   */
  NetworkBasis(
      Tensor observations, int actionCount, int dimension, int width, RandomGenerator random) {
    this.observations = observations.retainReference();
    this.stateCount = Math.toIntExact(observations.size(0));
    this.actionCount = actionCount;
    this.dimension = dimension;
    this.random = random;
    int size = Math.toIntExact(observations.size(1));
    basis = network("basis", size, width, actionCount * dimension);
    bias = network("bias", size, width, actionCount);
  }

  /** A trunk of three layers and a head of one hidden layer, the same thing as four. */
  private static Mlp network(String name, int observationSize, int width, int outputs) {
    return new Mlp(
        name, new int[] {2 * observationSize, width, width, width, width, outputs}, true, false);
  }

  /** The shapes of the {@link #parameters} of a basis that need not exist. */
  static Map<String, long[]> shapes(
      int observationSize, int actionCount, int dimension, int width) {
    Map<String, long[]> shapes =
        network("basis", observationSize, width, actionCount * dimension).shapes();
    shapes.putAll(network("bias", observationSize, width, actionCount).shapes());
    return shapes;
  }

  private NetworkBasis(NetworkBasis other, Device device) {
    this.observations = device.place(other.observations).retainReference();
    this.stateCount = other.stateCount;
    this.actionCount = other.actionCount;
    this.dimension = other.dimension;
    this.basis = other.basis;
    this.bias = other.bias;
    this.random = other.random;
  }

  @Override
  public AffineBasis on(Device device) {
    return device.isCuda() ? new NetworkBasis(this, device) : this;
  }

  @Override
  public Parameters parameters() {
    Parameters parameters = new Parameters();
    basis.initialise(parameters, random);
    bias.initialise(parameters, random);
    return parameters;
  }

  @Override
  public Evaluated everywhere(Parameters parameters) {
    Tensor input = crossed(observations, observations);
    long s = stateCount;
    // The networks see (s, s⁺) and answer for every action; triples want the action in the middle.
    Tensor phi =
        basis
            .forward(parameters, input)
            .view(s, s, actionCount, dimension)
            .permute(0, 2, 1, 3)
            .reshape(s * actionCount * s, dimension);
    Tensor b = bias.forward(parameters, input).view(s, s, actionCount).permute(0, 2, 1).reshape(-1);
    return new Evaluated(phi, b);
  }

  @Override
  public Evaluated mesh(Parameters parameters, Tensor states, Tensor actions, Tensor goals) {
    long rows = states.numel();
    long columns = goals.numel();
    Tensor input =
        crossed(observations.index_select(0, states), observations.index_select(0, goals));
    Tensor chosen = actions.view(rows, 1, 1, 1).expand(rows, columns, 1, dimension);
    Tensor phi =
        basis
            .forward(parameters, input)
            .view(rows, columns, actionCount, dimension)
            .gather(2, chosen)
            .squeeze(2);
    Tensor b =
        bias.forward(parameters, input)
            .view(rows, columns, actionCount)
            .gather(2, actions.view(rows, 1, 1).expand(rows, columns, 1))
            .squeeze(2);
    return new Evaluated(phi, b);
  }

  /** Every row beside every column, row-major: (rows · columns) × 2·features. */
  private static Tensor crossed(Tensor rows, Tensor columns) {
    long n = rows.size(0);
    long m = columns.size(0);
    long features = rows.size(1);
    Tensor left = rows.unsqueeze(1).expand(n, m, features);
    Tensor right = columns.unsqueeze(0).expand(n, m, features);
    return torch.cat(new TensorVector(left, right), 2).view(n * m, 2 * features);
  }
}
