package dev.psm.agents.control;

import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * Forward-Backward representations for continuous actions: F(s, a, z)ᵀB(s⁺) becomes the measure of
 * the actor's own policy for z, and F and B are learned together. F is the network ψ of the other
 * agents, B is φ.
 */
public final class ForwardBackward extends ControlTrainer {
  public static final Agent AGENT =
      new TypedAgent<>("fb", "FB", ForwardBackwardSettings.class, ControlModel.Kind.MEASURE) {
        @Override
        public String summary() {
          return "Forward-Backward: features and the measures of the actor's own policies, learned"
              + " together";
        }

        @Override
        public Map<String, ForwardBackwardSettings> presets(String environment) {
          return ForwardBackwardSettings.presets(environment);
        }

        @Override
        ControlTrainer train(ForwardBackwardSettings settings, Experience data, List<Long> seeds) {
          return new ForwardBackward(settings, data, seeds);
        }

        @Override
        long multiplications(ForwardBackwardSettings settings, StepWork work) {
          return StepWork.forward(work.features())
              + StepWork.learn(work.features())
              + work.successorStep()
              + work.measureGradients()
              + work.actorStep();
        }
      };

  private final ForwardBackwardSettings fb;
  final Parameters targetFeatures;
  private final Adam backwardOptimiser;

  public ForwardBackward(ForwardBackwardSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1);
    this.fb = settings;
    this.targetFeatures = learn("target_features", features.targetCopy());
    this.backwardOptimiser = optimise("features", features);
  }

  @Override
  Set<Draw> needs(long step) {
    return EnumSet.complementOf(EnumSet.of(Draw.CODES, Draw.GOALS));
  }

  @Override
  void update(Experience.Batch batch, Draws draws) {
    ParallelMlp.Trace plain = networks.features().trace(features, batch.nextObservations());
    Tensor backward = Tensors.onSphere(plain.output());
    Tensor tasks = taskVectors(backward, draws);
    Device.Both<Tensor, Towers.Trace> measures = measures(batch, tasks, draws);
    Tensor bootstrap = bootstrap(measures.one(), batch);
    Tensor targetBackward = backward(targetFeatures, batch.nextObservations());
    Towers.Trace forward = measures.other();
    watch(
        "measure_loss",
        () ->
            MeasureLosses.contrastive(
                    forward.output(), backward.unsqueeze(1), bootstrap, targetBackward.unsqueeze(1))
                .sum(1),
        forward.output(),
        backward,
        bootstrap,
        targetBackward);
    watch("orthonormality", () -> MeasureLosses.orthonormality(backward), backward);
    MeasureLosses.Gradients gradients =
        MeasureLosses.gradients(
            forward.output(), backward, bootstrap, targetBackward, fb.orthonormality());
    learnSuccessor(forward, gradients.psi());
    backwardOptimiser.step(
        backward(features, plain, gradients.phi()),
        featureRate,
        targetFeatures,
        settings().targetRate());
    improveActor(batch, tasks, draws);
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
