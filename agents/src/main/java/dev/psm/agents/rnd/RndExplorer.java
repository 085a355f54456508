package dev.psm.agents.rnd;

import dev.psm.agents.TruncatedNormal;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Explores without a task: {@link Ddpg} whose only reward is the error of {@link Rnd}.
 *
 * <p>Environments stay outside. A loop asks {@link #act} for the actions of all of them, appends
 * finished episodes to an {@link NStepReplay} and then updates {@link #updatesDue} times.
 *
 * <p>Every draw comes from a stream of its own, named by the seed and a counter. The counters are
 * thus the whole state of the randomness, and a resumed run continues to the bit. Not for several
 * threads.
 */
public final class RndExplorer {
  private static final String COUNTERS = "counters";

  private final RndSettings settings;
  private final int observationSize;
  private final int actionSize;
  final Rnd rnd;
  final Ddpg ddpg;
  private long seed;
  private long environmentSteps;
  private long acts;
  private long updates;
  private double lastReward = Double.NaN;

  public RndExplorer(RndSettings settings, int observationSize, int actionSize, long seed) {
    this.settings = settings;
    this.observationSize = observationSize;
    this.actionSize = actionSize;
    this.seed = seed;
    this.ddpg =
        new Ddpg(
            settings,
            observationSize,
            actionSize,
            Seeds.generator(Seeds.mix(seed, 0, "ddpg weights")));
    this.rnd =
        new Rnd(settings, observationSize, Seeds.generator(Seeds.mix(seed, 0, "rnd weights")));
  }

  /**
   * Actions for one step of many environments, within [−1, 1]: uniform for the first {@code
   * seedSteps} steps counted over all environments, then the actor's with noise.
   *
   * @param observations one row per environment
   */
  public float[] act(float[] observations, int count) {
    requireLength("observations", observations, count * observationSize);
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, acts, "act"));
    int uniformRows = (int) Math.max(0, Math.min(count, settings.seedSteps() - environmentSteps));
    float[] actions =
        uniformRows < count ? means(observations, count) : new float[count * actionSize];
    float bound = (float) (1 - TruncatedNormal.MARGIN);
    for (int i = 0; i < actions.length; i++) {
      double action =
          i < uniformRows * actionSize
              ? random.nextDouble(-1, 1)
              : actions[i] + settings.noise() * random.nextGaussian();
      actions[i] = Math.max(-bound, Math.min(bound, (float) action));
    }
    acts++;
    environmentSteps += count;
    return actions;
  }

  /** The actor's actions without noise, one row per observation. */
  public float[] means(float[] observations, int count) {
    requireLength("observations", observations, count * observationSize);
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return Tensors.toFloats(ddpg.mean(Tensors.floats(observations, count, observationSize)));
    }
  }

  /**
   * Updates that the steps taken so far call for and that were not made: none while actions are
   * random, then one per {@code stepsPerUpdate}.
   */
  public long updatesDue() {
    long sinceSeeding = Math.max(0, environmentSteps - settings.seedSteps());
    return Math.max(0, sinceSeeding / settings.stepsPerUpdate() - updates);
  }

  /** One update on a batch drawn from the replay. */
  public void update(NStepReplay replay) {
    update(replay.sample(settings.batchSize(), Seeds.generator(Seeds.mix(seed, updates, "batch"))));
  }

  /**
   * One step of predictor, critic, actor and target critic. The reward is that of {@code
   * observations} under the predictor of this moment: none is stored, and the n − 1 later ones of
   * an n-step return are left out, as in the benchmark.
   */
  public void update(NStepReplay.Batch batch) {
    int rows = batch.size();
    if (rows < 2) {
      throw new IllegalArgumentException("a batch needs at least 2 rows, found " + rows);
    }
    requireLength("observations", batch.observations(), rows * observationSize);
    requireLength("actions", batch.actions(), rows * actionSize);
    requireLength("nextObservations", batch.nextObservations(), rows * observationSize);
    requireLength("discounts", batch.discounts(), rows);
    try (PointerScope scope = new PointerScope()) {
      Tensor observations = Tensors.floats(batch.observations(), rows, observationSize);
      Tensor rewards = rnd.learn(observations);
      lastReward = rewards.mean().item_double();
      ddpg.learn(
          observations,
          Tensors.floats(batch.actions(), rows, actionSize),
          rewards,
          Tensors.floats(batch.discounts(), rows, 1),
          Tensors.floats(batch.nextObservations(), rows, observationSize),
          Seeds.generator(Seeds.mix(seed, updates, "update")));
    }
    updates++;
  }

  private static void requireLength(String what, float[] values, int length) {
    if (values.length != length) {
      throw new IllegalArgumentException(
          "%s must have %d numbers, found %d".formatted(what, length, values.length));
    }
  }

  public long environmentSteps() {
    return environmentSteps;
  }

  public long updates() {
    return updates;
  }

  public RndSettings settings() {
    return settings;
  }

  /** What the last update measured; not a number before the first. */
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("rnd_loss", rnd.lastLoss());
    metrics.put("error_scale", rnd.errorScale());
    metrics.put("intrinsic_reward", lastReward);
    metrics.put("critic_loss", ddpg.lastCriticLoss());
    metrics.put("q_mean", ddpg.lastValue());
    metrics.put("actor_loss", ddpg.lastActorLoss());
    return metrics;
  }

  /** Writes everything that {@link #load} needs to continue to the bit, except the replay. */
  public void save(Path file) {
    Safetensors.write(file, tensors(), Map.of());
  }

  /** Becomes the explorer that was saved, its seed and counters included. */
  public void load(Path file) {
    load(Safetensors.read(file).tensors(), file.toString());
  }

  /** What {@link #save} writes: networks, optimisers, statistics and counters. */
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    tensors.put(COUNTERS, TensorData.of(new long[] {seed, environmentSteps, acts, updates}, 4));
    rnd.export("rnd.", tensors);
    ddpg.export("ddpg.", tensors);
    return tensors;
  }

  /** As {@link #load(Path)}, from tensors already read. */
  public void load(Map<String, TensorData> tensors, String fileName) {
    TensorData counters = tensors.get(COUNTERS);
    if (counters == null || counters.dtype() != DType.I64 || counters.elementCount() != 4) {
      throw UserError.usage(
          "%s: tensor '%s' must hold seed, steps, acts and updates as I64[4], found %s",
          fileName, COUNTERS, counters);
    }
    rnd.load("rnd.", tensors, fileName);
    ddpg.load("ddpg.", tensors, fileName);
    long[] values = counters.longs();
    seed = values[0];
    environmentSteps = values[1];
    acts = values[2];
    updates = values[3];
  }
}
