package dev.psm.studio.theory;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.mdp.ExactSolver;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.FlowBasis;
import dev.psm.core.mdp.Programme;
import dev.psm.core.mdp.ToyMdp;
import dev.psm.studio.web.Bodies;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.file.Path;
import java.util.List;

/**
 * Solves the paper's two-state example exactly: the set of its visitations and the best of them for
 * a reward on pairs.
 */
public final class ToyApi {
  private static final Path REQUEST = Path.of("request");
  private static final double MAX_DISCOUNT = 0.999;

  /** Larger rewards mean nothing more. */
  private static final double MAX_REWARD = 1e6;

  public void routes(RoutesConfig routes) {
    routes.post("/api/toy", this::solve);
  }

  private void solve(Context request) {
    JsonField root = JsonField.of(REQUEST, Bodies.object(request));
    double discount = between(root.get("discount"), 0, MAX_DISCOUNT);
    double start = between(root.get("start"), 0, 1);
    double[] reward = root.get("reward").numbers(4);
    root.get("reward").elements().forEach(each -> between(each, -MAX_REWARD, MAX_REWARD));
    FiniteMdp toy = ToyMdp.of(discount, start, 1 - start);
    FlowBasis basis = FlowBasis.of(toy);
    ObjectNode answer = Json.object();
    ArrayNode corners = answer.putArray("corners");
    for (ToyMdp.Corner corner : ToyMdp.corners(toy)) {
      ObjectNode node = corners.addObject();
      double[] w = {corner.w1(), corner.w2()};
      numbers(node.putArray("w"), w);
      numbers(node.putArray("d"), basis.visitation(w));
      ArrayNode policies = node.putArray("policies");
      for (List<Integer> policy : corner.policies()) {
        ArrayNode actions = policies.addArray();
        policy.forEach(actions::add);
      }
    }
    ArrayNode columns = answer.putArray("basis");
    for (int j = 0; j < basis.dimension(); j++) {
      numbers(columns.addArray(), basis.column(j));
    }
    numbers(answer.putArray("bias"), basis.bias());
    ExactSolver.Solution solution = ExactSolver.solve(toy, reward, Programme.W);
    ObjectNode best = answer.putObject("best");
    best.put("optimum", solution.optimum());
    numbers(best.putArray("w"), solution.coordinates());
    numbers(best.putArray("d"), solution.visitation());
    ArrayNode policy = best.putArray("policy");
    for (int state = 0; state < 2; state++) {
      numbers(
          policy.addArray(),
          new double[] {
            solution.policy().probability(state, 0), solution.policy().probability(state, 1)
          });
    }
    Bodies.answer(request, answer);
  }

  private static double between(JsonField field, double low, double high) {
    double value = field.number();
    if (value < low || value > high) {
      throw field.error(
          "expected a number from %s to %s, found %s".formatted(low, high, field.shown()));
    }
    return value;
  }

  private static void numbers(ArrayNode array, double[] values) {
    for (double value : values) {
      array.add(value);
    }
  }
}
