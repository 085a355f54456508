package dev.psm.agents.forwardbackward;

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
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Pretrains a Forward-Backward representation: F(s, a, z)ᵀB(s⁺) becomes the successor measure
 * density of the policy that is greedy for Q = F(s, a, z)ᵀz, for every task vector z at once.
 *
 * <p>Two heads of F; the next action is greedy for, and the target measure is, the smaller of the
 * two targets. No 1 − γ: the measure's mass is 1/(1 − γ).
 */
public final class ForwardBackward implements FiniteTrainer {
  private final BaselineSettings settings;
  private final ForwardBackwardModel model;
  private final RandomGenerator random;
  final Parameters targetForward;
  final Parameters targetBackward;
  private final Adam forwardOptimiser;
  private final Adam backwardOptimiser;
  private int step;
  private double lastLoss = Double.NaN;
  private double lastOrthonormality = Double.NaN;

  public ForwardBackward(BaselineSettings settings, TransitionTable data, long seed) {
    this.settings = settings;
    this.model = new ForwardBackwardModel(settings, data, seed);
    this.random = Seeds.generator(seed + 1);
    this.targetForward = model.forwardParameters().targetCopy();
    this.targetBackward = model.featureParameters().targetCopy();
    this.forwardOptimiser = new Adam(model.forwardParameters());
    this.backwardOptimiser = new Adam(model.featureParameters());
  }

  @Override
  public void step() {
    try (PointerScope scope = new PointerScope()) {
      Batch batch = Batch.sample(model.data(), settings.batchSize(), random);
      Tensor z;
      Tensor[] target = new Tensor[ForwardNetwork.HEADS];
      Tensor smallest;
      try (NoGradGuard noGradient = new NoGradGuard()) {
        Tensor goals = batch.states().index_select(0, batch.permutation());
        z =
            Batch.taskVectors(
                model.features(model.featureParameters(), goals), settings.goalShare(), random);
        Tensor next = model.observe(batch.nextStates());
        Tensor[] forward = model.forward().forward(targetForward, next, z);
        Tensor greedy = ForwardNetwork.pessimisticQ(forward, z).argmax(new LongOptional(1), false);
        Tensor backward = model.features(targetBackward, batch.nextStates());
        for (int head = 0; head < target.length; head++) {
          target[head] = ForwardNetwork.at(forward[head], greedy).matmul(backward.t());
        }
        smallest = torch.minimum(target[0], target[1]).mul(scalar(settings.discount()));
      }
      Tensor backward = model.features(model.featureParameters(), batch.nextStates());
      Tensor[] forward =
          model.forward().forward(model.forwardParameters(), model.observe(batch.states()), z);
      Tensor loss = torch.zeros();
      for (Tensor head : forward) {
        Tensor m = ForwardNetwork.at(head, batch.actions()).matmul(backward.t());
        loss = loss.add(Losses.contrastive(m, smallest, 1));
      }
      Tensor orthonormality = Losses.orthonormality(backward);
      lastLoss = loss.item_double();
      lastOrthonormality = orthonormality.item_double();
      update(loss.add(orthonormality.mul(scalar(settings.orthonormality()))));
    }
    step++;
  }

  private void update(Tensor loss) {
    double decay = settings.decay().at((double) step / settings.gradientSteps());
    TensorVector[] gradients =
        Tensors.gradients(loss, model.forwardParameters(), model.featureParameters());
    forwardOptimiser.step(gradients[0], decay * settings.learningRate());
    backwardOptimiser.step(gradients[1], decay * settings.featureLearningRate());
    targetForward.averageTowards(model.forwardParameters(), settings.targetRate());
    targetBackward.averageTowards(model.featureParameters(), settings.targetRate());
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
