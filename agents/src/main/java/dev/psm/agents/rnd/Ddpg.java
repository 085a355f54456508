package dev.psm.agents.rnd;

import dev.psm.agents.TruncatedNormal;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Adam;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The benchmark's DDPG: a deterministic actor with clipped Gaussian noise, and two action values
 * that share one trunk, of which every estimate takes the smaller.
 *
 * <p>Noise comes in as standard normal draws, so that whoever owns the seed owns the noise.
 */
final class Ddpg {
  private final RndSettings settings;
  private final int actionSize;
  private final Mlp policy;
  private final Mlp trunk;
  private final Mlp firstHead;
  private final Mlp secondHead;
  final Parameters actor = new Parameters();
  final Parameters critic = new Parameters();
  final Parameters targetCritic;
  private final Adam actorOptimiser;
  private final Adam criticOptimiser;
  private double lastCriticLoss = Double.NaN;
  private double lastActorLoss = Double.NaN;
  private double lastValue = Double.NaN;

  Ddpg(RndSettings settings, int observationSize, int actionSize, RandomGenerator random) {
    this.settings = settings;
    this.actionSize = actionSize;
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
  void learn(
      Tensor observations,
      Tensor actions,
      Tensor rewards,
      Tensor discounts,
      Tensor nextObservations,
      RandomGenerator random) {
    long rows = observations.size(0);
    Tensor targets =
        targets(rewards, discounts, nextObservations, Tensors.gaussian(random, rows, actionSize));
    Tensor[] values = values(critic, observations, actions);
    Tensor criticLoss = criticLoss(values, targets);
    lastCriticLoss = criticLoss.item_double();
    lastValue = (values[0].mean().item_double() + values[1].mean().item_double()) / 2;
    criticOptimiser.step(Tensors.gradients(criticLoss, critic.vector()), settings.learningRate());

    Tensor actorLoss = actorLoss(observations, Tensors.gaussian(random, rows, actionSize));
    lastActorLoss = actorLoss.item_double();
    actorOptimiser.step(Tensors.gradients(actorLoss, actor.vector()), settings.learningRate());

    targetCritic.averageTowards(critic, settings.targetRate());
  }

  double lastCriticLoss() {
    return lastCriticLoss;
  }

  double lastActorLoss() {
    return lastActorLoss;
  }

  /** Mean of both heads over the last batch. */
  double lastValue() {
    return lastValue;
  }

  void export(String prefix, Map<String, TensorData> into) {
    actor.export(prefix + "actor.", into);
    critic.export(prefix + "critic.", into);
    targetCritic.export(prefix + "targetCritic.", into);
    actorOptimiser.export(prefix + "actorAdam.", into);
    criticOptimiser.export(prefix + "criticAdam.", into);
  }

  void load(String prefix, Map<String, TensorData> from, String fileName) {
    actor.load(prefix + "actor.", from, fileName);
    critic.load(prefix + "critic.", from, fileName);
    targetCritic.load(prefix + "targetCritic.", from, fileName);
    actorOptimiser.load(prefix + "actorAdam.", from, fileName);
    criticOptimiser.load(prefix + "criticAdam.", from, fileName);
  }
}
