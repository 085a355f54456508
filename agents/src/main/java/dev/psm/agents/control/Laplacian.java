package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.torch.Adam;
import dev.psm.torch.Tensors;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Features that change slowly along transitions, the graph Laplacian's eigenfunctions, and their
 * successor features under the actor's policy for each task vector.
 */
public final class Laplacian extends ControlTrainer {
  private final SuccessorFeatureSettings laplacian;
  private final Adam featureOptimiser;

  public Laplacian(SuccessorFeatureSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1);
    this.laplacian = settings;
    this.featureOptimiser = optimise("features", features);
  }

  @Override
  Set<Draw> needs(long step) {
    return EnumSet.complementOf(EnumSet.of(Draw.CODES, Draw.GOALS));
  }

  @Override
  void update(Experience.Batch batch, Draws draws) {
    Tensor featureLoss =
        featureLoss(taskFeatures(batch.observations()), taskFeatures(batch.nextObservations()));
    watch("feature_loss", featureLoss);
    featureOptimiser.step(Tensors.gradients(featureLoss.sum(), features.vector()), featureRate);

    Tensor tasks;
    Tensor target;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor phi = taskFeatures(batch.nextObservations());
      tasks = taskVectors(SuccessorFeatures.goalVectors(phi), draws);
      Tensor nextActions = noisyAction(batch.nextObservations(), tasks, draws.get(Draw.NEXT_NOISE));
      Tensor next = successor(targetSuccessor, batch.nextObservations(), tasks, nextActions);
      target = SuccessorFeatures.target(phi, next, tasks, discounts(batch));
    }
    Tensor psi = successor(successor, batch.observations(), tasks, batch.actions());
    learnSuccessor(SuccessorFeatures.loss(psi, target, tasks, laplacian.alongTask()));
    improveActor(batch, tasks, draws);
  }

  /**
   * E[(φ(s) − φ(s′))²] + E_{i≠j}[(φ_iᵀφ_j)²] − 2E[φᵀφ], over φ(s). The first term is a mean over
   * the d features too, as in the sources, so that orthonormality rules.
   */
  static Tensor featureLoss(Tensor phi, Tensor nextPhi) {
    return phi.sub(nextPhi)
        .square()
        .mean(-2, -1)
        .add(MeasureLosses.orthonormality(phi).mul(scalar(2)));
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return Tensors.onSphere(networks.features().forward(features, observations));
  }

  @Override
  ControlModel.Kind kind() {
    return ControlModel.Kind.SPHERICAL_FEATURES;
  }
}
