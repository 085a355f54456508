package dev.psm.agents.finite;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Agent;
import dev.psm.agents.Losses;
import dev.psm.core.mdp.TransitionTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
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
public final class Laplacian extends BaselineTrainer {
  public static final Agent AGENT =
      new BaselineAgent(
          "laplacian",
          "Laplacian",
          "Laplacian: features that change slowly along transitions, and their successor features",
          LaplacianModel::presets,
          Laplacian::new,
          LaplacianModel::new);

  private final LaplacianModel model;
  private double lastFeatureLoss = Double.NaN;
  private double lastSuccessorLoss = Double.NaN;

  public Laplacian(BaselineSettings settings, TransitionTable data, long seed) {
    this(settings, new LaplacianModel(settings.shape(), data, seed), seed);
  }

  private Laplacian(BaselineSettings settings, LaplacianModel model, long seed) {
    super(settings, model, seed, null);
    this.model = model;
  }

  @Override
  void update(Batch batch, RandomGenerator random) {
    Tensor featureLoss =
        featureLoss(
            model.features(features.weights(), batch.states()),
            model.features(features.weights(), batch.nextStates()),
            settings.orthonormality());
    lastFeatureLoss = featureLoss.item_double();
    features.descend(featureLoss, featureRate());

    Tensor successorLoss = successorLoss(batch, random);
    lastSuccessorLoss = successorLoss.item_double();
    forward.descend(successorLoss, rate());
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
  Tensor successorLoss(Batch batch, RandomGenerator random) {
    Tensor z;
    Tensor target;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor phi = model.features(features.weights(), batch.nextStates());
      z = Batch.taskVectors(phi.index_select(0, batch.permutation()), settings.goalShare(), random);
      Tensor[] next =
          model.forward().forward(forward.target(), model.observe(batch.nextStates()), z);
      Tensor bestValue = ForwardNetwork.pessimisticQ(next, z).amax(new long[] {1}, false);
      target = phi.mul(z).sum(1).add(bestValue.mul(scalar(settings.discount())));
    }
    Tensor loss = torch.zeros();
    for (Tensor head :
        model.forward().forward(forward.weights(), model.observe(batch.states()), z)) {
      Tensor q = ForwardNetwork.at(head, batch.actions()).mul(z).sum(1);
      loss = loss.add(q.sub(target).square().mean());
    }
    return loss;
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
