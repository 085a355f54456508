package dev.psm.agents.finite;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Agent;
import dev.psm.agents.Losses;
import dev.psm.core.mdp.TransitionTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Pretrains a Forward-Backward representation: F(s, a, z)ᵀB(s⁺) becomes the successor measure
 * density of the policy that is greedy for Q = F(s, a, z)ᵀz, for every task vector z at once.
 *
 * <p>Two heads of F; the next action is greedy for, and the target measure is, the smaller of the
 * two targets. No 1 − γ: the measure's mass is 1/(1 − γ).
 */
public final class ForwardBackward extends BaselineTrainer {
  public static final Agent AGENT =
      new BaselineAgent(
          "fb",
          "FB",
          "Forward-Backward: features and the measures of greedy policies, learned together",
          ForwardBackwardModel::presets,
          ForwardBackward::new,
          ForwardBackwardModel::new);

  private final ForwardBackwardModel model;
  private double lastLoss = Double.NaN;
  private double lastOrthonormality = Double.NaN;

  public ForwardBackward(BaselineSettings settings, TransitionTable data, long seed) {
    this(settings, new ForwardBackwardModel(settings.shape(), data, seed), seed);
  }

  private ForwardBackward(BaselineSettings settings, ForwardBackwardModel model, long seed) {
    super(settings, model, seed, settings.targetRate());
    this.model = model;
  }

  @Override
  void update(Batch batch, RandomGenerator random) {
    Tensor z;
    Tensor[] target = new Tensor[ForwardNetwork.HEADS];
    Tensor smallest;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor goals = batch.states().index_select(0, batch.permutation());
      z =
          Batch.taskVectors(
              model.features(features.weights(), goals), settings.goalShare(), random);
      Tensor next = model.observe(batch.nextStates());
      Tensor[] f = model.forward().forward(forward.target(), next, z);
      Tensor greedy = ForwardNetwork.pessimisticQ(f, z).argmax(new LongOptional(1), false);
      Tensor b = model.features(features.target(), batch.nextStates());
      for (int head = 0; head < target.length; head++) {
        target[head] = ForwardNetwork.at(f[head], greedy).matmul(b.t());
      }
      smallest = torch.minimum(target[0], target[1]).mul(scalar(settings.discount()));
    }
    Tensor b = model.features(features.weights(), batch.nextStates());
    Tensor measureLoss = torch.zeros();
    for (Tensor head :
        model.forward().forward(forward.weights(), model.observe(batch.states()), z)) {
      Tensor m = ForwardNetwork.at(head, batch.actions()).matmul(b.t());
      measureLoss = measureLoss.add(Losses.contrastive(m, smallest, 1));
    }
    Tensor orthonormality = Losses.orthonormality(b);
    lastLoss = measureLoss.item_double();
    lastOrthonormality = orthonormality.item_double();
    Tensor loss = measureLoss.add(orthonormality.mul(scalar(settings.orthonormality())));
    BaselineNetwork.descend(loss, forward, rate(), features, featureRate());
  }

  @Override
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("loss", lastLoss);
    metrics.put("orthonormality", lastOrthonormality);
    metrics.put("effective_rank", model.effectiveRank());
    return metrics;
  }

  @Override
  public ForwardBackwardModel model() {
    return model;
  }
}
