package dev.psm.lab.control;

import dev.psm.agents.control.ControlTrainer;
import dev.psm.core.data.Dataset;
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

  /**
   * Lets a seed's agent play all tasks, then writes its model.
   *
   * @param stop whether to leave off
   * @return the mean return over episodes of every task, by the task's name; empty where it left
   *     off, and then nothing was written
   */
  Optional<Map<String, Double>> evaluate(
      ControlTrainer trainer, long seed, Path folder, BooleanSupplier stop);

  /**
   * Writes the model of a seed into its folder. Whoever reads it can tell when a kill came in
   * between its files, and refuses them.
   */
  void saveModel(ControlTrainer trainer, long seed, Path folder);

  @Override
  default void close() {}

  /** Finds nothing out and keeps nothing. */
  Evaluator NONE =
      new Evaluator() {
        @Override
        public Optional<Map<String, Double>> evaluate(
            ControlTrainer trainer, long seed, Path folder, BooleanSupplier stop) {
          return Optional.of(Map.of());
        }

        @Override
        public void saveModel(ControlTrainer trainer, long seed, Path folder) {}
      };

  /** Prepares the evaluator of a run. */
  @FunctionalInterface
  interface Factory {
    Evaluator open(RunDescription run, Dataset data);
  }
}
