package dev.psm.agents.discrete;

import dev.psm.core.UserError;
import dev.psm.torch.Device;
import dev.psm.torch.Gradients;
import dev.psm.torch.PairMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import dev.psm.torch.TrainedNetwork;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Φ and b of m(s, a, s⁺) = Φ(s, a, s⁺)·w + b(s, a, s⁺), over pairs (s, s⁺) with a head for every
 * action. The bias is one more basis function, whose coordinate is always 1: m = [Φ, b]·[w, 1].
 *
 * <p>Φ itself is never formed on a mesh. The head is linear, so a row's action and coordinates make
 * one vector v = H[a]·[w, 1] of it, and m is the last hidden layer times v: a pair costs its hidden
 * layers and a dot product, whatever d and the number of actions are.
 */
final class MeasureNetwork extends TrainedNetwork {
  static final String NAME = "measure";
  private static final String HEAD = NAME + ".head.weight";
  private static final String HEAD_BIAS = NAME + ".head.bias";

  private final Layout layout;

  /**
   * Its sizes.
   *
   * @param state numbers in s
   * @param entered numbers in s⁺
   * @param basis d
   */
  record Layout(int state, int entered, int actions, int basis, int width, int layers) {
    private PairMlp trunk() {
      return new PairMlp(NAME + ".trunk", state, entered, width, layers);
    }

    /** Coordinates and the bias's 1. */
    int coordinates() {
      return basis + 1;
    }

    private int outputs() {
      return actions * coordinates();
    }

    Parameters initialise(Device device, List<? extends RandomGenerator> seeds) {
      Parameters parameters = new Parameters(device);
      trunk().initialise(parameters, seeds);
      Tensors.scoped(() -> addHeads(parameters, seeds));
      return parameters;
    }

    private void addHeads(Parameters parameters, List<? extends RandomGenerator> seeds) {
      TensorVector heads = new TensorVector();
      for (RandomGenerator random : seeds) {
        // Φw begins near 0 whatever d is: coordinates have length √d.
        heads.push_back(
            Tensors.gaussian(random, width, outputs())
                .div(Tensors.scalar(Math.sqrt((double) width * coordinates()))));
      }
      parameters.add(HEAD, torch.stack(heads, 0));
      // And b at 1: a density has mean 1, which bootstrapping alone would reach at the pace of γ.
      Tensor constants = torch.zeros(seeds.size(), 1, actions, coordinates());
      constants.narrow(3, basis, 1).fill_(Tensors.scalar(1));
      parameters.add(HEAD_BIAS, constants.view(seeds.size(), 1, outputs()));
    }

    /** Of one seed, to load values into. */
    Parameters blank() {
      Parameters parameters = new Parameters();
      trunk().blank(parameters);
      Tensors.scoped(
          () -> {
            parameters.add(HEAD, torch.zeros(1, width, outputs()));
            parameters.add(HEAD_BIAS, torch.zeros(1, 1, outputs()));
          });
      return parameters;
    }

    /** The shapes of one seed's weights. */
    Map<String, long[]> shapes() {
      Map<String, long[]> shapes = new LinkedHashMap<>(trunk().shapes());
      shapes.put(HEAD, new long[] {1, width, outputs()});
      shapes.put(HEAD_BIAS, new long[] {1, 1, outputs()});
      return shapes;
    }

    /** Ux: seeds × rows × width. */
    Tensor left(Parameters weights, Tensor states) {
      return trunk().left(weights, states);
    }

    /** Vy: seeds × columns × width. */
    Tensor right(Parameters weights, Tensor entered) {
      return trunk().right(weights, entered);
    }

    /** The last hidden layer on a mesh: seeds × rows × (columns + own) × width. */
    Tensor hidden(Parameters weights, PairMlp.Mesh mesh) {
      return trunk().forward(weights, mesh);
    }

    /**
     * Φ and b where the last hidden layer, or a weighted sum of it, is known.
     *
     * @param hidden seeds × rows × width
     * @param weight of the sum: seeds × rows × 1
     * @return seeds × rows × actions × (d + 1)
     */
    Tensor basis(Parameters weights, Tensor hidden, Tensor weight) {
      return torch
          .bmm(hidden, weights.get(HEAD))
          .add(weight.mul(weights.get(HEAD_BIAS)))
          .view(hidden.size(0), hidden.size(1), actions, coordinates());
    }

    /** The heads of rows by their coordinates: {@link Heads} of all actions. */
    Heads heads(Parameters weights, Tensor coordinates) {
      long seeds = coordinates.size(0);
      long rows = coordinates.size(1);
      Tensor vectors =
          torch.bmm(coordinates, byCoordinate(weights)).view(seeds, rows, actions, width);
      Tensor constants =
          torch.bmm(
              coordinates,
              weights.get(HEAD_BIAS).view(seeds, actions, coordinates()).transpose(1, 2));
      return new Heads(vectors, constants);
    }

    /** Seeds × (d + 1) × actions·width. */
    private Tensor byCoordinate(Parameters weights) {
      return weights
          .get(HEAD)
          .view(-1, width, actions, coordinates())
          .permute(0, 3, 2, 1)
          .reshape(-1, coordinates(), (long) actions * width);
    }

    /** Refuses what no network can be. */
    void check() {
      if ((long) width * outputs() > Integer.MAX_VALUE) {
        throw UserError.invalid(
            "a width of %d for %d actions and %d coordinates is too large; lower width or"
                + " basisDimension",
            width, actions, coordinates());
      }
    }
  }

  /**
   * What a row's last hidden layer is multiplied with.
   *
   * @param vectors seeds × rows × actions × width
   * @param constants what is added: seeds × rows × actions
   */
  record Heads(Tensor vectors, Tensor constants) {
    /**
     * Of one action per row.
     *
     * @param actions seeds × rows
     */
    Chosen of(Tensor actions) {
      Tensor index = actions.unsqueeze(-1);
      return new Chosen(
          vectors
              .gather(
                  2,
                  index.unsqueeze(-1).expand(vectors.size(0), vectors.size(1), 1, vectors.size(3)))
              .squeeze(2),
          constants.gather(2, index));
    }

    /** m of every action, in one column of each row's own: seeds × rows × actions. */
    Tensor measures(Tensor hidden) {
      return vectors.matmul(hidden.transpose(2, 3)).squeeze(3).add_(constants);
    }
  }

  /**
   * The head of a row's action.
   *
   * @param vectors v: seeds × rows × width
   * @param constants seeds × rows × 1
   */
  record Chosen(Tensor vectors, Tensor constants) {
    Chosen rows(long from, long count) {
      return new Chosen(vectors.narrow(1, from, count), constants.narrow(1, from, count));
    }

    /** m on a mesh: seeds × rows × columns. */
    Tensor measures(Tensor hidden) {
      return hidden.matmul(vectors.unsqueeze(3)).squeeze(3).add_(constants);
    }
  }

  MeasureNetwork(Layout layout, Parameters weights, double targetRate) {
    super(NAME, weights, targetRate);
    this.layout = layout;
  }

  Layout layout() {
    return layout;
  }

  PairMlp.Trace pass(PairMlp.Mesh mesh) {
    return layout.trunk().trace(weights(), mesh);
  }

  /**
   * The backward pass of a part of a mesh.
   *
   * @param byMeasures gradient of the loss by m: seeds × rows × columns
   * @param byHeads where the gradients by v and by the constants of these rows go
   */
  PairMlp.MeshGradients backward(
      PairMlp.Trace pass, Chosen heads, Tensor byMeasures, Chosen byHeads, Gradients into) {
    byHeads.vectors.copy_(byMeasures.unsqueeze(2).matmul(pass.output()).squeeze(2));
    byHeads.constants.copy_(byMeasures.sum(2).unsqueeze(2));
    Tensor byHidden = byMeasures.unsqueeze(3).mul(heads.vectors.unsqueeze(2));
    return layout.trunk().backward(weights(), pass, byHidden, into);
  }

  void backwardLeft(Tensor states, Tensor gradient, Gradients into) {
    layout.trunk().backwardLeft(states, gradient, into);
  }

  void backwardRight(Tensor entered, Tensor gradient, Gradients into) {
    layout.trunk().backwardRight(entered, gradient, into);
  }

  /**
   * From the gradients by the rows' heads to those of the head's weights.
   *
   * @param actions of the rows: seeds × rows
   * @return the gradient by the coordinates: seeds × rows × (d + 1)
   */
  Tensor backwardHeads(Tensor actions, Tensor coordinates, Chosen byHeads, Gradients into) {
    long seeds = coordinates.size(0);
    long rows = coordinates.size(1);
    long count = layout.actions;
    long width = layout.width;
    Tensor index = actions.unsqueeze(-1);
    Tensor byVectors =
        torch
            .zeros(new long[] {seeds, rows, count, width}, byHeads.vectors.options())
            .scatter(
                2, index.unsqueeze(-1).expand(seeds, rows, 1, width), byHeads.vectors.unsqueeze(2))
            .view(seeds, rows, count * width);
    Tensor byConstants =
        torch
            .zeros(new long[] {seeds, rows, count}, byHeads.constants.options())
            .scatter(2, index, byHeads.constants);
    into.put(
        HEAD,
        torch
            .bmm(byVectors.transpose(1, 2), coordinates)
            .view(seeds, count, width, layout.coordinates())
            .permute(0, 2, 1, 3)
            .reshape(seeds, width, layout.outputs()));
    into.put(
        HEAD_BIAS,
        torch.bmm(byConstants.transpose(1, 2), coordinates).view(seeds, 1, layout.outputs()));
    Tensor heads = weights().get(HEAD_BIAS).view(seeds, count, layout.coordinates());
    return torch
        .bmm(byVectors, layout.byCoordinate(weights()).transpose(1, 2))
        .add_(torch.bmm(byConstants, heads));
  }

  /** A step along gradients that are complete; the target follows. */
  void step(Gradients gradients, Tensor rate) {
    descend(gradients, rate);
  }
}
