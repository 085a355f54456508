package dev.psm.agents.rnd;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Space;
import dev.psm.core.io.DType;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * Explores without a task: {@link Ddpg}, or {@link Dqn} where actions are numbered, whose only
 * reward is the error of {@link Rnd}.
 *
 * <p>Environments stay outside. A loop asks {@link #act} for the actions of all of them, appends
 * finished episodes to an {@link NStepReplay} and then updates {@link #updatesDue} times.
 *
 * <p>Every draw comes from a stream of its own, named by the seed and a counter. The counters are
 * thus the whole state of the randomness, and a resumed run continues to the bit. Not for several
 * threads.
 */
public final class RndExplorer implements AutoCloseable {
  private static final String COUNTERS = "counters";

  private final ExplorerSettings settings;
  private final int observationSize;
  private final int actionSize;
  final Rnd rnd;
  final Learner learner;
  private final Device device;
  private final DeviceMetrics reward;
  private final UpdateBlock block;
  private long seed;
  private long environmentSteps;
  private long acts;
  private long updates;

  public RndExplorer(ExplorerSettings settings, int observationSize, Space actions, long seed) {
    this(settings, observationSize, actions, seed, Device.CPU);
  }

  /** The same on a device; on a GPU the last bits are other ones. */
  public RndExplorer(
      ExplorerSettings settings, int observationSize, Space actions, long seed, Device device) {
    this(
        settings,
        observationSize,
        actions,
        seed,
        device,
        device.isCuda() ? new DeviceMoments(device) : new RunningMoments(),
        device.isCuda());
  }

  /**
   * @param blocks whether updates from a replay go through an {@link UpdateBlock}
   */
  RndExplorer(
      ExplorerSettings settings,
      int observationSize,
      Space actions,
      long seed,
      Device device,
      Moments moments,
      boolean blocks) {
    this.settings = settings;
    this.observationSize = observationSize;
    this.actionSize = Learner.actionSize(actions);
    this.seed = seed;
    this.device = device;
    this.learner =
        Learner.of(
            settings,
            observationSize,
            actions,
            Seeds.generator(Seeds.mix(seed, 0, settings.algorithm() + " weights")),
            device);
    this.rnd =
        new Rnd(
            settings,
            observationSize,
            Seeds.generator(Seeds.mix(seed, 0, "rnd weights")),
            device,
            moments);
    this.reward = new DeviceMetrics(device, 1);
    this.block =
        blocks
            ? new UpdateBlock(device, layout(settings.batchSize()), this::compute, device.isCuda())
            : null;
  }

  private UpdateInputs.Layout layout(int rows) {
    return new UpdateInputs.Layout(rows, observationSize, actionSize);
  }

  /**
   * Actions for one step of many environments: uniform for the first {@code seedSteps} steps
   * counted over all environments, then the policy's with noise.
   *
   * @param observations one row per environment
   */
  public float[] act(float[] observations, int count) {
    requireLength("observations", observations, count * observationSize);
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, acts, "act"));
    float[] actions = learner.act(observations, count, environmentSteps, random);
    acts++;
    environmentSteps += count;
    return actions;
  }

  /** The policy's actions without noise, one row per observation. */
  public float[] greedy(float[] observations, int count) {
    requireLength("observations", observations, count * observationSize);
    return learner.greedy(observations, count);
  }

  /**
   * Updates that the steps taken so far call for and that were not made: none while actions are
   * random, then one per {@code stepsPerUpdate}.
   */
  public long updatesDue() {
    return Math.max(0, settings.updatesAfter(environmentSteps) - updates);
  }

  /** One update on a batch drawn from the replay. */
  public void update(NStepReplay replay) {
    update(replay, 1);
  }

  /**
   * Several updates, each on a batch of its own. On a GPU they are only started: {@link #act},
   * {@link #metrics} and {@link #tensors} wait for them.
   */
  public void update(NStepReplay replay, long count) {
    for (long left = count; left > 0; ) {
      if (block == null) {
        RandomGenerator random = Seeds.generator(Seeds.mix(seed, updates, "batch"));
        update(replay.sample(settings.batchSize(), random));
        left--;
      } else {
        int together = (int) Math.min(left, UpdateBlock.UPDATES);
        long first = updates;
        block.run(together, (i, numbers) -> fill(replay, first + i, numbers));
        updates += together;
        left -= together;
      }
    }
  }

  private void fill(NStepReplay replay, long update, float[] numbers) {
    int rows = settings.batchSize();
    replay.sample(rows, Seeds.generator(Seeds.mix(seed, update, "batch")), numbers);
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, update, "update"));
    for (int i = layout(rows).noiseStart(); i < numbers.length; i++) {
      numbers[i] = (float) random.nextGaussian();
    }
  }

  /**
   * One step of predictor and learner. The reward is that of {@code observations} under the
   * predictor of this moment: none is stored, and the n − 1 later ones of an n-step return are left
   * out, as in the benchmark.
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
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, updates, "update"));
    try (PointerScope scope = new PointerScope()) {
      compute(UpdateInputs.of(batch, observationSize, actionSize, random, device));
    }
    updates++;
  }

  /** The part that a GPU records: the host must not read anything in here. */
  private void compute(UpdateInputs inputs) {
    Tensor rewards = rnd.learn(inputs.observations());
    reward.set(rewards.mean());
    learner.learn(inputs, rewards);
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

  public ExplorerSettings settings() {
    return settings;
  }

  /** What the last update measured; not a number before the first. Waits for the device. */
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("rnd_loss", rnd.lastLoss());
    metrics.put("error_scale", rnd.errorScale());
    metrics.put("intrinsic_reward", (double) reward.get()[0]);
    learner.metrics(metrics);
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
    learner.export(settings.algorithm() + ".", tensors);
    return tensors;
  }

  /** As {@link #load(Path)}, from tensors already read. */
  public void load(Map<String, TensorData> tensors, String fileName) {
    TensorData counters = tensors.get(COUNTERS);
    if (counters == null || counters.dtype() != DType.I64 || counters.elementCount() != 4) {
      throw UserError.invalid(
          "%s: tensor '%s' must hold seed, steps, acts and updates as I64[4], found %s",
          fileName, COUNTERS, counters);
    }
    rnd.load("rnd.", tensors, fileName);
    learner.load(settings.algorithm() + ".", tensors, fileName);
    long[] values = counters.longs();
    seed = values[0];
    environmentSteps = values[1];
    acts = values[2];
    updates = values[3];
  }

  /** Frees what updates were recorded with; everything else goes when it is forgotten. */
  @Override
  public void close() {
    if (block != null) {
      block.close();
    }
  }
}
