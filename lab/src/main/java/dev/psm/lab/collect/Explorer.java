package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.data.Episode;
import dev.psm.core.io.TensorData;
import java.util.Map;

/** What chooses the actions of a collection. */
interface Explorer extends AutoCloseable {
  String name();

  /** Its settings, for the manifest; a collection goes on only under the same ones. */
  ObjectNode settings();

  /** One action per environment, row by row; learns as much as the steps so far call for. */
  float[] act(float[] observations, int count);

  /**
   * Whether rounds go at the pace of those to come; false while one that learns has nothing yet.
   */
  default boolean isLearning() {
    return true;
  }

  /** Takes an episode as experience; also how a resumed collection gives back what it stored. */
  void remember(Episode episode);

  /** Everything that {@link #restore} needs besides the episodes. */
  Map<String, TensorData> state();

  void restore(Map<String, TensorData> state, String file);

  /**
   * The newest figures of learning; empty for one that does not learn. On a GPU this waits for all
   * that was started, so it is not for every step.
   */
  Map<String, Double> metrics();

  @Override
  default void close() {}
}
