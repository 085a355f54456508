package dev.psm.agents.training;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Trainer;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import dev.psm.torch.Slice;
import dev.psm.torch.Tensors;
import dev.psm.torch.TrainedNetwork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Training as its owner sees it: steps, metrics and checkpoints, for several seeds side by side.
 * What a step learns is its subclasses'.
 *
 * <p>A gradient step is a function of the networks and of its random inputs. It reads nothing back
 * from the device, and its counters are tensors, so that it can be recorded and replayed.
 */
public abstract class GradientTrainer implements Trainer {
  /** Steps whose random inputs a GPU draws at once. */
  public static final int BLOCK_STEPS = RandomInputBlock.STEPS;

  private final Experience data;
  private final List<Long> seeds;
  private final DrawSizes sizes;
  private final RandomInputs randomInputs;
  private final List<TrainedNetwork> networks = new ArrayList<>();
  private final Map<String, Parameters> kept = new LinkedHashMap<>();
  private RecordedSteps recorded;
  private LazyMetrics lastMetrics = new LazyMetrics();
  private long stepsDone;

  /** Null where somebody else closes the data. */
  private Experience ownedData;

  /** The learning rates of this step, as tensors: they change, and a recorded step does not. */
  protected final Tensor rate;

  protected final Tensor featureRate;

  protected GradientTrainer(Experience data, List<Long> seeds, DrawSizes sizes) {
    if (seeds.isEmpty() || seeds.stream().distinct().count() < seeds.size()) {
      throw new IllegalArgumentException("seeds must be given and differ, found " + seeds);
    }
    this.data = data;
    this.seeds = List.copyOf(seeds);
    this.sizes = sizes;
    this.randomInputs = new RandomInputs(seeds, data, sizes);
    Device device = data.device();
    try (PointerScope scope = new PointerScope()) {
      this.rate = device.place(torch.zeros(1).squeeze()).retainReference();
      this.featureRate = device.place(torch.zeros(1).squeeze()).retainReference();
    }
    recorded = device.isCuda() ? new RecordedSteps(this, true) : null;
  }

  /** One generator per seed, for the initial weights of one network. */
  protected final List<RandomGenerator> generators(String network) {
    return seeds.stream().map(seed -> Seeds.generator(Seeds.mix(seed, 0, network))).toList();
  }

  /** Makes a network a part of every checkpoint. */
  protected final <N extends TrainedNetwork> N train(N network) {
    networks.add(network);
    return network;
  }

  /** Makes tensors that no optimiser moves a part of every checkpoint. */
  protected final void keep(String name, Parameters tensors) {
    kept.put(name, tensors);
  }

  /**
   * Takes steps as a GPU does, with random inputs drawn by the block, but one operation after the
   * other instead of from a recording: the reference that recordings are compared with, on any
   * device.
   */
  public final void stepEagerly() {
    if (recorded != null) {
      recorded.close();
    }
    recorded = new RecordedSteps(this, false);
  }

  /** Kernels and copies of a recorded step; 0 where none is recorded. */
  public final long recordedKernels() {
    return recorded == null ? 0 : recorded.kernels();
  }

  @Override
  public final Optional<String> remark() {
    return data.transitions().remark();
  }

  @Override
  public final List<Long> seeds() {
    return seeds;
  }

  protected final Device device() {
    return data.device();
  }

  public final Experience data() {
    return data;
  }

  /** How much steps draw. */
  public final DrawSizes sizes() {
    return sizes;
  }

  /** The transitions that a step draws. */
  public final Experience.Batch transitions(StepInputs inputs) {
    return data.gather(inputs.get(Draw.ROWS));
  }

  @Override
  public final long stepsDone() {
    return stepsDone;
  }

  /** The random inputs of the next step. */
  public final StepInputs draw() {
    return randomInputs.draw(stepsDone, needs(stepsDone));
  }

  /** Draws and takes one gradient step. */
  @Override
  public final void step() {
    if (recorded != null) {
      recorded.step(stepsDone);
      stepsDone++;
      return;
    }
    try (PointerScope scope = new PointerScope()) {
      step(draw());
    }
  }

  /** One gradient step on everything that is being learned, from inputs on any device. */
  public final void step(StepInputs inputs) {
    try (PointerScope scope = new PointerScope()) {
      rate.fill_(scalar(rate(stepsDone)));
      featureRate.fill_(scalar(featureRate(stepsDone)));
      compute(inputs.on(data.device()));
    }
    stepsDone++;
  }

  /** A step's arithmetic: everything but its number and its rates. */
  final void compute(StepInputs inputs) {
    lastMetrics(new LazyMetrics());
    try (NoGradGuard noGradient = new NoGradGuard()) {
      update(inputs, lastMetrics);
    }
  }

  /** From now on metrics come from here. */
  final void lastMetrics(LazyMetrics next) {
    if (!lastMetrics.isKept()) {
      lastMetrics.close();
    }
    lastMetrics = next;
  }

  final LazyMetrics lastMetrics() {
    return lastMetrics;
  }

  protected abstract double rate(long step);

  /** Of what learns at a rate of its own. */
  protected abstract double featureRate(long step);

  /** What the step of that number takes. */
  public abstract Set<Draw> needs(long step);

  /** The losses and their steps, in the algorithm's order. */
  protected abstract void update(StepInputs inputs, LazyMetrics metrics);

  /**
   * Adds numbers that are worth computing only when somebody looks.
   *
   * @param rows of the data, as the next step would draw them: seeds × batch
   */
  protected abstract void measure(Tensor rows, Map<String, double[]> metrics);

  @Override
  public final Map<String, double[]> metrics() {
    Map<String, double[]> metrics = new LinkedHashMap<>();
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      lastMetrics
          .values()
          .forEach((name, value) -> metrics.put(name, Tensors.toDoubles(value.get())));
      Tensor rows = randomInputs.draw(stepsDone, Set.of(Draw.ROWS)).get(Draw.ROWS);
      measure(data.device().place(rows), metrics);
    }
    return metrics;
  }

  /** How many dimensions features use and how long they are: seeds × rows × d. */
  protected static void measureFeatures(Tensor features, Map<String, double[]> metrics) {
    Tensor phi = features.cpu();
    double[] ranks = new double[(int) phi.size(0)];
    for (int seed = 0; seed < ranks.length; seed++) {
      ranks[seed] = Tensors.effectiveRank(phi.get(seed));
    }
    metrics.put("feature_rank", ranks);
    metrics.put("feature_norm", Tensors.toDoubles(Tensors.norms(phi).mean(-1, -2)));
  }

  /** Asks the device first, which is quick; only then what the name is. */
  @Override
  public final Optional<NotFinite> firstNotFinite() {
    return isFinite() ? Optional.empty() : Trainer.super.firstNotFinite();
  }

  private boolean isFinite() {
    return networks.stream().allMatch(TrainedNetwork::isFinite)
        && kept.values().stream()
            .flatMap(part -> part.asMap().values().stream())
            .allMatch(Tensors::isFinite);
  }

  @Override
  public final Map<String, TensorData> checkpoint(long seed) {
    Slice slice = slice(seed);
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    networks.forEach(network -> network.export(tensors, slice));
    kept.forEach((name, part) -> part.export(name + "/", tensors, slice));
    tensors.put("steps", TensorData.of(new long[] {stepsDone}, 1));
    return tensors;
  }

  @Override
  public final void restore(long seed, Map<String, TensorData> tensors, String fileName) {
    Slice slice = slice(seed);
    networks.forEach(network -> network.load(tensors, fileName, slice));
    kept.forEach((name, part) -> part.load(name + "/", tensors, fileName, slice));
    TensorData steps = tensors.get("steps");
    if (steps == null) {
      throw UserError.invalid("%s: tensor 'steps' is missing", fileName);
    }
    stepsDone = steps.longs()[0];
  }

  /** Leaves it to the trainer to close the data that it learns from. */
  public final GradientTrainer closing(Experience owned) {
    ownedData = owned;
    return this;
  }

  /** Frees the networks and all that belongs to them; the data is its owner's. */
  @Override
  public void close() {
    if (ownedData != null) {
      ownedData.close();
    }
    networks.forEach(TrainedNetwork::close);
    kept.values().forEach(Parameters::close);
    lastMetrics(new LazyMetrics());
    if (recorded != null) {
      recorded.close();
    }
    rate.close();
    featureRate.close();
  }

  /** Where a seed's part of every tensor lies. */
  protected final Slice slice(long seed) {
    int index = seeds.indexOf(seed);
    if (index < 0) {
      throw new IllegalArgumentException("seed " + seed + " is not among " + seeds);
    }
    return new Slice(index, seeds.size());
  }
}
