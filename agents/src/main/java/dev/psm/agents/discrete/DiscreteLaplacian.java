package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Agent;
import dev.psm.agents.control.ControlLaplacian;
import dev.psm.agents.control.StepMath;
import dev.psm.agents.control.SuccessorFeatureLoss;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.env.World;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Features that change slowly along transitions, the graph Laplacian's eigenfunctions, and their
 * successor features under the greedy policy of each task vector. A goal's features are drawn to
 * those of the whole states that lead there, so that both speak the same language.
 */
public final class DiscreteLaplacian extends DiscreteTrainer {
  public static final Agent AGENT =
      new BaselineDeclaration(
          "laplacian",
          "Laplacian",
          "Laplacian: features that change slowly along transitions, and their successor features",
          DiscreteModel.Kind.FEATURES,
          world -> DiscreteSettings.presets(world, 5, FeatureScope.BOTH, Bootstrap.MEAN),
          DiscreteLaplacian::new);

  private final StepMath math;

  public DiscreteLaplacian(
      DiscreteSettings settings, World world, Experience data, List<Long> seeds) {
    super(DiscreteModel.Kind.FEATURES, settings, world, data, seeds, null);
    this.math = StepMath.on(device());
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Experience.Batch batch = transitions(inputs);
    learnFeatures(batch, metrics);
    Tensor phi = features.of(entered(batch.nextObservations()));
    Tensor goals = hasTwoKinds() ? features.of(code.goals(batch.nextObservations())) : phi;
    Tensor tasks = math.taskVectors(SuccessorFeatureLoss.goalVectors(phi, goals), inputs);
    Tensor next = successor.ofTargetGreedily(code.states(batch.nextObservations()), tasks);
    Tensor discounts = batch.discounts().mul(scalar(settings.discount())).unsqueeze(1);
    Tensor target = SuccessorFeatureLoss.target(phi, next, tasks, discounts);
    SuccessorNetwork.Pass psi =
        successor.pass(code.states(batch.observations()), taken(batch), tasks);
    SuccessorFeatureLoss loss = new SuccessorFeatureLoss(psi.output(), target, tasks, true);
    loss.log(metrics);
    successor.descend(psi, loss.gradient(), rate);
  }

  /** All ends of the transitions go through the network together: s, s′ and s′ as a goal. */
  private void learnFeatures(Experience.Batch batch, LazyMetrics metrics) {
    long rows = batch.observations().size(1);
    FeatureNetwork.Pass all =
        features.pass(
            torch.cat(
                new TensorVector(entered(batch.observations()), allKinds(batch.nextObservations())),
                1));
    Tensor phi = all.output().narrow(1, 0, rows).contiguous();
    Tensor whole = all.output().narrow(1, rows, rows).contiguous();
    metrics.add("feature_loss", () -> ControlLaplacian.featureLoss(phi, whole), phi, whole);
    Tensor gradient = ControlLaplacian.gradient(phi, whole);
    if (!hasTwoKinds()) {
      features.descend(all, gradient, featureRate);
      return;
    }
    Tensor goal = all.output().narrow(1, 2 * rows, rows);
    metrics.add("goal_feature_loss", () -> phi.sub(goal).square().mean(-2, -1), phi, goal);
    Tensor apart = phi.sub(goal).mul_(scalar(2.0 / (rows * phi.size(2))));
    gradient.narrow(1, 0, rows).add_(apart);
    features.descend(all, torch.cat(new TensorVector(gradient, apart.neg()), 1), featureRate);
  }
}
