package dev.psm.agents;

import java.util.Map;

/** Learns a model from reward-free data, one gradient step at a time. */
public interface FiniteTrainer extends AutoCloseable {

  /** One gradient step on everything this agent learns. */
  void step();

  /** Waits until all steps that were asked for are done; a clock read before that lies. */
  default void synchronise() {}

  int stepsDone();

  int gradientSteps();

  /** The numbers worth watching, by name; each is explained on the algorithm's page. */
  Map<String, Double> metrics();

  /**
   * Action values for watching progress: like {@link FiniteModel#actionValues}, by a way of solving
   * that is quick enough to repeat during training.
   */
  default double[][][] watchedActionValues(double[][] rewards) {
    return model().actionValues(rewards);
  }

  FiniteModel model();

  /** Frees what training alone needed. */
  @Override
  default void close() {}
}
