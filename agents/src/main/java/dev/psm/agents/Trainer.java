package dev.psm.agents;

import dev.psm.core.io.TensorData;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes gradient steps, for several seeds side by side. What a seed draws at a step depends on
 * nothing but the seed and the step, so a trainer that was restored from checkpoints goes on to the
 * bit as one that was never stopped.
 */
public interface Trainer extends AutoCloseable {
  List<Long> seeds();

  /** A sentence on its data for whoever trains it; empty where there is nothing to say. */
  default Optional<String> remark() {
    return Optional.empty();
  }

  /** One gradient step of every seed, on everything that the agent learns. */
  void step();

  long stepsDone();

  /**
   * The numbers worth watching, each explained on the algorithm's page: name to one value per seed.
   */
  Map<String, double[]> metrics();

  /** Everything that a run of one seed needs to go on, the number of steps among it. */
  Map<String, TensorData> checkpoint(long seed);

  /**
   * Takes back a seed's checkpoint. All seeds must come from the same step, which is the caller's
   * to see to.
   */
  void restore(long seed, Map<String, TensorData> tensors, String fileName);

  /** The first tensor with a NaN or an infinity, as a checkpoint names it. */
  record NotFinite(long seed, String tensor) {}

  /** Looks for a NaN or an infinity in everything that a checkpoint would hold. */
  default Optional<NotFinite> firstNotFinite() {
    for (long seed : seeds()) {
      for (Map.Entry<String, TensorData> entry : checkpoint(seed).entrySet()) {
        if (!entry.getValue().isFinite()) {
          return Optional.of(new NotFinite(seed, entry.getKey()));
        }
      }
    }
    return Optional.empty();
  }

  /** What one seed has learned so far: a copy, which is its caller's to close. */
  Model model(long seed);

  /** Frees the networks and all that belongs to them. */
  @Override
  void close();
}
