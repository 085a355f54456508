package dev.psm.app;

import dev.psm.agents.affine.AffineModel;
import dev.psm.agents.affine.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Locale;

/** The choice of solver, which only PSM has. */
final class Methods {
  private Methods() {}

  /** Null for an agent without a choice. */
  static SolveMethod of(ZeroShotAgent agent, String name) {
    if (!(agent.model() instanceof AffineModel model)) {
      if (name != null) {
        throw UserError.invalid(
            "--method: only psm has a choice of methods, this model is %s", agent.name());
      }
      return null;
    }
    if (name == null) {
      return model.shape().solve();
    }
    for (SolveMethod method : SolveMethod.values()) {
      if (id(method).equals(name)) {
        return method;
      }
    }
    throw UserError.invalid("--method: expected dual, lp, best or gpi, found '%s'", name);
  }

  /** As a user types it. */
  static String id(SolveMethod method) {
    return method.name().toLowerCase(Locale.ROOT);
  }

  /** The agent's title, with the method where it has one. */
  static String title(ZeroShotAgent agent, SolveMethod method) {
    return agent.title() + (method == null ? "" : " (" + id(method) + ")");
  }

  static double[][][] actionValues(ZeroShotAgent agent, double[][] rewards, SolveMethod method) {
    return agent.model() instanceof AffineModel model
        ? model.actionValues(rewards, method)
        : ((FiniteModel) agent.model()).actionValues(rewards);
  }
}
