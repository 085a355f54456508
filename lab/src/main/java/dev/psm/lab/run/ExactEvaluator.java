package dev.psm.lab.run;

import dev.psm.agents.Trainer;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GoalOracle;
import dev.psm.core.stats.Summary;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Grades agents of a world whose exact solutions are known: during training by the errors of
 * quickly solved goals, after the last step by a whole {@link FiniteGrade}, which is kept beside
 * the model.
 */
final class ExactEvaluator implements Evaluator {
  private final RunDescription run;
  private final FiniteWorld world;
  private final GoalOracle oracle;

  ExactEvaluator(RunDescription run, FiniteWorld world) {
    this.run = run;
    this.world = world;
    this.oracle = world.goalOracle();
  }

  @Override
  public Grade grade() {
    return Grade.ERRORS;
  }

  @Override
  public Optional<Map<String, Double>> evaluate(
      Trainer trainer, long seed, Path folder, BooleanSupplier stop) {
    if (stop.getAsBoolean()) {
      return Optional.empty();
    }
    Map<String, Double> errors = new LinkedHashMap<>();
    try (FiniteModel model = (FiniteModel) trainer.model(seed)) {
      save(model, trainer, seed, folder);
      if (trainer.stepsDone() < run.gradientSteps()) {
        int[] goals = Goals.all(world);
        double[][][] q = model.quickActionValues(Goals.rewards(goals, world));
        errors.put(grade().headline(), Summary.of(Goals.errors(oracle, goals, q)).mean());
      } else {
        FiniteGrade found = FiniteGrade.of(model, world, oracle, run.discount(), seed);
        found.write(folder);
        errors.put(grade().headline(), found.meanGoalError());
        errors.put("rewards", found.meanValueLoss());
      }
    }
    return Optional.of(errors);
  }

  @Override
  public void saveModel(Trainer trainer, long seed, Path folder) {
    try (FiniteModel model = (FiniteModel) trainer.model(seed)) {
      save(model, trainer, seed, folder);
    }
  }

  private void save(FiniteModel model, Trainer trainer, long seed, Path folder) {
    ZeroShotAgent agent =
        new ZeroShotAgent(run.agent().id(), model, world, InferenceSample.everyState(world));
    run.save(agent, trainer.stepsDone(), seed, folder);
  }
}
