package dev.psm.agents.control;

import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.env.World;
import dev.psm.torch.Device;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * Proto Successor Measure for continuous actions, in its factored form M = ψᵀφ.
 *
 * <p>First the <em>proto</em> branch learns φ together with the measures of a codebook of random
 * policies: whatever a policy does, its measure must lie in the span of φ. Then, with φ fixed, ψ
 * learns the measure of the policy that pursues a task vector z, and the actor learns to be that
 * policy.
 */
public final class FactoredPsm extends ControlTrainer {
  public static final ControlAgent AGENT =
      new TypedAgent<>("psm", "PSM", FactoredPsmSettings.class, ControlModel.Kind.MEASURE) {
        @Override
        public String summary() {
          return "Proto Successor Measure: features that span the measures of every policy, then"
              + " policies in them";
        }

        @Override
        public Map<String, FactoredPsmSettings> presets(World world) {
          return FactoredPsmSettings.presets(world);
        }

        @Override
        ControlTrainer train(FactoredPsmSettings settings, Experience data, List<Long> seeds) {
          return new FactoredPsm(settings, data, seeds);
        }

        @Override
        public Map<String, List<String>> parts() {
          Map<String, List<String>> parts = new LinkedHashMap<>();
          parts.put(WHOLE_STEP, List.of("schedule=interleaved"));
          parts.put("proto", List.of("protoSteps=" + Integer.MAX_VALUE));
          parts.put("successor", List.of("protoSteps=0"));
          return parts;
        }

        @Override
        long multiplications(FactoredPsmSettings settings, StepWork work) {
          Towers proto = work.successor(ActionCodebook.CODE_BITS);
          long features = StepWork.forward(work.features());
          long basis =
              StepWork.forward(proto)
                  + StepWork.learn(proto)
                  + features
                  + StepWork.learn(work.features())
                  + work.measureGradients();
          // ΦᵀΦ, and the residuals of both members by it.
          long residuals = (1 + NetworkShapes.MEMBERS) * work.square();
          long policies = features + work.successorStep() + residuals + work.actorStep();
          return switch (settings.phases().at(0)) {
            case FEATURES -> basis;
            case POLICIES -> policies;
            case BOTH -> basis + policies;
          };
        }
      };

  private final FactoredPsmSettings psm;
  private final ActionCodebook codebook;

  /** ψ(s, a, code) of the codebook's policies. */
  final Networks.Successor proto;

  public FactoredPsm(FactoredPsmSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1, settings.common().targetRate());
    this.psm = settings;
    this.codebook = new ActionCodebook(seeds, data.actionSize(), data.device());
    this.proto = successorNetwork("proto", ActionCodebook.CODE_BITS);
  }

  @Override
  public Set<Draw> needs(long step) {
    return switch (psm.phases().at(step)) {
      case FEATURES -> EnumSet.of(Draw.ROWS, Draw.CODES);
      case POLICIES -> policies.inputsAnd();
      case BOTH -> policies.inputsAnd(Draw.CODES);
    };
  }

  @Override
  double progress(long step) {
    return psm.phases().progress(step);
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Phases.Phase phase = psm.phases().at(stepsDone());
    Experience.Batch batch = transitions(inputs);
    if (phase.learnsFeatures()) {
      learnBasis(batch, inputs, metrics);
    }
    if (phase.learnsPolicies()) {
      Tensor phi = features.of(batch.nextObservations());
      policies.learnInFixedBasis(batch, phi, inputs, metrics);
    }
  }

  /** Equation 9: every policy of the codebook has a measure ψ(s, a, code)ᵀφ. */
  private void learnBasis(Experience.Batch batch, StepInputs inputs, LazyMetrics metrics) {
    Tensor next = batch.nextObservations();
    StepMath.CodedActions coded =
        math.codedActions(codebook, inputs.get(Draw.CODES), batch.nextRows());
    Device.Pair<Tensor, Towers.Trace> measures =
        device()
            .both(
                () -> proto.ofTarget(next, coded.actions(), coded.bits()),
                () -> proto.pass(batch.observations(), batch.actions(), coded.bits()));
    Towers.Trace psi = measures.second();
    Tensor bootstrap =
        math.bootstrap(measures.first(), batch.discounts(), psm.basisTransitionDiscount());
    Tensor targetPhi = features.ofTarget(next);
    Networks.Features.Pass phi = features.pass(next);
    MeasureLoss loss =
        new MeasureLoss(
            psi.output(), phi.output(), bootstrap, targetPhi, psm.orthonormality(), math);
    loss.log(metrics, "proto_loss");
    MeasureLoss.Gradients gradients = loss.gradients();
    proto.descend(psi, gradients.psi(), rate);
    features.descend(phi, gradients.phi(), featureRate);
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return features.of(observations);
  }

  @Override
  ControlModel.Kind kind() {
    return ControlModel.Kind.MEASURE;
  }

  @Override
  public void close() {
    super.close();
    codebook.close();
  }
}
