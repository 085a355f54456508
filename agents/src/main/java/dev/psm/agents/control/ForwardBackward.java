package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.torch.Adam;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * Forward-Backward representations for continuous actions: F(s, a, z)ᵀB(s⁺) becomes the measure of
 * the actor's own policy for z, and F and B are learned together. F is the network ψ of the other
 * agents, B is φ.
 */
public final class ForwardBackward extends ControlTrainer {
  private final ForwardBackwardSettings fb;
  final Parameters targetFeatures;
  private final Adam forwardOptimiser;
  private final Adam backwardOptimiser;

  public ForwardBackward(ForwardBackwardSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1);
    this.fb = settings;
    this.targetFeatures = learn("target_features", features.targetCopy());
    this.forwardOptimiser = successorOptimiser();
    this.backwardOptimiser = optimise("features", features);
  }

  @Override
  Set<Draw> needs(long step) {
    return EnumSet.complementOf(EnumSet.of(Draw.CODES, Draw.GOALS));
  }

  @Override
  void update(Experience.Batch batch, Draws draws) {
    Tensor backward = backward(features, batch.nextObservations());
    Tensor tasks;
    Tensor bootstrap;
    Tensor targetBackward;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      tasks = taskVectors(backward.detach(), draws);
      Tensor nextActions = noisyAction(batch.nextObservations(), tasks, draws.get(Draw.NEXT_NOISE));
      bootstrap =
          successor(targetSuccessor, batch.nextObservations(), tasks, nextActions)
              .mean(1)
              .unsqueeze(1)
              .mul(discounts(batch));
      targetBackward = backward(targetFeatures, batch.nextObservations()).unsqueeze(1);
    }
    Tensor forward = successor(successor, batch.observations(), tasks, batch.actions());
    Tensor measureLoss =
        MeasureLosses.contrastive(forward, backward.unsqueeze(1), bootstrap, targetBackward).sum(1);
    Tensor orthonormality = MeasureLosses.orthonormality(backward);
    watch("measure_loss", measureLoss);
    watch("orthonormality", orthonormality);
    Tensor loss = measureLoss.add(orthonormality.mul(scalar(fb.orthonormality()))).sum();
    TensorVector[] gradients = Tensors.gradients(loss, successor, features);
    forwardOptimiser.step(gradients[0], rate);
    backwardOptimiser.step(gradients[1], featureRate);
    improveActor(batch, tasks, draws);
    targetFeatures.averageTowards(features, settings().targetRate());
  }

  private Tensor backward(Parameters parameters, Tensor observations) {
    return Tensors.onSphere(networks.features().forward(parameters, observations));
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return backward(features, observations);
  }

  @Override
  ControlModel.Kind kind() {
    return ControlModel.Kind.MEASURE;
  }
}
