package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Tensors;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

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
    UnaryOperator<Tensor> loss =
        output -> {
          Tensor phi = Tensors.onSphere(output);
          return featureLoss(phi.narrow(1, 0, rows), phi.narrow(1, rows, rows));
        };
    watch("feature_loss", () -> loss.apply(plain.output()), plain.output());
    Gradients gradients = new Gradients();
    Tensor gradient = Tensors.gradient(plain.output(), loss);
    networks.features().backward(features, plain, gradient, gradients, 0);
    featureOptimiser.step(gradients, featureRate);
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
