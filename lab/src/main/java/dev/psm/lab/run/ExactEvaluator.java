package dev.psm.lab.run;

import dev.psm.agents.Trainer;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.stats.Summary;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Grades agents of a world whose exact solutions are known, by the quick way of solving: during
 * training on goals, after the last step also on other rewards, which is kept beside the model.
 */
final class ExactEvaluator implements Evaluator {
  private final RunDescription run;
  private final FiniteWorld world;
  private final InferenceSample states;

  ExactEvaluator(RunDescription run, FiniteWorld world) {
    this.run = run;
    this.world = world;
    this.states = InferenceSample.everyState(world);
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
    int[] goals = Goals.all(world);
    Map<String, Double> errors = new LinkedHashMap<>();
    try (FiniteModel model = (FiniteModel) trainer.model(seed)) {
      if (trainer.stepsDone() < run.gradientSteps()) {
        double[][][] q = model.quickActionValues(Goals.rewards(goals, world));
        double[] wrong = Goals.errors(world.goalOracle(run.discount()), goals, q);
        errors.put(grade().headline(), Summary.of(wrong).mean());
      } else {
        FiniteGrade found = FiniteGrade.of(model::quickActionValues, world, run.discount(), goals);
        found.write(folder);
        errors.put(grade().headline(), found.meanGoalError());
        errors.put(Grade.REWARDS, found.meanValueLoss());
      }
      save(model, trainer, seed, folder);
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
    ZeroShotAgent agent = new ZeroShotAgent(run.agent().id(), model, world, states);
    run.save(agent, trainer.stepsDone(), seed, folder);
  }
}
