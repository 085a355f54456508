package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Tensors;
import java.util.EnumSet;
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
public final class Laplacian extends ControlTrainer {
  public static final Agent AGENT =
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
        public Map<String, SuccessorFeatureSettings> presets(String environment) {
          return SuccessorFeatureSettings.presets(environment);
        }

        @Override
        ControlTrainer train(SuccessorFeatureSettings settings, Experience data, List<Long> seeds) {
          return new Laplacian(settings, data, seeds);
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
    learnFeatures(batch);
    Tensor phi = taskFeatures(batch.nextObservations());
    Tensor tasks = taskVectors(SuccessorFeatures.goalVectors(phi), draws);
    Device.Both<Tensor, Towers.Trace> measures = measures(batch, tasks, draws);
    Tensor target = SuccessorFeatures.target(phi, measures.one(), tasks, discounts(batch));
    Towers.Trace psi = measures.other();
    learnSuccessor(psi, target, tasks, laplacian.alongTask());
    improveActor(batch, tasks, draws);
  }

  /** Both ends of the transitions go through the network together. */
  private void learnFeatures(Experience.Batch batch) {
    long rows = batch.observations().size(1);
    Tensor ends = torch.cat(new TensorVector(batch.observations(), batch.nextObservations()), 1);
    ParallelMlp.Trace plain = networks.features().trace(features, ends);
    Tensor both = Tensors.onSphere(plain.output());
    Tensor phi = both.narrow(1, 0, rows);
    Tensor nextPhi = both.narrow(1, rows, rows);
    watch("feature_loss", () -> featureLoss(phi, nextPhi), phi, nextPhi);
    featureOptimiser.step(backward(features, plain, gradient(phi, nextPhi)), featureRate);
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

  /** The gradient of that by φ(s) and, below it, by φ(s′). */
  static Tensor gradient(Tensor phi, Tensor nextPhi) {
    Tensor apart = phi.sub(nextPhi).mul_(scalar(2.0 / (phi.size(1) * phi.size(2))));
    Tensor byPhi = MeasureLosses.orthonormalityGradient(phi).mul_(scalar(2)).add_(apart);
    return torch.cat(new TensorVector(byPhi, apart.neg()), 1);
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
