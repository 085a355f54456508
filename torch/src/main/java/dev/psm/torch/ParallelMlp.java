package dev.psm.torch;

import static dev.psm.torch.Tensors.scalar;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Many multilayer perceptrons of one shape, side by side: those of several seeds, and of each
 * seed's members. Every weight has a leading axis of seeds × members, a seed's members in a row, so
 * that one batched product serves all of them and a seed's part is a {@link Slice}.
 *
 * <p>Layers are as in {@link Mlp}; weights are stored as inputs × outputs.
 *
 * @param gain of the orthogonal initialisation: 1 for single networks, √2 for ensembles, as in the
 *     published code
 */
public record ParallelMlp(
    String name,
    int[] sizes,
    boolean normaliseFirst,
    boolean activateLast,
    int members,
    double gain) {
  /** Adds the weights of every seed, each drawn from that seed's generator alone. */
  public void initialise(Parameters parameters, List<? extends RandomGenerator> seeds) {
    try (PointerScope scope = new PointerScope()) {
      add(parameters, seeds.size(), (inputs, outputs) -> orthogonal(seeds, inputs, outputs));
    }
  }

  /** Adds weights that only have a shape, to load others into. */
  public void blank(Parameters parameters, int seeds) {
    try (PointerScope scope = new PointerScope()) {
      add(
          parameters,
          seeds,
          (inputs, outputs) -> torch.zeros((long) seeds * members, inputs, outputs));
    }
  }

  /** The shapes of the weights. */
  public Map<String, long[]> shapes(int seeds) {
    long stack = (long) seeds * members;
    Map<String, long[]> shapes = new LinkedHashMap<>();
    for (int layer = 0; layer + 1 < sizes.length; layer++) {
      shapes.put(key(layer, "weight"), new long[] {stack, sizes[layer], sizes[layer + 1]});
      shapes.put(key(layer, "bias"), new long[] {stack, 1, sizes[layer + 1]});
      if (layer == 0 && normaliseFirst) {
        shapes.put(name + ".norm.weight", new long[] {stack, 1, sizes[1]});
        shapes.put(name + ".norm.bias", new long[] {stack, 1, sizes[1]});
      }
    }
    return shapes;
  }

  private interface Weights {
    Tensor of(int inputs, int outputs);
  }

  private void add(Parameters parameters, int seeds, Weights weights) {
    long stack = (long) seeds * members;
    for (int layer = 0; layer + 1 < sizes.length; layer++) {
      parameters.add(key(layer, "weight"), weights.of(sizes[layer], sizes[layer + 1]));
      parameters.add(key(layer, "bias"), torch.zeros(stack, 1, sizes[layer + 1]));
      if (layer == 0 && normaliseFirst) {
        parameters.add(name + ".norm.weight", torch.ones(stack, 1, sizes[1]));
        parameters.add(name + ".norm.bias", torch.zeros(stack, 1, sizes[1]));
      }
    }
  }

  private Tensor orthogonal(List<? extends RandomGenerator> seeds, int inputs, int outputs) {
    TensorVector drawn = new TensorVector();
    for (RandomGenerator random : seeds) {
      for (int member = 0; member < members; member++) {
        drawn.push_back(Mlp.orthogonal(random, outputs, inputs).t().mul(scalar(gain)));
      }
    }
    return torch.stack(drawn, 0);
  }

  /**
   * Applies every network to its own rows.
   *
   * @param x seeds·members × rows × inputs
   * @return seeds·members × rows × outputs
   */
  public Tensor forward(Parameters parameters, Tensor x) {
    return run(parameters, x, null, null, UnaryOperator.identity());
  }

  /**
   * Applies the first member of every seed, where the others are not asked.
   *
   * @param x seeds × rows × inputs
   * @return seeds × rows × outputs
   */
  public Tensor forwardFirst(Parameters parameters, Tensor x) {
    return run(
        parameters,
        parameters.device().layers().joined(x, null, 1),
        null,
        null,
        all -> all.view(-1, members, all.size(1), all.size(2)).select(1, 0).contiguous());
  }

  /** The same, with all that {@link #backward} will need. */
  public Trace trace(Parameters parameters, Tensor x) {
    Trace trace = new Trace();
    trace.output = run(parameters, x, trace, null, UnaryOperator.identity());
    return trace;
  }

  /**
   * The outputs of two networks side by side, which both end with a ReLU.
   *
   * @param traces one for each, or null where there will be no backward pass
   */
  public static Tensor joined(
      Parameters parameters,
      ParallelMlp one,
      Tensor a,
      ParallelMlp other,
      Tensor b,
      Trace... traces) {
    int width = one.outputs() + other.outputs();
    Tensor room = parameters.device().layers().room(a, width);
    Tensor left = room == null ? null : room.narrow(2, 0, one.outputs());
    Tensor right = room == null ? null : room.narrow(2, one.outputs(), other.outputs());
    boolean traced = traces.length > 0;
    Device.Pair<Tensor, Tensor> outputs =
        parameters
            .device()
            .both(
                () ->
                    one.run(
                        parameters, a, traced ? traces[0] : null, left, UnaryOperator.identity()),
                () ->
                    other.run(
                        parameters, b, traced ? traces[1] : null, right, UnaryOperator.identity()));
    if (traced) {
      traces[0].output = outputs.first();
      traces[1].output = outputs.second();
    }
    return room == null ? torch.cat(new TensorVector(outputs.first(), outputs.second()), 2) : room;
  }

  private int outputs() {
    return sizes[sizes.length - 1];
  }

  /**
   * Inputs of all members: two tensors side by side, each seeds × rows × numbers.
   *
   * @param b null where there is only one
   */
  public Tensor inputs(Parameters parameters, Tensor a, Tensor b) {
    return parameters.device().layers().joined(a, b, members);
  }

  /** A forward pass with saved activations. */
  public static final class Trace {
    private final List<Tensor> inputs = new ArrayList<>();
    private Layers.Normed normed;
    private Tensor output;

    public Tensor output() {
      return output;
    }
  }

  /**
   * @param asked which of the stacked networks take part
   */
  private Tensor run(
      Parameters parameters, Tensor x, Trace trace, Tensor into, UnaryOperator<Tensor> asked) {
    Layers layers = parameters.device().layers();
    Tensor h = layers.entering(x);
    for (int layer = 0; layer < layers(); layer++) {
      if (trace != null) {
        trace.inputs.add(h);
      }
      Tensor weight = asked.apply(parameters.factor(key(layer, "weight")));
      Tensor bias = asked.apply(parameters.get(key(layer, "bias")));
      if (isNormalised(layer)) {
        Tensor gain = asked.apply(parameters.get(name + ".norm.weight"));
        Tensor shift = asked.apply(parameters.get(name + ".norm.bias"));
        Layers.Normed normed = layers.linearNormTanh(h, weight, bias, gain, shift, trace != null);
        if (trace != null) {
          trace.normed = normed;
        }
        h = normed.output();
      } else {
        Tensor place = layer == layers() - 1 ? into : null;
        h =
            isActivated(layer)
                ? layers.linearRelu(h, weight, bias, place)
                : layers.linear(h, weight, bias);
      }
    }
    return activateLast ? h : layers.leaving(h);
  }

  /**
   * The backward pass: gradients of all weights.
   *
   * @param gradient by the output
   * @param into where the weights' gradients go; null where only the inputs' is wanted
   * @param inputs how many of the inputs, the first ones, the gradient returned is for; 0 for none
   * @return the gradient by the inputs, or null
   */
  public Tensor backward(
      Parameters parameters, Trace trace, Tensor gradient, Gradients into, int inputs) {
    Layers layers = parameters.device().layers();
    boolean wanted = into != null;
    Tensor g = activateLast ? gradient : layers.entering(gradient);
    for (int layer = layers() - 1; layer >= 0; layer--) {
      Tensor input = trace.inputs.get(layer);
      Tensor bias;
      if (isNormalised(layer)) {
        Layers.NormedBack back =
            layers.normTanh(
                trace.normed,
                parameters.get(key(layer, "bias")),
                parameters.get(name + ".norm.weight"),
                g,
                wanted);
        g = back.gradient();
        bias = back.bias();
        if (wanted) {
          into.put(name + ".norm.weight", back.gain());
          into.put(name + ".norm.bias", back.shift());
        }
      } else if (isActivated(layer)) {
        Tensor output = layer == layers() - 1 ? trace.output : trace.inputs.get(layer + 1);
        Layers.Back back = layers.relu(output, g, wanted);
        g = back.gradient();
        bias = back.bias();
      } else {
        bias = wanted ? layers.biasGradient(gradient) : null;
      }
      if (wanted) {
        into.put(key(layer, "bias"), bias);
        into.put(key(layer, "weight"), layers.weightGradient(input, g));
      }
      if (layer > 0 || inputs > 0) {
        Tensor weight = parameters.factor(key(layer, "weight"));
        boolean part = layer == 0 && inputs < sizes[0];
        g = layers.inputGradient(g, part ? weight.narrow(1, 0, inputs) : weight);
      }
    }
    return inputs > 0 ? g : null;
  }

  /** The name of what the last layer adds. */
  public String lastBias() {
    return key(layers() - 1, "bias");
  }

  int layers() {
    return sizes.length - 1;
  }

  boolean isNormalised(int layer) {
    return layer == 0 && normaliseFirst;
  }

  boolean isActivated(int layer) {
    return layer < layers() - 1 || activateLast;
  }

  String key(int layer, String part) {
    return name + "." + layer + "." + part;
  }
}
