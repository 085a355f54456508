package dev.psm.lab.run;

import dev.psm.agents.Model;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.env.World;
import dev.psm.lab.Progress;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Lets every seed's agent play, and keeps it as a {@link ZeroShotAgent}: all tasks of its world, or
 * goals where episodes draw them and the agent takes such. All agents start in the same places.
 */
public final class EpisodeEvaluator implements Evaluator {
  /** Draws the starts of every evaluation. */
  public static final long START_SEED = 0;

  private final RunDescription run;
  private final World world;
  private final Grade grade;
  private final boolean played;
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final Map<Long, InferenceSample> samples = new LinkedHashMap<>();

  /** Draws what the agents will need, so that a missing engine is found before any training. */
  EpisodeEvaluator(RunDescription run, TrainingData data) {
    this.run = run;
    this.world = data.world();
    Dataset dataset = ((TrainingData.Recorded) data).dataset();
    this.grade = Grade.of(run.agent(), world);
    this.played =
        !(world instanceof StoredWorld)
            && (grade == Grade.GOALS
                || (dataset.columns().physics() > 0 && !world.tasks().isEmpty()));
    for (long seed : run.seeds()) {
      samples.put(
          seed, InferenceSample.draw(dataset, world, InferenceSample.DEFAULT_SIZE, seed, threads));
    }
  }

  @Override
  public Grade grade() {
    return grade;
  }

  /**
   * Data without physics cannot be labelled, a world without tasks asks for nothing, and one
   * without environments cannot be played: nothing is found out then. Goals are read from the
   * episodes and need no labels.
   */
  @Override
  public Optional<Map<String, Double>> evaluate(
      Trainer trainer, long seed, Path folder, BooleanSupplier stop) {
    try (Model model = trainer.model(seed)) {
      ZeroShotAgent agent = agent(model, seed);
      Optional<Map<String, Double>> found =
          !played
              ? Optional.of(Collections.emptyMap())
              : grade == Grade.GOALS ? reach(agent, stop) : play(agent, stop);
      if (found.isPresent()) {
        run.save(agent, trainer.stepsDone(), seed, folder);
      }
      return found;
    }
  }

  private Optional<Map<String, Double>> reach(ZeroShotAgent agent, BooleanSupplier stop) {
    return GoalEvaluation.run(
            agent, run.cadence().episodes(), START_SEED, threads, Progress.SILENT, stop)
        .map(GoalEvaluation::summary);
  }

  private Optional<Map<String, Double>> play(ZeroShotAgent agent, BooleanSupplier stop) {
    return Evaluation.run(
            agent,
            world.tasks(),
            run.cadence().episodes(),
            START_SEED,
            threads,
            Progress.SILENT,
            stop)
        .map(
            evaluation -> {
              Map<String, Double> returns = new LinkedHashMap<>();
              evaluation
                  .returns()
                  .keySet()
                  .forEach(task -> returns.put(task, evaluation.mean(task)));
              returns.put(grade().headline(), evaluation.average());
              returns.putAll(evaluation.milestoneMetrics());
              return returns;
            });
  }

  @Override
  public void saveModel(Trainer trainer, long seed, Path folder) {
    try (Model model = trainer.model(seed)) {
      run.save(agent(model, seed), trainer.stepsDone(), seed, folder);
    }
  }

  private ZeroShotAgent agent(Model model, long seed) {
    return new ZeroShotAgent(run.agent().id(), model, world, samples.get(seed));
  }
}
