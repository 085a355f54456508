package dev.psm.app;

import dev.psm.agents.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.List;

/** The choice of solver, which only affine PSM has. */
final class Methods {
  static final String HELP =
      "How PSM solves where actions are numbered: dual, best or gpi, where states are few and known also lp"
          + " (default: the preset's).";

  private Methods() {}

  /** Null for an agent without a choice. */
  static SolveMethod of(ZeroShotAgent agent, String name) {
    List<SolveMethod> methods = agent.model().methods();
    if (methods.isEmpty()) {
      if (name != null) {
        throw UserError.invalid(
            "--method: only psm has a choice of methods, and only where actions are numbered; this"
                + " model is %s on %s",
            agent.name(), agent.environment().name());
      }
      return null;
    }
    if (name == null) {
      return methods.get(0);
    }
    return methods.stream()
        .filter(method -> method.id().equals(name))
        .findFirst()
        .orElseThrow(
            () -> UserError.invalid("--method: expected %s, found '%s'", words(methods), name));
  }

  /** Such as {@code dual, lp or gpi}. */
  private static String words(List<SolveMethod> methods) {
    List<String> ids = methods.stream().sorted().map(SolveMethod::id).toList();
    return String.join(", ", ids.subList(0, ids.size() - 1)) + " or " + ids.get(ids.size() - 1);
  }

  /** The agent by that method; itself where it has no choice. */
  static ZeroShotAgent by(SolveMethod method, ZeroShotAgent agent) {
    return method == null ? agent : agent.solvingBy(method);
  }

  /** The agent's title, with the method where it has one. */
  static String title(ZeroShotAgent agent, SolveMethod method) {
    return agent.title() + in(method);
  }

  /** Such as {@code (gpi)}; empty for an agent without a choice. */
  static String in(SolveMethod method) {
    return method == null ? "" : " (" + method.id() + ")";
  }

  static double[][][] actionValues(ZeroShotAgent agent, double[][] rewards, SolveMethod method) {
    return ((FiniteModel) by(method, agent).model()).actionValues(rewards);
  }
}
