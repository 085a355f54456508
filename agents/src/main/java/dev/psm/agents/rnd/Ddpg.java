package dev.psm.agents.rnd;

import dev.psm.agents.TruncatedNormal;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The benchmark's DDPG: a deterministic actor with clipped Gaussian noise, and two action values
 * that share one trunk, of which every estimate takes the smaller.
 */
final class Ddpg implements Learner {
  private final RndSettings settings;
  private final int observationSize;
  private final int actionSize;
  private final Device device;
  private final Mlp policy;
  private final Mlp trunk;
  private final Mlp firstHead;
  private final Mlp secondHead;
  final Parameters actor;
  final Parameters critic;
  final Parameters targetCritic;
  private final Adam actorOptimiser;
  private final Adam criticOptimiser;
  private final DeviceMetrics readings;

  Ddpg(RndSettings settings, int observationSize, int actionSize, RandomGenerator random) {
    this(settings, observationSize, actionSize, random, Device.CPU);
  }

  Ddpg(
      RndSettings settings,
      int observationSize,
      int actionSize,
      RandomGenerator random,
      Device device) {
    this.settings = settings;
    this.observationSize = observationSize;
    this.actionSize = actionSize;
    this.device = device;
    actor = new Parameters(device);
    critic = new Parameters(device);
    readings = new DeviceMetrics(device, 4);
    int width = settings.width();
    policy = new Mlp("policy", new int[] {observationSize, width, width, actionSize}, true, false);
    trunk = new Mlp("trunk", new int[] {observationSize + actionSize, width}, true, true);
    firstHead = new Mlp("first", new int[] {width, width, 1}, false, false);
    secondHead = new Mlp("second", new int[] {width, width, 1}, false, false);
    policy.initialise(actor, random);
    trunk.initialise(critic, random);
    firstHead.initialise(critic, random);
    secondHead.initialise(critic, random);
    targetCritic = critic.targetCopy();
    actorOptimiser = new Adam(actor);
    criticOptimiser = new Adam(critic);
  }

  /** μ(s) in [−1, 1]: rows × actions. */
  Tensor mean(Tensor observations) {
    return policy.forward(actor, observations).tanh();
  }

  @Override
  public float[] greedy(float[] observations, int count) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return Tensors.toFloats(
          mean(device.place(Tensors.floats(observations, count, observationSize))));
    }
  }

  /** Within [−1, 1]; the noise is Gaussian and not clipped. */
  @Override
  public float[] act(
      float[] observations, int count, long environmentSteps, RandomGenerator random) {
    int uniformRows = (int) Math.max(0, Math.min(count, settings.seedSteps() - environmentSteps));
    float[] actions =
        uniformRows < count ? greedy(observations, count) : new float[count * actionSize];
    float bound = (float) (1 - TruncatedNormal.MARGIN);
    for (int i = 0; i < actions.length; i++) {
      double action =
          i < uniformRows * actionSize
              ? random.nextDouble(-1, 1)
              : actions[i] + settings.noise() * random.nextGaussian();
      actions[i] = Math.max(-bound, Math.min(bound, (float) action));
    }
    return actions;
  }

  Tensor perturbed(Tensor mean, Tensor noise) {
    return TruncatedNormal.sample(mean, noise, settings.noise(), settings.noiseClip());
  }

  /** Both heads' action values: two tensors of rows × 1. */
  Tensor[] values(Parameters parameters, Tensor observations, Tensor actions) {
    Tensor hidden =
        trunk.forward(parameters, torch.cat(new TensorVector(observations, actions), 1));
    return new Tensor[] {
      firstHead.forward(parameters, hidden), secondHead.forward(parameters, hidden)
    };
  }

  private Tensor smallerValue(Parameters parameters, Tensor observations, Tensor actions) {
    Tensor[] values = values(parameters, observations, actions);
    return torch.minimum(values[0], values[1]);
  }

  /** y = r + discount · min Q̄(s′, a′), a′ the noisy actor's action; no gradient. */
  Tensor targets(Tensor rewards, Tensor discounts, Tensor nextObservations, Tensor noise) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor nextActions = perturbed(mean(nextObservations), noise);
      return rewards.add(discounts.mul(smallerValue(targetCritic, nextObservations, nextActions)));
    }
  }

  /** Σ over heads of E[(Q − y)²]. */
  static Tensor criticLoss(Tensor[] values, Tensor targets) {
    return values[0].sub(targets).square().mean().add(values[1].sub(targets).square().mean());
  }

  /** −E[min Q(s, a)] for the noisy actor's action at s. */
  Tensor actorLoss(Tensor observations, Tensor noise) {
    return smallerValue(critic, observations, perturbed(mean(observations), noise)).mean().neg();
  }

  /** One step of the critic, then of the actor, then of the target critic. */
  @Override
  public void learn(UpdateInputs inputs, Tensor rewards) {
    Tensor observations = inputs.observations();
    Tensor targets =
        targets(rewards, inputs.discounts(), inputs.nextObservations(), inputs.nextNoise());
    Tensor[] values = values(critic, observations, inputs.actions());
    Tensor criticLoss = criticLoss(values, targets);
    criticOptimiser.step(Tensors.gradients(criticLoss, critic.vector()), settings.learningRate());

    Tensor actorLoss = actorLoss(observations, inputs.noise());
    actorOptimiser.step(Tensors.gradients(actorLoss, actor.vector()), settings.learningRate());

    targetCritic.averageTowards(critic, settings.targetRate());
    readings.set(criticLoss, values[0].mean(), values[1].mean(), actorLoss);
  }

  @Override
  public void metrics(Map<String, Double> into) {
    float[] figures = readings.get();
    into.put("critic_loss", (double) figures[0]);
    into.put("q_mean", ((double) figures[1] + figures[2]) / 2);
    into.put("actor_loss", (double) figures[3]);
  }

  @Override
  public void export(String prefix, Map<String, TensorData> into) {
    actor.export(prefix + "actor.", into);
    critic.export(prefix + "critic.", into);
    targetCritic.export(prefix + "targetCritic.", into);
    actorOptimiser.export(prefix + "actorAdam.", into);
    criticOptimiser.export(prefix + "criticAdam.", into);
  }

  @Override
  public void load(String prefix, Map<String, TensorData> from, String fileName) {
    actor.load(prefix + "actor.", from, fileName);
    critic.load(prefix + "critic.", from, fileName);
    targetCritic.load(prefix + "targetCritic.", from, fileName);
    actorOptimiser.load(prefix + "actorAdam.", from, fileName);
    criticOptimiser.load(prefix + "criticAdam.", from, fileName);
  }
}
