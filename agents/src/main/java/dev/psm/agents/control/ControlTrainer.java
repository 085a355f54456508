package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Trainer;
import dev.psm.core.Seeds;
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
 * What a step learns is its subclasses' and {@link PolicyLearner}'s.
 *
 * <p>A gradient step is a function of the networks and of its random inputs. It reads nothing back
 * from the device, and its counters are tensors, so that it can be recorded and replayed.
 */
public abstract class ControlTrainer implements Trainer {
  private final ControlSettings settings;
  private final Experience data;
  private final List<Long> seeds;
  private final RandomInputs randomInputs;
  private final int window;
  private final List<TrainedNetwork> networks = new ArrayList<>();
  private final Map<String, Parameters> kept = new LinkedHashMap<>();
  private RecordedSteps recorded;
  private LazyMetrics lastMetrics = new LazyMetrics();
  private long stepsDone;

  /** Null where somebody else closes the data. */
  private Experience ownedData;

  /** The learning rates of this step, as tensors: they change, and a recorded step does not. */
  final Tensor rate;

  final Tensor featureRate;

  final StepMath math;
  final NetworkShapes shapes;
  final Networks.Features features;
  final Networks.Successor successor;
  final Networks.Actor actor;
  final PolicyLearner policies;

  ControlTrainer(
      ControlSettings settings,
      Experience data,
      List<Long> seeds,
      int featureMembers,
      Double featureTargetRate) {
    this(settings, data, seeds, featureMembers, featureTargetRate, 1);
  }

  /**
   * @param featureMembers feature networks per seed
   * @param featureTargetRate at which the features' target follows; null for no target
   * @param window transitions of {@link Draw#WINDOWS}
   */
  ControlTrainer(
      ControlSettings settings,
      Experience data,
      List<Long> seeds,
      int featureMembers,
      Double featureTargetRate,
      int window) {
    if (seeds.isEmpty() || seeds.stream().distinct().count() < seeds.size()) {
      throw new IllegalArgumentException("seeds must be given and differ, found " + seeds);
    }
    this.settings = settings;
    this.data = data;
    this.seeds = List.copyOf(seeds);
    this.window = window;
    this.randomInputs = new RandomInputs(seeds, data.dataset(), settings, window);
    this.shapes =
        NetworkShapes.of(
            settings.sizes(), data.observationSize(), data.actionSize(), featureMembers);
    Device device = data.device();
    this.math = StepMath.on(device);
    try (PointerScope scope = new PointerScope()) {
      this.rate = device.place(torch.zeros(1).squeeze()).retainReference();
      this.featureRate = device.place(torch.zeros(1).squeeze()).retainReference();
    }
    Parameters initial = shapes.initialiseFeatures(device, generators("features"));
    features = train(new Networks.Features(shapes.features(), initial, featureTargetRate));
    successor = successorNetwork("successor", settings.featureDimension());
    initial = shapes.actor().initialise(device, generators("actor"));
    actor = train(new Networks.Actor(shapes.actor(), initial));
    policies = new PolicyLearner(settings, device, math, successor, actor, rate);
    recorded = device.isCuda() ? new RecordedSteps(this, true) : null;
  }

  /** One generator per seed, for the initial weights of one network. */
  final List<RandomGenerator> generators(String network) {
    return seeds.stream().map(seed -> Seeds.generator(Seeds.mix(seed, 0, network))).toList();
  }

  /** Makes a network a part of every checkpoint. */
  final <N extends TrainedNetwork> N train(N network) {
    networks.add(network);
    return network;
  }

  /** ψ(s, a, c) for conditions c of that size, with a target. */
  final Networks.Successor successorNetwork(String name, int conditionSize) {
    Towers shape =
        NetworkShapes.successor(
            name, settings.sizes(), data.observationSize(), conditionSize, data.actionSize());
    Parameters initial = shape.initialise(data.device(), generators(name));
    return train(new Networks.Successor(name, shape, initial, settings.targetRate()));
  }

  /** Makes tensors that no optimiser moves a part of every checkpoint. */
  final void keep(String name, Parameters tensors) {
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

  public final ControlSettings settings() {
    return settings;
  }

  @Override
  public final List<Long> seeds() {
    return seeds;
  }

  final Device device() {
    return data.device();
  }

  final Experience data() {
    return data;
  }

  /** The transitions that a step draws. */
  final Experience.Batch transitions(StepInputs inputs) {
    return data.gather(inputs.get(Draw.ROWS));
  }

  /** How many transitions {@link Draw#WINDOWS} have. */
  final int window() {
    return window;
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

  final double rate(long step) {
    return settings.decay().at(progress(step)) * settings.learningRate();
  }

  final double featureRate(long step) {
    return settings.decay().at(progress(step)) * settings.featureLearningRate();
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

  /** How far training is at a step, from 0 to 1, as the decay of the rates counts it. */
  double progress(long step) {
    return Math.min(1, (double) step / settings.gradientSteps());
  }

  /** What the step of that number takes. */
  abstract Set<Draw> needs(long step);

  /** The losses and their steps, in the algorithm's order. */
  abstract void update(StepInputs inputs, LazyMetrics metrics);

  /** φ as tasks are expressed in it, of observations: seeds × rows × d. */
  abstract Tensor taskFeatures(Tensor observations);

  /** How a model turns a reward into a task vector. */
  abstract ControlModel.Kind kind();

  /** What {@link ControlModel} subtracts from features: seeds × 1 × d; absent where nothing. */
  Optional<Tensor> centre() {
    return Optional.empty();
  }

  @Override
  public final Map<String, double[]> metrics() {
    Map<String, double[]> metrics = new LinkedHashMap<>();
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      lastMetrics
          .values()
          .forEach((name, value) -> metrics.put(name, Tensors.toDoubles(value.get())));
      Tensor rows = randomInputs.draw(stepsDone, Set.of(Draw.ROWS)).get(Draw.ROWS);
      Tensor phi = taskFeatures(data.observations(data.device().place(rows))).cpu();
      double[] ranks = new double[seeds.size()];
      for (int seed = 0; seed < ranks.length; seed++) {
        ranks[seed] = Tensors.effectiveRank(phi.get(seed));
      }
      metrics.put("feature_rank", ranks);
      metrics.put("feature_norm", Tensors.toDoubles(Tensors.norms(phi).mean(-1, -2)));
    }
    return metrics;
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
    stepsDone = ControlModel.required(tensors, "steps", fileName).longs()[0];
  }

  @Override
  public final ControlModel model(long seed) {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    Slice slice = slice(seed);
    int members = shapes.features().members();
    Slice first = new Slice(slice.index() * members, seeds.size() * members);
    features.weights().export("", tensors, first);
    actor.weights().export("", tensors, slice);
    int d = settings.featureDimension();
    try (PointerScope scope = new PointerScope()) {
      float[] centre =
          centre().map(tensor -> Tensors.toFloats(slice.of(tensor))).orElse(new float[d]);
      tensors.put(ControlModel.CENTRE, TensorData.of(centre, 1, 1, d));
    }
    ControlModel model =
        new ControlModel(
            new ControlModel.Shape(kind(), settings.sizes()),
            data.observationSize(),
            data.actionSize());
    model.load(tensors, "the trainer");
    return model;
  }

  /** Leaves it to the trainer to close the data that it learns from. */
  final ControlTrainer closing(Experience owned) {
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

  private Slice slice(long seed) {
    int index = seeds.indexOf(seed);
    if (index < 0) {
      throw new IllegalArgumentException("seed " + seed + " is not among " + seeds);
    }
    return new Slice(index, seeds.size());
  }
}
