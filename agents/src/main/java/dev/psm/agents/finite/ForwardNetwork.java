package dev.psm.agents.finite;

import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The network over (s, z) that both baselines share: a trunk and two heads, each giving one
 * d-vector per action. It is F of Forward-Backward and ψ of successor features.
 */
public final class ForwardNetwork {
  public static final int HEADS = 2;

  private final Mlp trunk;
  private final Mlp[] heads = new Mlp[HEADS];
  private final int actionCount;
  private final int dimension;

  public ForwardNetwork(int observationSize, int actionCount, int dimension, int width) {
    this.actionCount = actionCount;
    this.dimension = dimension;
    trunk =
        new Mlp("trunk", new int[] {observationSize + dimension, width, width, width}, true, true);
    for (int head = 0; head < HEADS; head++) {
      heads[head] =
          new Mlp("head" + head, new int[] {width, width, dimension * actionCount}, false, false);
    }
  }

  /** The shapes of the weights. */
  Map<String, long[]> shapes() {
    Map<String, long[]> shapes = trunk.shapes();
    for (Mlp head : heads) {
      shapes.putAll(head.shapes());
    }
    return shapes;
  }

  public Parameters initialise(RandomGenerator random) {
    Parameters parameters = new Parameters();
    trunk.initialise(parameters, random);
    for (Mlp head : heads) {
      head.initialise(parameters, random);
    }
    return parameters;
  }

  /** Both heads for every action: rows × actions × d each. */
  public Tensor[] forward(Parameters parameters, Tensor observations, Tensor z) {
    Tensor hidden = trunk.forward(parameters, torch.cat(new TensorVector(observations, z), 1));
    Tensor[] outputs = new Tensor[HEADS];
    for (int head = 0; head < HEADS; head++) {
      outputs[head] = heads[head].forward(parameters, hidden).view(-1, actionCount, dimension);
    }
    return outputs;
  }

  /** Q of the less optimistic head: rows × actions. */
  public static Tensor pessimisticQ(Tensor[] outputs, Tensor z) {
    Tensor column = z.unsqueeze(2);
    return torch.minimum(
        outputs[0].matmul(column).squeeze(2), outputs[1].matmul(column).squeeze(2));
  }

  /** Each row's vector for its action: rows × d. */
  public static Tensor at(Tensor output, Tensor actions) {
    long rows = output.size(0);
    long dimension = output.size(2);
    return output.gather(1, actions.view(rows, 1, 1).expand(rows, 1, dimension)).squeeze(1);
  }
}
