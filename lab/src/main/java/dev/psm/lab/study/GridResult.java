package dev.psm.lab.study;

import dev.psm.agents.Agent;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.GridWorld;
import dev.psm.core.stats.Summary;
import dev.psm.lab.run.FiniteGrade;
import dev.psm.lab.run.Goals;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.RunFolder;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.Arrays;

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
  private static final int SAMPLED_GOALS = 10;

  static GridResult read(RunDescription run, Path folder) {
    long seed = run.seeds().get(0);
    RunFolder found = new RunFolder(folder);
    LearningCurve curve = found.curve(seed).orElseThrow();
    return new GridResult(
        (GridWorld) run.world(),
        run.agent(),
        run.preset(),
        seed,
        folder,
        grade(run, found.seed(seed)),
        curve);
  }

  /** As the run left it; where that is gone or damaged, from the model again. */
  private static FiniteGrade grade(RunDescription run, Path seedFolder) {
    GridWorld world = (GridWorld) run.world();
    return FiniteGrade.read(seedFolder, world)
        .orElseGet(
            () -> {
              try (ZeroShotAgent agent = ZeroShotAgent.read(seedFolder)) {
                FiniteModel model = (FiniteModel) agent.model();
                FiniteGrade again =
                    FiniteGrade.of(
                        model::quickActionValues, world, run.discount(), Goals.all(world));
                again.write(seedFolder);
                return again;
              }
            });
  }

  /** Errors of ten goals drawn by the seed, as the paper draws them. */
  double[] sampledErrors() {
    return Arrays.stream(Goals.random(world, SAMPLED_GOALS, seed))
        .mapToDouble(goal -> grade.goalErrors()[goal])
        .toArray();
  }

  double meanSampledError() {
    return Summary.of(sampledErrors()).mean();
  }

  /** Of training. */
  double seconds() {
    return curve.last().seconds();
  }

  String map() {
    return world.name();
  }
}
