package dev.psm.agents.laplacian;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.BaselineSettings;
import dev.psm.agents.Batch;
import dev.psm.agents.FiniteTrainer;
import dev.psm.agents.ForwardNetwork;
import dev.psm.agents.Losses;
import dev.psm.core.Seeds;
import dev.psm.core.data.TransitionTable;
import dev.psm.torch.Adam;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Pretrains features that change slowly along transitions (the graph Laplacian's eigenfunctions)
 * and their successor features ψ(s, a, z) under the policy that is greedy for ψᵀz.
 *
 * <p>No source defines this agent for grids; the networks are those of Forward-Backward, the losses
 * those of its continuous form.
 */
public final class Laplacian implements FiniteTrainer {
  private final BaselineSettings settings;
  private final LaplacianModel model;
  private final RandomGenerator random;
  final Parameters targetSuccessor;
  private final Adam successorOptimiser;
  private final Adam featureOptimiser;
  private int step;
  private double lastFeatureLoss = Double.NaN;
  private double lastSuccessorLoss = Double.NaN;

  public Laplacian(BaselineSettings settings, TransitionTable data, long seed) {
    this.settings = settings;
    this.model = new LaplacianModel(settings, data, seed);
    this.random = Seeds.generator(seed + 1);
    this.targetSuccessor = model.forwardParameters().targetCopy();
    this.successorOptimiser = new Adam(model.forwardParameters());
    this.featureOptimiser = new Adam(model.featureParameters());
  }

  @Override
  public void step() {
    double decay = settings.decay().at((double) step / settings.gradientSteps());
    try (PointerScope scope = new PointerScope()) {
      Batch batch = Batch.sample(model.data(), settings.batchSize(), random);
      Tensor featureLoss =
          featureLoss(
              model.features(model.featureParameters(), batch.states()),
              model.features(model.featureParameters(), batch.nextStates()),
              settings.orthonormality());
      lastFeatureLoss = featureLoss.item_double();
      featureOptimiser.step(
          Tensors.gradients(featureLoss, model.featureParameters().vector()),
          decay * settings.featureLearningRate());

      Tensor successorLoss = successorLoss(batch);
      lastSuccessorLoss = successorLoss.item_double();
      successorOptimiser.step(
          Tensors.gradients(successorLoss, model.forwardParameters().vector()),
          decay * settings.learningRate());
      targetSuccessor.averageTowards(model.forwardParameters(), settings.targetRate());
    }
    step++;
  }

  /**
   * mean (φ(s) − φ(s′))² + orthonormality of φ(s). The first term is a mean over the d features
   * too, as in the sources, so that orthonormality rules.
   */
  static Tensor featureLoss(Tensor phi, Tensor nextPhi, double orthonormality) {
    return phi.sub(nextPhi)
        .square()
        .mean()
        .add(Losses.orthonormality(phi).mul(scalar(orthonormality)));
  }

  /**
   * Σ over heads of E[(ψᵀz − yᵀz)²], y = φ(s′) + γψ̄(s′, a*, z) by the less optimistic target head.
   */
  Tensor successorLoss(Batch batch) {
    Tensor z;
    Tensor target;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor phi = model.features(model.featureParameters(), batch.nextStates());
      z = Batch.taskVectors(phi.index_select(0, batch.permutation()), settings.goalShare(), random);
      Tensor[] next =
          model.forward().forward(targetSuccessor, model.observe(batch.nextStates()), z);
      Tensor bestValue = ForwardNetwork.pessimisticQ(next, z).amax(new long[] {1}, false);
      target = phi.mul(z).sum(1).add(bestValue.mul(scalar(settings.discount())));
    }
    Tensor loss = torch.zeros();
    for (Tensor head :
        model.forward().forward(model.forwardParameters(), model.observe(batch.states()), z)) {
      Tensor q = ForwardNetwork.at(head, batch.actions()).mul(z).sum(1);
      loss = loss.add(q.sub(target).square().mean());
    }
    return loss;
  }

  @Override
  public int stepsDone() {
    return step;
  }

  @Override
  public int gradientSteps() {
    return settings.gradientSteps();
  }

  @Override
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("loss", lastSuccessorLoss);
    metrics.put("feature_loss", lastFeatureLoss);
    metrics.put("effective_rank", model.effectiveRank());
    return metrics;
  }

  @Override
  public LaplacianModel model() {
    return model;
  }
}
