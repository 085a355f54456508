package dev.psm.torch;

import dev.psm.core.io.TensorData;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * A network that learns: its weights, Adam, and, where it has one, the target that follows it.
 * Subclasses say what it computes.
 */
public abstract class TrainedNetwork implements AutoCloseable {
  private final String name;
  private final Parameters weights;
  private final Parameters target;
  private final double targetRate;
  private final Adam adam;

  /**
   * @param name of its tensors in checkpoints
   * @param targetRate τ, at which the target follows; null for no target
   */
  protected TrainedNetwork(String name, Parameters weights, Double targetRate) {
    this.name = name;
    this.weights = weights;
    this.target = targetRate == null ? null : weights.targetCopy();
    this.targetRate = targetRate == null ? 0 : targetRate;
    this.adam = new Adam(weights);
  }

  public final Parameters weights() {
    return weights;
  }

  /** Null where it has none. */
  public final Parameters target() {
    return target;
  }

  /** A step of Adam; then the target follows. */
  protected final void descend(Gradients gradients, Tensor rate) {
    adam.step(gradients, rate, target, targetRate);
  }

  /** The same with gradients that libtorch has found, in the order of {@link Parameters#vector}. */
  protected final void descend(TensorVector gradients, double rate) {
    adam.step(gradients, rate);
    if (target != null) {
      target.averageTowards(weights, targetRate);
    }
  }

  /** The target follows first, and then the weights take their step. */
  protected final void descendAfterTarget(Gradients gradients, Tensor rate) {
    target.averageTowards(weights, targetRate);
    adam.step(gradients, rate);
  }

  /** Copies out one slice of weights, target and moments, for a checkpoint. */
  public final void export(Map<String, TensorData> into, Slice slice) {
    weights.export(name + "/", into, slice);
    if (target != null) {
      target.export("target_" + name + "/", into, slice);
    }
    adam.export("adam_" + name + "/", into, slice);
  }

  /** Takes back what {@link #export} gave. */
  public final void load(Map<String, TensorData> from, String fileName, Slice slice) {
    weights.load(name + "/", from, fileName, slice);
    if (target != null) {
      target.load("target_" + name + "/", from, fileName, slice);
    }
    adam.load("adam_" + name + "/", from, fileName, slice);
  }

  public final boolean isFinite() {
    return Stream.of(weights, target)
            .filter(part -> part != null)
            .flatMap(part -> part.asMap().values().stream())
            .allMatch(Tensors::isFinite)
        && adam.isFinite();
  }

  @Override
  public final void close() {
    adam.close();
    weights.close();
    if (target != null) {
      target.close();
    }
  }
}
