package dev.psm.lab.run;

import dev.psm.agents.Agent;
import dev.psm.core.env.GridWorld;
import java.nio.file.Path;

/**
 * A finished run of one agent on one map at one seed.
 *
 * @param folder of the run
 * @param grade against the shortest paths to every goal, and against value iteration on rewards
 *     that are not goals
 */
public record GridResult(
    GridWorld world,
    Agent agent,
    String preset,
    long seed,
    Path folder,
    FiniteGrade grade,
    LearningCurve curve) {

  static GridResult read(RunDescription run, Path folder) {
    long seed = run.seeds().get(0);
    Path seedFolder = new RunFolder(folder).seed(seed);
    return new GridResult(
        (GridWorld) run.world(),
        run.agent(),
        run.preset(),
        seed,
        folder,
        FiniteGrade.read(seedFolder),
        LearningCurve.read(seedFolder));
  }

  /** Of training. */
  double seconds() {
    return curve.last().seconds();
  }

  String map() {
    return world.name();
  }
}
