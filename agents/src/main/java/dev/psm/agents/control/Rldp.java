package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.control.Towers.Inputs;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.LazyMetrics;
import dev.psm.agents.training.StepInputs;
import dev.psm.core.env.World;
import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.TrainedNetwork;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * RLDP, regularized latent dynamics prediction: features in which a model g of latent steps
 * foretells the features of the states to come, kept apart by their orthonormality. Policies in
 * them are learned as in the second phase of {@link FactoredPsm}.
 */
public final class Rldp extends ControlTrainer {
  public static final ControlAgent AGENT =
      new TypedAgent<>("rldp", "RLDP", RldpSettings.class, ControlModel.Kind.MEASURE) {
        @Override
        public String summary() {
          return "RLDP: orthonormal features that foretell themselves, then policies in them";
        }

        @Override
        public Map<String, RldpSettings> presets(World world) {
          return RldpSettings.presets(world);
        }

        @Override
        ControlTrainer train(RldpSettings settings, Experience data, List<Long> seeds) {
          return new Rldp(settings, data, seeds);
        }

        @Override
        public Map<String, List<String>> parts() {
          Map<String, List<String>> parts = new LinkedHashMap<>();
          parts.put(WHOLE_STEP, List.of("schedule=interleaved"));
          parts.put("features", List.of("schedule=two-phase", "featureSteps=" + Integer.MAX_VALUE));
          parts.put("policies", List.of("schedule=two-phase", "featureSteps=0"));
          return parts;
        }

        @Override
        long multiplications(RldpSettings settings, StepWork work) {
          ControlSettings common = settings.common();
          Towers g = Predictor.shape(common, work.actionSize());
          // Back to h through the first layers of both embeddings, too.
          long byStates = 2L * common.featureDimension() * common.width();
          long unrolled =
              (long) settings.horizon() * Predictor.MEMBERS * (StepWork.learn(g) + byStates);
          long features =
              unrolled
                  + StepWork.learn(work.features())
                  + settings.horizon() * StepWork.forward(work.features())
                  + 2 * work.square();
          long policies =
              StepWork.forward(work.features())
                  + work.successorStep()
                  + (1 + NetworkShapes.MEMBERS) * work.square()
                  + work.actorStep();
          return switch (settings.phases().at(0)) {
            case FEATURES -> features;
            case POLICIES -> policies;
            case BOTH -> features + policies;
          };
        }
      };

  private final RldpSettings rldp;
  final Predictor predictor;

  public Rldp(RldpSettings settings, Experience data, List<Long> seeds) {
    super(settings.common(), data, seeds, 1, settings.featureTargetRate(), settings.horizon());
    this.rldp = settings;
    Towers shape = Predictor.shape(settings.common(), data.actionSize());
    List<RandomGenerator> perMember = new ArrayList<>();
    for (RandomGenerator seed : generators("predictor")) {
      for (int member = 0; member < Predictor.MEMBERS; member++) {
        perMember.add(seed);
      }
    }
    this.predictor = train(new Predictor(shape, shape.initialise(data.device(), perMember)));
  }

  @Override
  public Set<Draw> needs(long step) {
    return switch (rldp.phases().at(step)) {
      case FEATURES -> EnumSet.of(Draw.WINDOWS);
      case POLICIES -> policies.inputsAnd();
      case BOTH -> policies.inputsAnd(Draw.WINDOWS);
    };
  }

  @Override
  double progress(long step) {
    return rldp.phases().progress(step);
  }

  @Override
  protected void update(StepInputs inputs, LazyMetrics metrics) {
    Phases.Phase phase = rldp.phases().at(stepsDone());
    if (phase.learnsFeatures()) {
      learnFeatures(data().window(inputs.get(Draw.WINDOWS), rldp.horizon()), metrics);
    }
    if (phase.learnsPolicies()) {
      Experience.Batch batch = transitions(inputs);
      Tensor phi = features.of(batch.nextObservations());
      policies.learnInFixedBasis(batch, phi, inputs, metrics);
    }
  }

  /** E mean_t ‖h_t − φ̄(s_t)‖² + λ orthonormality(φ(s₀)): φ and g descend on it together. */
  private void learnFeatures(Experience.Window window, LazyMetrics metrics) {
    Networks.Features.Pass phi = features.pass(window.observations());
    Tensor targets = features.ofTarget(window.nextObservations());
    Predictor.Unrolled g = predictor.unrolled();
    LatentPredictionLoss loss =
        new LatentPredictionLoss(g, phi.output(), window.actions(), targets);
    loss.log(metrics);
    metrics.add("orthonormality", () -> MeasureLoss.orthonormality(phi.output()), phi.output());
    Tensor byPhi =
        MeasureLoss.orthonormalityGradient(phi.output())
            .mul_(scalar(rldp.orthonormality()))
            .add_(loss.gradient());
    predictor.descend(g, featureRate);
    features.descend(phi, byPhi, featureRate);
  }

  @Override
  Tensor taskFeatures(Tensor observations) {
    return features.of(observations);
  }

  @Override
  ControlModel.Kind kind() {
    return ControlModel.Kind.MEASURE;
  }

  /**
   * g(h, a): embeddings of h and of [h, a], and a trunk over both. After its first step every
   * member has latent states of its own, so members are stacked as if they were seeds.
   */
  static final class Predictor extends TrainedNetwork {
    static final int MEMBERS = 2;

    private final Towers shape;

    Predictor(Towers shape, Parameters weights) {
      super("predictor", weights, null);
      this.shape = shape;
    }

    /** One member's. */
    static Towers shape(ControlSettings settings, int actionSize) {
      int d = settings.featureDimension();
      int width = settings.width();
      return new Towers(
          embedding("predictor.first", d, width),
          embedding("predictor.second", d + actionSize, width),
          new ParallelMlp(
              "predictor.trunk", new int[] {width, width, d}, false, false, 1, Math.sqrt(2)));
    }

    private static ParallelMlp embedding(String name, int inputs, int width) {
      return new ParallelMlp(
          name, new int[] {inputs, width, width / 2}, true, true, 1, Math.sqrt(2));
    }

    /** For one step's unrolling. */
    Unrolled unrolled() {
      return new Unrolled();
    }

    /** Along the gradients that a backward pass has gathered. */
    void descend(Unrolled unrolled, Tensor rate) {
      descend(unrolled.gradients, rate);
    }

    /** The network as a loss unrolls it. */
    final class Unrolled implements LatentPredictionLoss.Model {
      private final Gradients gradients = new Gradients();

      Gradients gradients() {
        return gradients;
      }

      @Override
      public int members() {
        return MEMBERS;
      }

      @Override
      public LatentPredictionLoss.Step step(Tensor h, Tensor actions) {
        Tensor perMember =
            actions
                .unsqueeze(1)
                .expand(actions.size(0), MEMBERS, actions.size(1), actions.size(2))
                .reshape(h.size(0), actions.size(1), actions.size(2));
        Towers.Trace trace = shape.trace(weights(), new Inputs(h), new Inputs(h, perMember));
        Tensor output = trace.output().squeeze(1);
        return new LatentPredictionLoss.Step() {
          @Override
          public Tensor output() {
            return output;
          }

          @Override
          public Tensor backward(Tensor gradient) {
            int d = (int) h.size(2);
            return shape.backward(weights(), trace, gradient.unsqueeze(1), gradients, d);
          }
        };
      }
    }
  }
}
