package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Model;
import dev.psm.torch.Tensors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** A model that sees states by their {@link ObservationCode}, and so knows what goals speak of. */
abstract class CodedModel implements Model {
  private final ObservationCode code;
  private final GoalNumbers goals;

  CodedModel(ObservationCode code) {
    this.code = code;
    this.goals = code.goalNumbers();
  }

  final ObservationCode code() {
    return code;
  }

  /**
   * φ: 1 × rows × features.
   *
   * @param observations 1 × rows × observation
   * @param asGoals whether they are goals, of which only some numbers count
   */
  abstract Tensor features(Tensor observations, boolean asGoals);

  @Override
  public final int observationSize() {
    return code.size();
  }

  @Override
  public final int[] goalColumns() {
    return goals.places().clone();
  }

  @Override
  public final float[] achieved(float[] observations) {
    return goals.of(observations);
  }

  @Override
  public final float[] features(float[] observations) {
    return features(observations, false);
  }

  @Override
  public final float[] goalFeatures(float[] wanted) {
    return features(goals.asObservations(wanted), true);
  }

  private float[] features(float[] observations, boolean asGoals) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return Tensors.toFloats(
          features(Tensors.floats(observations, 1, -1, observationSize()), asGoals));
    }
  }

  /**
   * The best action of every row; NaN where a value is none, which whoever asked refuses.
   *
   * @param q rows × actions
   */
  static float[] greedy(Tensor q) {
    Tensor chosen = q.argmax(new LongOptional(1), false).to(torch.ScalarType.Float);
    return Tensors.toFloats(chosen.add(q.sum(1).mul(scalar(0))));
  }
}
