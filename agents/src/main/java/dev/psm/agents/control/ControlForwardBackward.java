package dev.psm.agents.control;

import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.env.World;
import dev.psm.torch.Device;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * Forward-Backward representations for continuous actions: F(s, a, z)ᵀB(s⁺) becomes the measure of
 * the actor's own policy for z, and F and B are learned together. F is the network ψ of the other
 * agents, B is φ.
 */
public final class ControlForwardBackward extends ControlTrainer {
  public static final ControlAgent AGENT =
      new TypedAgent<>("fb", "FB", ForwardBackwardSettings.class, ControlModel.Kind.MEASURE) {
        @Override
        public String summary() {
          return "Forward-Backward: features and the measures of the actor's own policies, learned"
              + " together";
        }

        @Override
        public Map<String, ForwardBackwardSettings> presets(World world) {
          return ForwardBackwardSettings.presets(world);
        }

        @Override
        ControlTrainer train(ForwardBackwardSettings settings, Experience data, List<Long> seeds) {
          return new ControlForwardBackward(settings, data, seeds);
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

  public ControlForwardBackward(
      ForwardBackwardSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1, settings.common().targetRate());
    this.fb = settings;
  }

  @Override
  public Set<Draw> needs(long step) {
    return policies.inputsAnd();
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Experience.Batch batch = transitions(inputs);
    Networks.Features.Pass backward = features.pass(batch.nextObservations());
    Tensor tasks = policies.tasks(batch, backward.output(), inputs);
    Device.Pair<Tensor, Towers.Trace> measures = policies.measures(batch, tasks, inputs);
    Tensor bootstrap = policies.bootstrap(measures.first(), batch);
    Tensor targetBackward = features.ofTarget(batch.nextObservations());
    Towers.Trace forward = measures.second();
    MeasureLoss loss =
        new MeasureLoss(
            forward.output(),
            backward.output(),
            bootstrap,
            targetBackward,
            fb.orthonormality(),
            math);
    loss.log(metrics, "measure_loss");
    MeasureLoss.Gradients gradients = loss.gradients();
    policies.learnSuccessor(forward, gradients.psi());
    features.descend(backward, gradients.phi(), featureRate);
    policies.improveActor(batch, tasks, inputs, metrics);
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return features.of(observations);
  }

  @Override
  ControlModel.Kind kind() {
    return ControlModel.Kind.MEASURE;
  }
}
