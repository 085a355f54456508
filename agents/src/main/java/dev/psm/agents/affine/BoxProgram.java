package dev.psm.agents.affine;

import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.agents.affine.AffineModel.Projected;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.torch.Handles;
import dev.psm.torch.Tensors;
import java.util.HashSet;
import java.util.Set;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * The paper's equation 4 on the learned basis: max E[Q_w] subject to Φw + b ≥ 0, with every
 * coordinate in a box, since a learned basis need not bound w by itself.
 *
 * <p>There is one constraint per triple and only length + 1 of them bind, so constraints are added
 * as they are violated until none is by more than a density of 1e-5. A learned measure is slightly
 * negative in places whatever w is; one slack variable, made expensive, takes the smallest such
 * amount.
 */
final class BoxProgram {
  private static final int ROUNDS = 60;
  private static final int ADDED_PER_ROUND = 150;
  private static final double SLACK_PRICE = 1e3;
  private static final double TOLERANCE = 1e-5;

  private BoxProgram() {}

  /** One w per prompt: prompts × length. */
  static Tensor solve(Evaluated evaluated, Projected projected) {
    int prompts = Math.toIntExact(projected.basis().size(0));
    int length = Math.toIntExact(evaluated.basis().size(1));
    float[] objective = Tensors.toFloats(projected.basis().mean(1));
    float[] solved = new float[prompts * length];
    float[] phi = Tensors.toFloats(evaluated.basis());
    float[] bias = Tensors.toFloats(evaluated.bias());
    for (int prompt = 0; prompt < prompts; prompt++) {
      double[] w = solve(evaluated, phi, bias, objective, prompt * length, length);
      for (int i = 0; i < length; i++) {
        solved[prompt * length + i] = (float) w[i];
      }
    }
    return Tensors.floats(solved, prompts, length);
  }

  private static double[] solve(
      Evaluated evaluated, float[] phi, float[] bias, float[] objective, int offset, int length) {
    double box = Math.sqrt(length);
    double scale = 0;
    for (int i = 0; i < length; i++) {
      scale = Math.max(scale, Math.abs(objective[offset + i]));
    }
    ExpressionsBasedModel program = new ExpressionsBasedModel();
    Variable[] coordinates = new Variable[length];
    for (int i = 0; i < length; i++) {
      coordinates[i] =
          program
              .newVariable("w" + i)
              .lower(-box)
              .upper(box)
              .weight(scale == 0 ? 0 : objective[offset + i] / scale);
    }
    Variable slack = program.newVariable("slack").lower(0).weight(-SLACK_PRICE);
    Set<Long> present = new HashSet<>();
    double[] w = new double[length];
    for (int round = 0; round < ROUNDS; round++) {
      int added = addViolated(evaluated, phi, bias, w, program, coordinates, slack, present);
      if (added == 0) {
        return w;
      }
      Optimisation.Result result = program.maximise();
      if (!result.getState().isFeasible()) {
        throw UserError.failed(
                null,
                "the linear programme over w ended %s; try generalised policy improvement",
                result.getState())
            .with(Remedy.POLICY_IMPROVEMENT);
      }
      for (int i = 0; i < length; i++) {
        w[i] = result.doubleValue(i);
      }
    }
    throw UserError.failed(
            null,
            "the linear programme over w still had violated constraints after %d rounds; try"
                + " generalised policy improvement",
            ROUNDS)
        .with(Remedy.POLICY_IMPROVEMENT);
  }

  private static int addViolated(
      Evaluated evaluated,
      float[] phi,
      float[] bias,
      double[] w,
      ExpressionsBasedModel program,
      Variable[] coordinates,
      Variable slack,
      Set<Long> present) {
    int length = w.length;
    int added = 0;
    try (PointerScope scope = new PointerScope()) {
      Tensor m = evaluated.measures(Tensors.floats(w, 1, length)).view(-1);
      boolean first = present.isEmpty();
      Tensor[] worst =
          Handles.of(torch.topk(m, Math.min(ADDED_PER_ROUND, m.numel()), -1, false, true));
      float[] values = Tensors.toFloats(worst[0]);
      long[] triples = Tensors.toLongs(worst[1]);
      double tolerance = slackOf(slack) + TOLERANCE;
      for (int i = 0; i < triples.length; i++) {
        if ((first || values[i] < -tolerance) && present.add(triples[i])) {
          int row = Math.toIntExact(triples[i]);
          Expression constraint = program.newExpression("m" + row).lower(-bias[row]);
          for (int k = 0; k < length; k++) {
            constraint.set(coordinates[k], phi[row * length + k]);
          }
          constraint.set(slack, 1);
          added++;
        }
      }
    }
    return added;
  }

  private static double slackOf(Variable slack) {
    return slack.getValue() == null ? 0 : slack.getValue().doubleValue();
  }
}
