package dev.psm.lab.run;

import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.core.env.FiniteWorld;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds out what a seed's agent is worth, and keeps it for use. What it finds must depend on
 * nothing but what was learned, the seed and the run's description: an interrupted evaluation is
 * held again.
 */
public interface Evaluator extends AutoCloseable {
  /** What it finds out. */
  Grade grade();

  /**
   * Evaluates a seed's agent, then writes its model.
   *
   * @param stop whether to leave off
   * @return by name; empty where it left off, and then nothing was written
   */
  Optional<Map<String, Double>> evaluate(
      Trainer trainer, long seed, Path folder, BooleanSupplier stop);

  /**
   * Writes the model of a seed into its folder. Whoever reads it can tell when a kill came in
   * between its files, and refuses them.
   */
  void saveModel(Trainer trainer, long seed, Path folder);

  @Override
  default void close() {}

  /** The evaluator of a run: exact where the world's solutions are known, else by playing. */
  static Evaluator of(RunDescription run, TrainingData data) {
    return data.world() instanceof FiniteWorld world
        ? new ExactEvaluator(run, world)
        : new EpisodeEvaluator(run, data);
  }

  /** Finds nothing out and keeps nothing. */
  Evaluator NONE =
      new Evaluator() {
        @Override
        public Grade grade() {
          return Grade.RETURNS;
        }

        @Override
        public Optional<Map<String, Double>> evaluate(
            Trainer trainer, long seed, Path folder, BooleanSupplier stop) {
          return Optional.of(Map.of());
        }

        @Override
        public void saveModel(Trainer trainer, long seed, Path folder) {}
      };

  /** Prepares the evaluator of a run. */
  @FunctionalInterface
  interface Factory {
    Evaluator open(RunDescription run, TrainingData data);
  }
}
