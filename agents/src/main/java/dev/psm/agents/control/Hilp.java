package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * HILP: features in which the straight distance between two states is the time it takes to get from
 * one to the other, learned as a goal-conditioned value V(s, g) = −‖φ(s) − φ(g)‖; and their
 * successor features under the actor's policy for each direction.
 */
public final class Hilp extends ControlTrainer {
  /** Two estimates of the distance; the first serves as features. */
  private static final int FEATURE_MEMBERS = 2;

  private static final double SMALLEST_SQUARE = 1e-6;
  private static final double SAME_STATE = 1e-6;
  private static final double CENTRE_RATE = 0.005;

  private final HilpSettings hilp;
  final Parameters targetFeatures;
  private final Parameters centre;
  private final Adam featureOptimiser;

  public Hilp(HilpSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, FEATURE_MEMBERS);
    this.hilp = settings;
    this.targetFeatures = learn("target_features", features.targetCopy());
    this.centre = new Parameters(data.device());
    centre.add("mean", torch.zeros(seeds.size(), 1, settings.common().featureDimension()));
    learn("centre", centre);
    this.featureOptimiser = optimise("features", features);
  }

  @Override
  Set<Draw> needs(long step) {
    return EnumSet.complementOf(EnumSet.of(Draw.CODES));
  }

  @Override
  void update(Experience.Batch batch, Draws draws) {
    learnFeatures(batch, data().observations(draws.get(Draw.GOALS)));
    Tensor plain = firstFeatures(batch.nextObservations());
    follow(plain);
    Tensor phi = plain.sub(centre.get("mean"));
    Tensor tasks = taskVectors(SuccessorFeatures.goalVectors(phi), draws);
    Device.Both<Tensor, Towers.Trace> measures = measures(batch, tasks, draws);
    Tensor target = SuccessorFeatures.target(phi, measures.one(), tasks, discounts(batch));
    Towers.Trace psi = measures.other();
    learnSuccessor(psi, target, tasks, hilp.alongTask());
    improveActor(batch, tasks, draws);
  }

  /** Implicit value learning of V(s, g): each step costs 1 until the goal is reached. */
  private void learnFeatures(Experience.Batch batch, Tensor goals) {
    Tensor reached =
        batch
            .observations()
            .sub(goals)
            .square()
            .sum(-1)
            .lt(scalar(SAME_STATE * SAME_STATE))
            .unsqueeze(1)
            .to(torch.ScalarType.Float);
    Tensor reward = reached.sub(scalar(1));
    // γ until the goal is reached, then 0.
    Tensor going = reward.mul(scalar(-hilp.featureDiscount()));
    Tensor targetGoals = bothFeatures(targetFeatures, goals);
    Tensor next = values(bothFeatures(targetFeatures, batch.nextObservations()), targetGoals);
    Tensor now = values(bothFeatures(targetFeatures, batch.observations()), targetGoals);
    Tensor target = reward.add(going.mul(next));
    Tensor advantage =
        reward.add(going.mul(next.amin(new long[] {1}, true))).sub(now.mean(1).unsqueeze(1));
    // |expectile − 1[advantage < 0]|
    Tensor weight =
        advantage
            .lt(scalar(0))
            .to(torch.ScalarType.Float)
            .neg()
            .add(scalar(hilp.expectile()))
            .abs();

    // Two passes rather than one over both: what the last bias adds to V(s, g) is nothing, and only
    // so do its gradients cancel to the bit. Adam would make a step of any remainder.
    ParallelMlp.Trace ofStates =
        networks.features().trace(features, perMember(batch.observations()));
    ParallelMlp.Trace ofGoals = networks.features().trace(features, perMember(goals));
    Tensor both = torch.stack(new TensorVector(ofStates.output(), ofGoals.output()), 0);
    UnaryOperator<Tensor> loss =
        phi -> weight.mul(target.sub(values(phi)).square()).mean(-1).sum(1);
    watch("feature_loss", () -> loss.apply(both), both, weight, target);
    watch("goal_value", () -> values(both).mean(-1).mean(1), both);
    Tensor gradient = Tensors.gradient(both, loss);
    Gradients gradients = new Gradients();
    networks.features().backward(features, ofStates, gradient.get(0), gradients, 0);
    networks.features().backward(features, ofGoals, gradient.get(1), gradients, 0);
    // The target follows before the step, as in the authors' code.
    targetFeatures.averageTowards(features, hilp.featureTargetRate());
    featureOptimiser.step(gradients, featureRate);
  }

  /** V(s, g) of both members, from the features of states and of goals, one above the other. */
  private static Tensor values(Tensor both) {
    return values(perSeed(both.get(0)), perSeed(both.get(1)));
  }

  /** V(s, g) of both members, from φ(s) and φ(g): seeds × members × rows. */
  private static Tensor values(Tensor phi, Tensor goalPhi) {
    return phi.sub(goalPhi).square().sum(-1).clamp_min(scalar(SMALLEST_SQUARE)).sqrt().neg();
  }

  private Tensor bothFeatures(Parameters parameters, Tensor observations) {
    return perSeed(networks.features().forward(parameters, perMember(observations)));
  }

  private Tensor perMember(Tensor observations) {
    return networks.features().inputs(features, observations, null);
  }

  private static Tensor perSeed(Tensor phi) {
    return phi.view(-1, FEATURE_MEMBERS, phi.size(1), phi.size(2));
  }

  private Tensor firstFeatures(Tensor observations) {
    return bothFeatures(features, observations).select(1, 0);
  }

  /** The running mean of the features moves towards the batch's. */
  private void follow(Tensor phi) {
    centre.get("mean").lerp_(phi.mean(1).unsqueeze(1), scalar(CENTRE_RATE));
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return firstFeatures(observations).sub(centre.get("mean"));
  }

  @Override
  Optional<Tensor> centre() {
    return Optional.of(centre.get("mean"));
  }

  @Override
  ControlModel.Kind kind() {
    return ControlModel.Kind.CENTRED_FEATURES;
  }
}
