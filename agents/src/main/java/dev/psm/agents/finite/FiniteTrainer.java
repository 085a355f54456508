package dev.psm.agents.finite;

import dev.psm.core.io.TensorData;
import java.util.Map;

/** Learns a model of one seed from a transition table, one gradient step at a time. */
public interface FiniteTrainer extends AutoCloseable {

  /** One gradient step on everything this agent learns. */
  void step();

  long stepsDone();

  /** The numbers worth watching, by name; each is explained on the algorithm's page. */
  Map<String, Double> metrics();

  /** What is learned by now; further steps may change it. */
  FiniteModel model();

  /** Everything that it needs to go on, but for the number of steps. */
  Map<String, TensorData> checkpoint();

  /** Takes back a {@link #checkpoint} that was made after so many steps. */
  void restore(long steps, Map<String, TensorData> tensors, String fileName);

  /** Whether nothing of a {@link #checkpoint} is a NaN or an infinity. */
  boolean isFinite();

  /** Frees everything, the model too. */
  @Override
  void close();
}
