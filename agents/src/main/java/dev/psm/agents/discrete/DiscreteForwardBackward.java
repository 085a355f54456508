package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Agent;
import dev.psm.agents.control.MeasureLoss;
import dev.psm.agents.control.StepMath;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.env.World;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Forward-Backward representations for numbered actions: F(s, a, z)ᵀB(s⁺) becomes the density of
 * the successor measure of the policy that is greedy for Q = F(s, a, z)ᵀz, for every task vector z
 * at once. B has two kinds of entered states, whole ones and goals, and the loss is the sum over
 * both.
 */
public final class DiscreteForwardBackward extends DiscreteTrainer {
  public static final Agent AGENT =
      new BaselineDeclaration(
          "fb",
          "FB",
          "Forward-Backward: features and the measures of greedy policies, learned together",
          DiscreteModel.Kind.MEASURE,
          world -> DiscreteSettings.presets(world, 1, FeatureScope.GOALS, Bootstrap.SMALLER),
          DiscreteForwardBackward::new);

  private final StepMath math;

  public DiscreteForwardBackward(
      DiscreteSettings settings, World world, Experience data, List<Long> seeds) {
    super(DiscreteModel.Kind.MEASURE, settings, world, data, seeds, settings.targetRate());
    this.math = StepMath.on(device());
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Experience.Batch batch = transitions(inputs);
    long rows = batch.observations().size(1);
    Tensor entered = allKinds(batch.nextObservations());
    FeatureNetwork.Pass backward = features.pass(entered);
    Tensor targetBackward = features.ofTarget(entered);
    long kinds = entered.size(1) / rows;
    // The last kind are goals, where there are two.
    Tensor tasks =
        math.taskVectors(
            backward.output().narrow(1, (kinds - 1) * rows, rows).contiguous(), inputs);
    Tensor next = successor.ofTargetGreedily(code.states(batch.nextObservations()), tasks);
    SuccessorNetwork.Pass forward =
        successor.pass(code.states(batch.observations()), taken(batch), tasks);
    KindLoss loss = lossOfKind(forward.output(), next, batch.discounts(), metrics);
    Tensor byForward = null;
    TensorVector byBackward = new TensorVector();
    for (long kind = 0; kind < kinds; kind++) {
      MeasureLoss.Gradients gradients =
          loss.gradients(
              backward.output().narrow(1, kind * rows, rows).contiguous(),
              targetBackward.narrow(1, kind * rows, rows).contiguous(),
              kind == 0 ? "" : "goal_");
      byForward = byForward == null ? gradients.psi() : byForward.add(gradients.psi());
      byBackward.push_back(gradients.phi());
    }
    successor.descend(forward, byForward, rate);
    features.descend(backward, torch.cat(byBackward, 1), featureRate);
  }

  /** Logs the loss of one kind of entered states under a prefix; gradients by F and by B. */
  private interface KindLoss {
    MeasureLoss.Gradients gradients(Tensor backward, Tensor targetBackward, String prefix);
  }

  private KindLoss lossOfKind(Tensor forward, Tensor next, Tensor discounts, LazyMetrics metrics) {
    double weight = settings.orthonormality();
    if (settings.bootstrap() == Bootstrap.SMALLER) {
      Tensor discounted = discounts.mul(scalar(settings.discount()));
      return (backward, targetBackward, prefix) -> {
        Tensor target = PairedMeasureLoss.target(next, targetBackward, discounted);
        PairedMeasureLoss loss = new PairedMeasureLoss(forward, backward, target, weight);
        loss.log(metrics, prefix + "measure_loss", prefix + "orthonormality");
        return loss.gradients();
      };
    }
    Tensor bootstrap = math.bootstrap(next, discounts, settings.discount());
    return (backward, targetBackward, prefix) -> {
      MeasureLoss loss =
          new MeasureLoss(forward, backward, bootstrap, targetBackward, weight, math);
      loss.log(metrics, prefix + "measure_loss", prefix + "orthonormality");
      return loss.gradients();
    };
  }
}
