package dev.psm.lab.control;

import dev.psm.agents.control.ControlTrainer;
import dev.psm.core.data.Dataset;
import java.nio.file.Path;
import java.util.Map;

/**
 * Finds out what a seed's agent is worth, and keeps it for use. What it finds must depend on
 * nothing but what was learned, the seed and the run's description: an interrupted examination is
 * held again.
 */
public interface Examiner extends AutoCloseable {

  /** The mean return over episodes of every task, by the task's name. */
  Map<String, Double> returns(ControlTrainer trainer, long seed);

  /** Writes the model of a seed into its folder, whole or not at all. */
  void saveModel(ControlTrainer trainer, long seed, Path folder);

  @Override
  default void close() {}

  /** Finds nothing out and keeps nothing. */
  Examiner NONE =
      new Examiner() {
        @Override
        public Map<String, Double> returns(ControlTrainer trainer, long seed) {
          return Map.of();
        }

        @Override
        public void saveModel(ControlTrainer trainer, long seed, Path folder) {}
      };

  /** Prepares the examiner of a run. */
  @FunctionalInterface
  interface Factory {
    Examiner open(RunDescription run, Dataset data);
  }
}
