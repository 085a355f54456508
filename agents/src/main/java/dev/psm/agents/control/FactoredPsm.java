package dev.psm.agents.control;

import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
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
  public static final Agent AGENT =
      new TypedAgent<>("psm", "PSM", FactoredPsmSettings.class, ControlModel.Kind.MEASURE) {
        @Override
        public String summary() {
          return "Proto Successor Measure: features that span the measures of every policy, then"
              + " policies in them";
        }

        @Override
        public Map<String, FactoredPsmSettings> presets(String environment) {
          return FactoredPsmSettings.presets(environment);
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
          long residuals = (1 + Networks.MEMBERS) * work.square();
          long policies = features + work.successorStep() + residuals + work.actorStep();
          return switch (settings.phase(0)) {
            case PROTO -> basis;
            case SUCCESSOR -> policies;
            case BOTH -> basis + policies;
          };
        }
      };

  private static final Set<Draw> SUCCESSOR_DRAWS =
      EnumSet.of(
          Draw.ROWS,
          Draw.TASK_NOISE,
          Draw.MIXED,
          Draw.PERMUTATION,
          Draw.NEXT_NOISE,
          Draw.ACTOR_NOISE);

  private final FactoredPsmSettings psm;
  private final ActionCodebook codebook;
  final Towers protoNetwork;
  final Parameters proto;
  final Parameters targetProto;
  final Parameters targetFeatures;
  private final Adam protoOptimiser;
  private final Adam featureOptimiser;

  public FactoredPsm(FactoredPsmSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1);
    this.psm = settings;
    this.codebook = new ActionCodebook(seeds, data.actionSize(), data.device());
    this.protoNetwork =
        Networks.successor(
            "proto",
            settings.common(),
            data.observationSize(),
            ActionCodebook.CODE_BITS,
            data.actionSize());
    this.proto = learn("proto", protoNetwork.initialise(data.device(), generators("proto")));
    this.targetProto = learn("target_proto", proto.targetCopy());
    this.targetFeatures = learn("target_features", features.targetCopy());
    this.protoOptimiser = optimise("proto", proto);
    this.featureOptimiser = optimise("features", features);
  }

  @Override
  Set<Draw> needs(long step) {
    return switch (psm.phase(step)) {
      case PROTO -> EnumSet.of(Draw.ROWS, Draw.CODES);
      case SUCCESSOR -> SUCCESSOR_DRAWS;
      case BOTH -> EnumSet.complementOf(EnumSet.of(Draw.GOALS));
    };
  }

  /** Each phase has a whole decay of its own. */
  @Override
  double progress(long step) {
    return switch (psm.phase(step)) {
      case BOTH -> super.progress(step);
      case PROTO -> (double) step / psm.protoSteps();
      case SUCCESSOR -> {
        long start = psm.protoSteps();
        yield Math.min(1, (double) (step - start) / (settings().gradientSteps() - start));
      }
    };
  }

  @Override
  void update(Experience.Batch batch, Draws draws) {
    FactoredPsmSettings.Phase phase = psm.phase(stepsDone());
    if (phase != FactoredPsmSettings.Phase.SUCCESSOR) {
      learnBasis(batch, draws.get(Draw.CODES));
    }
    if (phase != FactoredPsmSettings.Phase.PROTO) {
      learnPolicies(batch, draws);
    }
  }

  /** The paper's equation 6: every policy of the codebook has a measure ψ(s, a, code)ᵀφ. */
  private void learnBasis(Experience.Batch batch, Tensor codes) {
    ActionCodebook.Choice choice = codebook.choose(codes, batch.nextRows());
    Tensor bits = choice.bits();
    Tensor nextObservations = batch.nextObservations();
    Device.Both<Tensor, Towers.Trace> measures =
        device()
            .both(
                () ->
                    Networks.successor(
                        protoNetwork, targetProto, nextObservations, bits, choice.actions()),
                () ->
                    Networks.traceSuccessor(
                        protoNetwork, proto, batch.observations(), bits, batch.actions()));
    Towers.Trace psi = measures.other();
    Tensor bootstrap = bootstrap(measures.one(), batch);
    Tensor targetPhi = phi(targetFeatures, nextObservations);
    ParallelMlp.Trace plain = networks.features().trace(features, nextObservations);
    Tensor phi = Tensors.onSphere(plain.output());
    watch(
        "proto_loss",
        () ->
            MeasureLosses.contrastive(
                    psi.output(), phi.unsqueeze(1), bootstrap, targetPhi.unsqueeze(1))
                .sum(1),
        psi.output(),
        phi,
        bootstrap,
        targetPhi);
    watch("orthonormality", () -> MeasureLosses.orthonormality(phi), phi);
    MeasureLosses.Gradients gradients =
        MeasureLosses.gradients(psi.output(), phi, bootstrap, targetPhi, psm.orthonormality());
    double targetRate = settings().targetRate();
    protoOptimiser.step(
        protoNetwork.backward(proto, psi, gradients.psi()), rate, targetProto, targetRate);
    featureOptimiser.step(
        backward(features, plain, gradients.phi()), featureRate, targetFeatures, targetRate);
  }

  /** The same equation for the actor's own policies, in the basis as it is. */
  private void learnPolicies(Experience.Batch batch, Draws draws) {
    Tensor phi = taskFeatures(batch.nextObservations());
    Tensor tasks = taskVectors(phi, draws);
    Device.Both<Tensor, Towers.Trace> measures = measures(batch, tasks, draws);
    Tensor bootstrap = bootstrap(measures.one(), batch);
    Towers.Trace psi = measures.other();
    watch(
        "successor_loss",
        () -> MeasureLosses.contrastive(psi.output(), bootstrap, phi.unsqueeze(1)).sum(1),
        psi.output(),
        bootstrap,
        phi);
    learnSuccessor(psi, MeasureLosses.gradient(psi.output(), bootstrap, phi));
    improveActor(batch, tasks, draws);
  }

  private Tensor phi(Parameters parameters, Tensor observations) {
    return Tensors.onSphere(networks.features().forward(parameters, observations));
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return phi(features, observations);
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
