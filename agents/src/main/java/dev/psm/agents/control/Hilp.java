package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.env.World;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * HILP: features in which the straight distance between two states is the time it takes to get from
 * one to the other, learned as a goal-conditioned value V(s, g) = −‖φ(s) − φ(g)‖; and their
 * successor features under the actor's policy for each direction.
 */
public final class Hilp extends ControlTrainer {
  public static final ControlAgent AGENT =
      new TypedAgent<>("hilp", "HILP", HilpSettings.class, ControlModel.Kind.CENTRED_FEATURES) {
        @Override
        public String summary() {
          return "HILP: features whose distances are times, and their successor features";
        }

        @Override
        public Map<String, HilpSettings> presets(World world) {
          return HilpSettings.presets(world);
        }

        @Override
        ControlTrainer train(HilpSettings settings, Experience data, List<Long> seeds) {
          return new Hilp(settings, data, seeds);
        }

        /**
         * Targets of three states, then two to learn from, of both members; then the first member's
         * features of the entered state.
         */
        @Override
        long multiplications(HilpSettings settings, StepWork work) {
          long forward = StepWork.forward(work.features());
          return FEATURE_MEMBERS * (3 * forward + 2 * StepWork.learn(work.features()))
              + forward
              + work.successorStep()
              + work.actorStep();
        }
      };

  /** Two estimates of the distance; the first serves as features. */
  private static final int FEATURE_MEMBERS = 2;

  private static final double SMALLEST_SQUARE = 1e-6;
  private static final double SAME_STATE = 1e-6;
  private static final double CENTRE_RATE = 0.005;

  private final HilpSettings hilp;
  private final Parameters centre;

  public Hilp(HilpSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, FEATURE_MEMBERS, settings.featureTargetRate());
    this.hilp = settings;
    this.centre = new Parameters(data.device());
    centre.add("mean", torch.zeros(seeds.size(), 1, settings.common().featureDimension()));
    keep("centre", centre);
  }

  @Override
  public Set<Draw> needs(long step) {
    return policies.inputsAnd(Draw.GOALS);
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Experience.Batch batch = transitions(inputs);
    learnFeatures(batch, data().observations(inputs.get(Draw.GOALS)), metrics);
    Tensor plain = firstFeatures(batch.nextObservations());
    follow(plain);
    Tensor phi = plain.sub(centre.get("mean"));
    policies.learnSuccessorFeatures(batch, phi, hilp.alongTask(), inputs, metrics);
  }

  /** Implicit value learning of V(s, g): each transition costs 1 until the goal is reached. */
  private void learnFeatures(Experience.Batch batch, Tensor goals, LazyMetrics metrics) {
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
    // γ of a transition until the goal is reached, then 0.
    Tensor going = reward.mul(scalar(-settings().discountPerTransition(hilp.featureDiscount())));
    // One pass for all three; the two that φ itself is learned from come last.
    Tensor inputs =
        perMember(
            torch.cat(new TensorVector(batch.nextObservations(), batch.observations(), goals), 1));
    long rows = goals.size(1);
    Tensor targetPhi = perSeed(features.shape().forward(features.target(), inputs));
    Tensor targetGoals = targetPhi.narrow(2, 2 * rows, rows);
    Tensor next = distances(targetPhi.narrow(2, 0, rows).sub(targetGoals)).neg();
    Tensor now = distances(targetPhi.narrow(2, rows, rows).sub(targetGoals)).neg();
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

    ParallelMlp.Trace trace =
        features.shape().trace(features.weights(), inputs.narrow(1, rows, 2 * rows));
    Tensor phi = perSeed(trace.output());
    Tensor apart = phi.narrow(2, 0, rows).sub(phi.narrow(2, rows, rows));
    Tensor squares = apart.square().sum(-1);
    Tensor distance = squares.clamp_min(scalar(SMALLEST_SQUARE)).sqrt_();
    metrics.add(
        "feature_loss",
        () -> weight.mul(target.add(distance).square()).mean(-1).sum(1),
        weight,
        target,
        distance);
    metrics.add("goal_value", () -> distance.neg().mean(-1).mean(1), distance);
    // By V it is −2 · weight · (target − V) / rows, and V's by φ(s) is −(φ(s) − φ(g)) / distance:
    // nothing where the square is held at its smallest.
    Tensor slope =
        weight
            .mul(target.add(distance))
            .div_(distance)
            .mul_(squares.ge(scalar(SMALLEST_SQUARE)))
            .mul_(scalar(2.0 / rows));
    Tensor byStates = apart.mul_(slope.unsqueeze(-1));
    Tensor gradient = torch.cat(new TensorVector(byStates, byStates.neg()), 2);
    features.descendByDifferences(trace, gradient.view_as(trace.output()), featureRate);
  }

  /** ‖φ(s) − φ(g)‖, which is −V(s, g), of both members: seeds × members × rows. */
  private static Tensor distances(Tensor apart) {
    return apart.square().sum(-1).clamp_min_(scalar(SMALLEST_SQUARE)).sqrt_();
  }

  private Tensor perMember(Tensor observations) {
    return features.shape().inputs(features.weights(), observations, null);
  }

  private static Tensor perSeed(Tensor phi) {
    return phi.view(-1, FEATURE_MEMBERS, phi.size(1), phi.size(2));
  }

  private Tensor firstFeatures(Tensor observations) {
    return features.shape().forwardFirst(features.weights(), observations);
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
