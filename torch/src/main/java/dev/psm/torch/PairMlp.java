package dev.psm.torch;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Multilayer perceptrons over pairs (x, y), of several seeds side by side, evaluated on a mesh:
 * every row x with every column y, and with columns of its own. The first layer is split, W[x, y] =
 * Ux + Vy, so that its products grow with rows and columns, not with pairs. Then LayerNorm and
 * tanh; hidden layers with ReLU follow, and what they give is the output.
 *
 * @param left numbers in x
 * @param right numbers in y
 * @param layers hidden layers, the first one included
 */
public record PairMlp(String name, int left, int right, int width, int layers) {
  /** The layers after the first; null where there is only that. */
  private ParallelMlp trunk() {
    int[] sizes = new int[layers];
    Arrays.fill(sizes, width);
    return layers == 1 ? null : new ParallelMlp(name + ".trunk", sizes, false, true, 1, 1);
  }

  private String key(String part) {
    return name + "." + part;
  }

  /** Adds the weights of every seed, each drawn from that seed's generator alone. */
  public void initialise(Parameters parameters, List<? extends RandomGenerator> seeds) {
    try (PointerScope scope = new PointerScope()) {
      TensorVector drawn = new TensorVector();
      for (RandomGenerator random : seeds) {
        drawn.push_back(Mlp.orthogonal(random, width, left + right).t());
      }
      add(parameters, torch.stack(drawn, 0));
      if (layers > 1) {
        trunk().initialise(parameters, seeds);
      }
    }
  }

  /** Adds weights of one seed that only have a shape, to load others into. */
  public void blank(Parameters parameters) {
    try (PointerScope scope = new PointerScope()) {
      add(parameters, torch.zeros(1, left + right, width));
      if (layers > 1) {
        trunk().blank(parameters, 1);
      }
    }
  }

  private void add(Parameters parameters, Tensor weight) {
    long seeds = weight.size(0);
    parameters.add(key("left.weight"), weight.narrow(1, 0, left));
    parameters.add(key("right.weight"), weight.narrow(1, left, right));
    parameters.add(key("left.bias"), torch.zeros(seeds, 1, width));
    parameters.add(key("norm.weight"), torch.ones(seeds, 1, width));
    parameters.add(key("norm.bias"), torch.zeros(seeds, 1, width));
  }

  /** The shapes of one seed's weights. */
  public Map<String, long[]> shapes() {
    Map<String, long[]> shapes = new LinkedHashMap<>();
    shapes.put(key("left.weight"), new long[] {1, left, width});
    shapes.put(key("right.weight"), new long[] {1, right, width});
    for (String each : List.of(key("left.bias"), key("norm.weight"), key("norm.bias"))) {
      shapes.put(each, new long[] {1, 1, width});
    }
    if (layers > 1) {
      shapes.putAll(trunk().shapes(1));
    }
    return shapes;
  }

  /** Ux of rows: seeds × rows × width. */
  public Tensor left(Parameters parameters, Tensor x) {
    return torch.bmm(x, parameters.get(key("left.weight")));
  }

  /** Vy of columns, each once, whatever row they meet: seeds × columns × width. */
  public Tensor right(Parameters parameters, Tensor y) {
    return torch.bmm(y, parameters.get(key("right.weight")));
  }

  /**
   * A part of a mesh, from its products.
   *
   * @param left Ux: seeds × rows × width
   * @param right Vy of the columns that all rows meet: seeds × columns × width; null for none
   * @param own Vy of those that each row has for itself: seeds × rows × own × width; null for none
   */
  public record Mesh(Tensor left, Tensor right, Tensor own) {
    /** Every sum: seeds × rows × (columns + own) × width. */
    private Tensor sums() {
      Tensor rows = left.unsqueeze(2);
      Tensor shared = right == null ? null : rows.add(right.unsqueeze(1));
      Tensor alone = own == null ? null : rows.add(own);
      if (shared == null || alone == null) {
        return shared == null ? alone : shared;
      }
      return torch.cat(new TensorVector(shared, alone), 2);
    }
  }

  /** A forward pass with saved activations. */
  public static final class Trace {
    private final Mesh mesh;
    private Layers.Normed first;
    private ParallelMlp.Trace trunk;
    private Tensor output;

    private Trace(Mesh mesh) {
      this.mesh = mesh;
    }

    /** Seeds × rows × (columns + own) × width. */
    public Tensor output() {
      return output;
    }
  }

  /**
   * @return seeds × rows × (columns + own) × width
   */
  public Tensor forward(Parameters parameters, Mesh mesh) {
    return run(parameters, mesh, false).output;
  }

  public Trace trace(Parameters parameters, Mesh mesh) {
    return run(parameters, mesh, true);
  }

  private Trace run(Parameters parameters, Mesh mesh, boolean kept) {
    Layers layer = parameters.device().layers();
    Tensor sums = mesh.sums();
    Trace trace = new Trace(mesh);
    trace.first =
        layer.normTanh(
            layer.entering(sums.view(sums.size(0), -1, width)),
            parameters.get(key("left.bias")),
            parameters.get(key("norm.weight")),
            parameters.get(key("norm.bias")),
            kept);
    Tensor output = trace.first.output();
    if (layers > 1 && kept) {
      trace.trunk = trunk().trace(parameters, output);
      output = trace.trunk.output();
    } else if (layers > 1) {
      output = trunk().forward(parameters, output);
    }
    trace.output = layer.leaving(output).view_as(sums);
    return trace;
  }

  /** Gradients by the products of a {@link Mesh}, in their shapes. */
  public record MeshGradients(Tensor left, Tensor right, Tensor own) {}

  /**
   * The backward pass: gradients of all weights but those of the first layer's two halves, which
   * follow from what is returned: {@link #backwardLeft}, {@link #backwardRight}.
   *
   * @param gradient by the output, in its shape
   */
  public MeshGradients backward(
      Parameters parameters, Trace trace, Tensor gradient, Gradients into) {
    Layers layer = parameters.device().layers();
    Tensor g = layer.entering(gradient.view(gradient.size(0), -1, width));
    if (layers > 1) {
      g = trunk().backward(parameters, trace.trunk, g, into, width);
    }
    Layers.NormedBack back =
        layer.normTanh(
            trace.first,
            parameters.get(key("left.bias")),
            parameters.get(key("norm.weight")),
            g,
            true);
    into.put(key("left.bias"), back.bias());
    into.put(key("norm.weight"), back.gain());
    into.put(key("norm.bias"), back.shift());
    Tensor sums = layer.leaving(back.gradient()).view_as(gradient);
    long columns = trace.mesh.right == null ? 0 : trace.mesh.right.size(1);
    long own = gradient.size(2) - columns;
    return new MeshGradients(
        sums.sum(2),
        columns == 0 ? null : sums.narrow(2, 0, columns).sum(1),
        own == 0 ? null : sums.narrow(2, columns, own));
  }

  /** The gradient of U, from that by Ux: seeds × rows × width. */
  public void backwardLeft(Tensor x, Tensor gradient, Gradients into) {
    into.put(key("left.weight"), torch.bmm(x.transpose(1, 2), gradient));
  }

  /** The gradient of V, from that by Vy: seeds × columns × width. */
  public void backwardRight(Tensor y, Tensor gradient, Gradients into) {
    into.put(key("right.weight"), torch.bmm(y.transpose(1, 2), gradient));
  }
}
