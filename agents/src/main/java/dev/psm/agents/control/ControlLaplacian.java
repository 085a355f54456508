package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.env.World;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Features that change slowly along transitions, the graph Laplacian's eigenfunctions, and their
 * successor features under the actor's policy for each task vector.
 */
public final class ControlLaplacian extends ControlTrainer {
  public static final ControlAgent AGENT =
      new TypedAgent<>(
          "laplacian",
          "Laplacian",
          SuccessorFeatureSettings.class,
          ControlModel.Kind.SPHERICAL_FEATURES) {
        @Override
        public String summary() {
          return "Laplacian: features that change slowly along transitions, and their successor"
              + " features";
        }

        @Override
        public Map<String, SuccessorFeatureSettings> presets(World world) {
          return SuccessorFeatureSettings.presets(world);
        }

        @Override
        ControlTrainer train(SuccessorFeatureSettings settings, Experience data, List<Long> seeds) {
          return new ControlLaplacian(settings, data, seeds);
        }

        /** Both ends of transitions are learned from; φᵀφ, and φ by it. */
        @Override
        long multiplications(SuccessorFeatureSettings settings, StepWork work) {
          return 2 * StepWork.learn(work.features())
              + 2 * work.square()
              + StepWork.forward(work.features())
              + work.successorStep()
              + work.actorStep();
        }
      };

  private final SuccessorFeatureSettings laplacian;

  public ControlLaplacian(SuccessorFeatureSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1, null);
    this.laplacian = settings;
  }

  @Override
  public Set<Draw> needs(long step) {
    return policies.inputsAnd();
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Experience.Batch batch = transitions(inputs);
    learnFeatures(batch, metrics);
    Tensor phi = features.of(batch.nextObservations());
    policies.learnSuccessorFeatures(batch, phi, laplacian.alongTask(), inputs, metrics);
  }

  /** Both ends of the transitions go through the network together. */
  private void learnFeatures(Experience.Batch batch, LazyMetrics metrics) {
    long rows = batch.observations().size(1);
    Tensor ends = torch.cat(new TensorVector(batch.observations(), batch.nextObservations()), 1);
    Networks.Features.Pass both = features.pass(ends);
    Tensor phi = both.output().narrow(1, 0, rows);
    Tensor nextPhi = both.output().narrow(1, rows, rows);
    metrics.add("feature_loss", () -> featureLoss(phi, nextPhi), phi, nextPhi);
    features.descend(both, gradient(phi, nextPhi), featureRate);
  }

  /**
   * E[(φ(s) − φ(s′))²] + E_{i≠j}[(φ_iᵀφ_j)²] − 2E[φᵀφ], over φ(s). The first term is a mean over
   * the d features too, as in the sources, so that orthonormality rules.
   */
  public static Tensor featureLoss(Tensor phi, Tensor nextPhi) {
    return phi.sub(nextPhi)
        .square()
        .mean(-2, -1)
        .add(MeasureLoss.orthonormality(phi).mul(scalar(2)));
  }

  /** The gradient of that by φ(s) and, below it, by φ(s′). */
  public static Tensor gradient(Tensor phi, Tensor nextPhi) {
    Tensor apart = phi.sub(nextPhi).mul_(scalar(2.0 / (phi.size(1) * phi.size(2))));
    Tensor byPhi = MeasureLoss.orthonormalityGradient(phi).mul_(scalar(2)).add_(apart);
    return torch.cat(new TensorVector(byPhi, apart.neg()), 1);
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return features.of(observations);
  }

  @Override
  ControlModel.Kind kind() {
    return ControlModel.Kind.SPHERICAL_FEATURES;
  }
}
