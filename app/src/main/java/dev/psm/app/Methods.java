package dev.psm.app;

import dev.psm.agents.affine.AffineModel;
import dev.psm.agents.affine.SolveMethod;
import dev.psm.core.UserError;
import dev.psm.lab.ModelFolder;
import java.util.Locale;

/** The choice of solver, which only PSM has. */
final class Methods {
  private Methods() {}

  static SolveMethod of(ModelFolder.Loaded loaded, String name) {
    if (!(loaded.model() instanceof AffineModel model)) {
      if (name != null) {
        throw UserError.invalid(
            "--method: only psm has a choice of methods, this model is %s", loaded.agent().id());
      }
      return null;
    }
    if (name == null) {
      return model.settings().solve();
    }
    for (SolveMethod method : SolveMethod.values()) {
      if (method.name().toLowerCase(Locale.ROOT).equals(name)) {
        return method;
      }
    }
    throw UserError.invalid("--method: expected dual, lp, best or gpi, found '%s'", name);
  }

  static double[][][] actionValues(
      ModelFolder.Loaded loaded, double[][] rewards, SolveMethod method) {
    return loaded.model() instanceof AffineModel model
        ? model.actionValues(rewards, method)
        : loaded.model().actionValues(rewards);
  }
}
