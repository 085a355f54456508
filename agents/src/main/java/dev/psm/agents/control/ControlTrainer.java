package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.TruncatedNormal;
import dev.psm.core.Seeds;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Slice;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What training has in common: the networks of all seeds side by side, the actor's improvement, and
 * everything that goes into a checkpoint.
 *
 * <p>A gradient step is a function of the networks and of what was drawn for it. It reads nothing
 * back from the device, and its counters are tensors, so that it can be recorded and replayed.
 */
public abstract class ControlTrainer implements AutoCloseable {
  private final ControlSettings settings;
  private final Experience data;
  private final List<Long> seeds;
  private final Chance chance;
  private final Tensor batchOffsets;
  private final Map<String, Parameters> learned = new LinkedHashMap<>();
  private final Map<String, Adam> optimisers = new LinkedHashMap<>();
  private Replay replay;
  private Watch watch = new Watch();
  private long stepsDone;

  /** The learning rates of this step, as tensors: they change, and a recorded step does not. */
  final Tensor rate;

  final Tensor featureRate;

  final Networks networks;
  final Parameters features;
  final Parameters successor;
  final Parameters targetSuccessor;
  final Parameters actor;
  private final Adam successorOptimiser;
  private final Adam actorOptimiser;

  ControlTrainer(ControlSettings settings, Experience data, List<Long> seeds, int featureMembers) {
    if (seeds.isEmpty() || seeds.stream().distinct().count() < seeds.size()) {
      throw new IllegalArgumentException("seeds must be given and differ, found " + seeds);
    }
    this.settings = settings;
    this.data = data;
    this.seeds = List.copyOf(seeds);
    this.chance = new Chance(seeds, data.dataset(), settings);
    this.networks =
        Networks.of(settings, data.observationSize(), data.actionSize(), featureMembers);
    Device device = data.device();
    try (PointerScope scope = new PointerScope()) {
      this.batchOffsets =
          device.place(offsets(seeds.size(), settings.batchSize())).retainReference();
      this.rate = device.place(torch.zeros(1).squeeze()).retainReference();
      this.featureRate = device.place(torch.zeros(1).squeeze()).retainReference();
    }
    features = learn("features", networks.initialiseFeatures(device, generators("features")));
    successor =
        learn("successor", networks.successor().initialise(device, generators("successor")));
    targetSuccessor = learn("target_successor", successor.targetCopy());
    actor = learn("actor", networks.actor().initialise(device, generators("actor")));
    successorOptimiser = optimise("successor", successor);
    actorOptimiser = optimise("actor", actor);
    replay = device.isCuda() ? new Replay(this, true) : null;
  }

  private static Tensor offsets(int seeds, int batch) {
    long[] starts = new long[seeds];
    for (int seed = 0; seed < seeds; seed++) {
      starts[seed] = (long) seed * batch;
    }
    return Tensors.longs(starts, seeds, 1);
  }

  /** One generator per seed, for the initial weights of one network. */
  final List<RandomGenerator> generators(String network) {
    return seeds.stream().map(seed -> Seeds.generator(Seeds.mix(seed, 0, network))).toList();
  }

  /** Makes tensors a part of every checkpoint. */
  final Parameters learn(String name, Parameters parameters) {
    learned.put(name, parameters);
    return parameters;
  }

  final Adam optimise(String name, Parameters parameters) {
    Adam adam = new Adam(parameters);
    optimisers.put(name, adam);
    return adam;
  }

  /**
   * Takes steps as a GPU does, chance drawn by the block, but one operation after the other instead
   * of from a recording: the reference that recordings are compared with, on any device.
   */
  public final void stepEagerly() {
    if (replay != null) {
      replay.close();
    }
    replay = new Replay(this, false);
  }

  /** Kernels and copies of a recorded step; 0 where none is recorded. */
  public final long recordedKernels() {
    return replay == null ? 0 : replay.kernels();
  }

  public final ControlSettings settings() {
    return settings;
  }

  public final List<Long> seeds() {
    return seeds;
  }

  final Device device() {
    return data.device();
  }

  final Experience data() {
    return data;
  }

  public final long stepsDone() {
    return stepsDone;
  }

  /** What chance decides of the next step. */
  public final Draws draw() {
    return chance.draw(stepsDone, needs(stepsDone));
  }

  /** Draws and takes one gradient step. */
  public final void step() {
    if (replay != null) {
      replay.step(stepsDone);
      stepsDone++;
      return;
    }
    try (PointerScope scope = new PointerScope()) {
      step(draw());
    }
  }

  /** One gradient step on everything that is being learned, from draws on any device. */
  public final void step(Draws draws) {
    try (PointerScope scope = new PointerScope()) {
      rate.fill_(scalar(rate(stepsDone)));
      featureRate.fill_(scalar(featureRate(stepsDone)));
      compute(draws.on(data.device()));
    }
    stepsDone++;
  }

  /** A step's arithmetic: everything but its number and its rates. */
  final void compute(Draws draws) {
    watch(new Watch());
    try (NoGradGuard noGradient = new NoGradGuard()) {
      update(data.gather(draws.get(Draw.ROWS)), draws);
    }
  }

  final double rate(long step) {
    return settings.decay().at(progress(step)) * settings.learningRate();
  }

  final double featureRate(long step) {
    return settings.decay().at(progress(step)) * settings.featureLearningRate();
  }

  /** From now on metrics come from here. */
  final void watch(Watch next) {
    if (!watch.isKept()) {
      watch.close();
    }
    watch = next;
  }

  final Watch watch() {
    return watch;
  }

  /** How far training is at a step, from 0 to 1, as the decay of the rates counts it. */
  double progress(long step) {
    return Math.min(1, (double) step / settings.gradientSteps());
  }

  /** What the step of that number takes. */
  abstract Set<Draw> needs(long step);

  /** The losses and their steps, in the algorithm's order. */
  abstract void update(Experience.Batch batch, Draws draws);

  /** φ as tasks are expressed in it, of observations: seeds × rows × d. */
  abstract Tensor taskFeatures(Tensor observations);

  /** How a model turns a reward into a task vector. */
  abstract ControlModel.Kind kind();

  /** What {@link ControlModel} subtracts from features: seeds × 1 × d; absent where nothing. */
  Optional<Tensor> centre() {
    return Optional.empty();
  }

  /** γ times the data's own discount: seeds × 1 × rows × 1, for all members. */
  final Tensor discounts(Experience.Batch batch) {
    return batch.discounts().mul(scalar(settings.discount())).unsqueeze(1);
  }

  /**
   * Task vectors on the √d sphere: uniformly random directions, of which a share gives way to the
   * features of other states of the batch.
   *
   * @param goals seeds × rows × d, of the entered states
   */
  final Tensor taskVectors(Tensor goals, Draws draws) {
    if (goals.is_cuda()) {
      return CudaSteps.taskVectors(
          goals, draws.get(Draw.PERMUTATION), draws.get(Draw.MIXED), draws.get(Draw.TASK_NOISE));
    }
    long d = settings.featureDimension();
    Tensor places = draws.get(Draw.PERMUTATION).add(batchOffsets).view(-1);
    Tensor permuted = goals.reshape(-1, d).index_select(0, places).view_as(goals);
    Tensor mixed = draws.get(Draw.MIXED);
    return torch.where(
        mixed.gt(scalar(0)),
        Tensors.onSphere(permuted),
        Tensors.onSphere(draws.get(Draw.TASK_NOISE)));
  }

  /** The actor's action in every row, with noise, for a target: no gradient goes there. */
  final Tensor noisyAction(Tensor observations, Tensor tasks, Tensor noise) {
    return noisy(networks.actorOutput(actor, observations, tasks), noise).noisy();
  }

  /** The actor's mean action, and the same with noise. */
  record Actions(Tensor mean, Tensor noisy) {}

  /** From the actor's output: seeds × rows × actions. */
  private Actions noisy(Tensor output, Tensor noise) {
    if (output.is_cuda()) {
      return CudaSteps.noisyAction(output, noise, settings.noise(), settings.noiseClip());
    }
    Tensor mean = output.tanh();
    return new Actions(
        mean, TruncatedNormal.constant(mean, noise, settings.noise(), settings.noiseClip()));
  }

  /**
   * γ times the data's own discount times the mean over members: what a measure is bootstrapped
   * from.
   *
   * @param next ψ̄: seeds × members × rows × d
   * @return seeds × 1 × rows × d
   */
  final Tensor bootstrap(Tensor next, Experience.Batch batch) {
    return next.is_cuda()
        ? CudaSteps.bootstrap(next, batch.discounts(), settings.discount())
        : next.mean(1).unsqueeze(1).mul_(discounts(batch));
  }

  /** ψ of every member: seeds × members × rows × d. */
  final Tensor successor(Parameters parameters, Tensor observations, Tensor tasks, Tensor actions) {
    return Networks.successor(networks.successor(), parameters, observations, tasks, actions);
  }

  /** The same of ψ itself, for a way back. */
  final Towers.Trace traceSuccessor(Tensor observations, Tensor tasks, Tensor actions) {
    return Networks.traceSuccessor(networks.successor(), successor, observations, tasks, actions);
  }

  /**
   * ψ̄ of the actor's noisy action in the entered state, and ψ of the transition itself, for a way
   * back.
   */
  final Device.Both<Tensor, Towers.Trace> measures(
      Experience.Batch batch, Tensor tasks, Draws draws) {
    return device()
        .both(
            () -> {
              Tensor next = batch.nextObservations();
              Tensor actions = noisyAction(next, tasks, draws.get(Draw.NEXT_NOISE));
              return successor(targetSuccessor, next, tasks, actions);
            },
            () -> traceSuccessor(batch.observations(), tasks, batch.actions()));
  }

  /**
   * A step of ψ along a gradient by its output, seeds × members × rows × d, and of the target that
   * follows it.
   */
  final void learnSuccessor(Towers.Trace psi, Tensor gradient) {
    successorOptimiser.step(
        networks.successor().backward(successor, psi, gradient),
        rate,
        targetSuccessor,
        settings.targetRate());
  }

  /** A step of ψ towards successor features of features. */
  final void learnSuccessor(Towers.Trace psi, Tensor target, Tensor tasks, boolean alongTask) {
    watch(
        "successor_loss",
        () -> SuccessorFeatures.loss(psi.output(), target, tasks, alongTask).sum(1),
        psi.output(),
        target,
        tasks);
    learnSuccessor(psi, SuccessorFeatures.gradient(psi.output(), target, tasks, alongTask));
  }

  /** The gradients of the features' weights from that by φ on its sphere: seeds × rows × d. */
  final Gradients backward(Parameters parameters, ParallelMlp.Trace plain, Tensor gradient) {
    Gradients gradients = new Gradients();
    Tensor before = Tensors.backFromSphere(plain.output(), gradient);
    networks.features().backward(parameters, plain, before, gradients, 0);
    return gradients;
  }

  /**
   * The actor's step, maximise E[mean_p q_p − pessimism · disagreement] for q_p = ψ_p(s, z, a)ᵀz.
   * Where noise took an action beyond its bounds, the gradient goes on to the mean all the same:
   * otherwise an actor at a bound would never leave it.
   */
  final void improveActor(Experience.Batch batch, Tensor tasks, Draws draws) {
    Towers.Trace policy = networks.traceActor(actor, batch.observations(), tasks);
    Actions actions = noisy(policy.output().squeeze(1), draws.get(Draw.ACTOR_NOISE));
    Towers.Trace psi = traceSuccessor(batch.observations(), tasks, actions.noisy());
    Pessimism.Descent descent = Pessimism.descent(psi.output(), tasks, settings.pessimism());
    watch(
        "actor_value",
        () -> Pessimism.of(descent.values(), settings.pessimism()).mean(-1),
        descent.values());

    Tensor byInputs = networks.successor().backwardToFirst(successor, psi, descent.byPsi());
    Tensor byActions = byInputs.narrow(2, data.observationSize(), data.actionSize());
    Tensor byOutput = torch.tanh_backward(byActions, actions.mean()).unsqueeze(1);
    actorOptimiser.step(networks.actor().backward(actor, policy, byOutput), rate);
  }

  /**
   * Remembers how a number of this step is found, for {@link #metrics}: one per seed.
   *
   * @param kept the tensors that it is found from
   */
  final void watch(String name, Supplier<Tensor> perSeed, Tensor... kept) {
    watch.add(name, perSeed, kept);
  }

  /**
   * The numbers worth watching, each explained on the algorithm's page: name to one value per seed.
   */
  public final Map<String, double[]> metrics() {
    Map<String, double[]> metrics = new LinkedHashMap<>();
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      watch.values().forEach((name, value) -> metrics.put(name, Tensors.toDoubles(value.get())));
      Tensor rows = chance.draw(stepsDone, Set.of(Draw.ROWS)).get(Draw.ROWS);
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

  /** Where a number that is none lies, as a checkpoint names the tensor. */
  public record NotFinite(long seed, String tensor) {}

  /** Looks for a NaN or an infinity in everything that a checkpoint would hold. */
  public final Optional<NotFinite> firstNotFinite() {
    if (isFinite()) {
      return Optional.empty();
    }
    for (long seed : seeds) {
      for (Map.Entry<String, TensorData> entry : checkpoint(seed).entrySet()) {
        if (!isFinite(entry.getValue())) {
          return Optional.of(new NotFinite(seed, entry.getKey()));
        }
      }
    }
    return Optional.empty();
  }

  private boolean isFinite() {
    return learned.values().stream()
            .flatMap(part -> part.asMap().values().stream())
            .allMatch(Tensors::isFinite)
        && optimisers.values().stream().allMatch(Adam::isFinite);
  }

  private static boolean isFinite(TensorData tensor) {
    if (tensor.dtype() == DType.F32) {
      for (float value : tensor.floats()) {
        if (!Float.isFinite(value)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Everything that a run of one seed needs to go on. */
  public final Map<String, TensorData> checkpoint(long seed) {
    Slice slice = slice(seed);
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    learned.forEach((name, part) -> part.export(name + "/", tensors, slice));
    optimisers.forEach((name, adam) -> adam.export("adam_" + name + "/", tensors, slice));
    tensors.put("steps", TensorData.of(new long[] {stepsDone}, 1));
    return tensors;
  }

  /**
   * Takes back a seed's checkpoint. All seeds must come from the same step, which is the caller's
   * to see to.
   */
  public final void restore(long seed, Map<String, TensorData> tensors, String fileName) {
    Slice slice = slice(seed);
    learned.forEach((name, part) -> part.load(name + "/", tensors, fileName, slice));
    optimisers.forEach((name, adam) -> adam.load("adam_" + name + "/", tensors, fileName, slice));
    stepsDone = ControlModel.required(tensors, "steps", fileName).longs()[0];
  }

  /** What one seed has learned so far, for acting. */
  public final ControlModel model(long seed) {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    Slice slice = slice(seed);
    features.export(
        "", tensors, new Slice(slice.index() * featureMembers(), seeds.size() * featureMembers()));
    actor.export("", tensors, slice);
    int d = settings.featureDimension();
    try (PointerScope scope = new PointerScope()) {
      float[] centre =
          centre().map(tensor -> Tensors.toFloats(slice.of(tensor))).orElse(new float[d]);
      tensors.put(ControlModel.CENTRE, TensorData.of(centre, 1, 1, d));
    }
    ControlModel model =
        new ControlModel(kind(), settings, data.observationSize(), data.actionSize());
    model.load(tensors, "the trainer");
    return model;
  }

  /** Frees the networks and all that belongs to them; the data is its owner's. */
  @Override
  public void close() {
    optimisers.values().forEach(Adam::close);
    learned.values().forEach(Parameters::close);
    watch(new Watch());
    if (replay != null) {
      replay.close();
    }
    rate.close();
    featureRate.close();
    batchOffsets.close();
  }

  private int featureMembers() {
    return networks.features().members();
  }

  private Slice slice(long seed) {
    int index = seeds.indexOf(seed);
    if (index < 0) {
      throw new IllegalArgumentException("seed " + seed + " is not among " + seeds);
    }
    return new Slice(index, seeds.size());
  }
}
