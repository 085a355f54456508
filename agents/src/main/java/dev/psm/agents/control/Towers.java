package dev.psm.agents.control;

import dev.psm.torch.Device;
import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The published shape of ψ(s, z, a) and of the actor π(s, z): two embeddings of half the width,
 * each of which has seen the state, then a trunk over both.
 */
record Towers(ParallelMlp first, ParallelMlp second, ParallelMlp trunk) {

  /**
   * @param firstSize inputs of the first embedding
   * @param secondSize inputs of the second
   * @param members networks per seed
   */
  static Towers of(
      String name, int firstSize, int secondSize, int width, int outputs, int members) {
    // The published code starts ensembles with gain √2 and single networks with gain 1.
    double gain = members > 1 ? Math.sqrt(2) : 1;
    return new Towers(
        new ParallelMlp(
            name + ".first", new int[] {firstSize, width, width / 2}, true, true, members, gain),
        new ParallelMlp(
            name + ".second", new int[] {secondSize, width, width / 2}, true, true, members, gain),
        new ParallelMlp(
            name + ".trunk", new int[] {width, width, outputs}, false, false, members, gain));
  }

  Parameters initialise(Device device, List<? extends RandomGenerator> seeds) {
    Parameters parameters = new Parameters(device);
    first.initialise(parameters, seeds);
    second.initialise(parameters, seeds);
    trunk.initialise(parameters, seeds);
    return parameters;
  }

  /** One seed's, without values, to load some into. */
  Parameters blank() {
    Parameters parameters = new Parameters();
    first.blank(parameters, 1);
    second.blank(parameters, 1);
    trunk.blank(parameters, 1);
    return parameters;
  }

  /**
   * Inputs of one embedding.
   *
   * @param left seeds × rows × numbers
   * @param right the same, or null where there is only one
   */
  record Inputs(Tensor left, Tensor right) {
    Inputs(Tensor alone) {
      this(alone, null);
    }

    private Tensor of(ParallelMlp network, Parameters parameters) {
      return network.inputs(parameters, left, right);
    }
  }

  /**
   * @return seeds × members × rows × outputs
   */
  Tensor forward(Parameters parameters, Inputs a, Inputs b) {
    Tensor embedded =
        ParallelMlp.joined(
            parameters, first, a.of(first, parameters), second, b.of(second, parameters));
    return apart(trunk.forward(parameters, embedded), a.left().size(0));
  }

  /** A forward pass with saved activations. */
  record Trace(
      ParallelMlp.Trace first, ParallelMlp.Trace second, ParallelMlp.Trace trunk, Tensor output) {}

  Trace trace(Parameters parameters, Inputs a, Inputs b) {
    ParallelMlp.Trace ofFirst = new ParallelMlp.Trace();
    ParallelMlp.Trace ofSecond = new ParallelMlp.Trace();
    Tensor embedded =
        ParallelMlp.joined(
            parameters,
            first,
            a.of(first, parameters),
            second,
            b.of(second, parameters),
            ofFirst,
            ofSecond);
    ParallelMlp.Trace ofTrunk = trunk.trace(parameters, embedded);
    return new Trace(ofFirst, ofSecond, ofTrunk, apart(ofTrunk.output(), a.left().size(0)));
  }

  /**
   * The gradients of all weights.
   *
   * @param gradient by the output: seeds × members × rows × outputs
   */
  Gradients backward(Parameters parameters, Trace trace, Tensor gradient) {
    Gradients gradients = new Gradients();
    backward(parameters, trace, gradient, gradients, 0);
    return gradients;
  }

  /**
   * The same, added to others, for inputs that begin with the same numbers in both embeddings.
   *
   * @param shared how many they share; 0 where their gradient is not asked for
   * @return the gradient by those, seeds·members × rows × shared; or null
   */
  Tensor backward(Parameters parameters, Trace trace, Tensor gradient, Gradients into, int shared) {
    Tensor embedded = trunk.backward(parameters, trace.trunk, together(gradient), into, width());
    int half = width() / 2;
    Tensor left = embedded.narrow(2, 0, half);
    Tensor right = embedded.narrow(2, half, half);
    Device.Pair<Tensor, Tensor> inputs =
        parameters
            .device()
            .both(
                () -> first.backward(parameters, trace.first, left, into, shared),
                () -> second.backward(parameters, trace.second, right, into, shared));
    return shared == 0
        ? null
        : inputs.first().to(torch.ScalarType.Float).add(inputs.second().to(torch.ScalarType.Float));
  }

  /** The gradient by the first inputs alone, a sum over members: seeds × rows × first inputs. */
  Tensor backwardToFirst(Parameters parameters, Trace trace, Tensor gradient) {
    Tensor embedded =
        trunk.backward(parameters, trace.trunk, together(gradient), null, width() / 2);
    Tensor inputs = first.backward(parameters, trace.first, embedded, null, first.sizes()[0]);
    return apart(inputs, gradient.size(0)).to(torch.ScalarType.Float).sum(1);
  }

  private int width() {
    return trunk.sizes()[0];
  }

  private Tensor apart(Tensor x, long seeds) {
    return x.view(seeds, first.members(), x.size(1), x.size(2));
  }

  private static Tensor together(Tensor x) {
    return x.reshape(x.size(0) * x.size(1), x.size(2), x.size(3));
  }
}
