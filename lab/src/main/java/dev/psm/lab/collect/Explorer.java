package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.data.Episode;
import dev.psm.core.io.TensorData;
import java.util.Map;

/** What chooses the actions of a collection. */
interface Explorer {
  String name();

  /** Its settings, for the manifest; a collection goes on only under the same ones. */
  ObjectNode settings();

  /** One action per environment, row by row. */
  float[] act(float[] observations, int count);

  /** Learns as much as the steps since the last call call for. */
  void learn();

  /** Takes an episode as experience; also how a resumed collection gives back what it stored. */
  void remember(Episode episode);

  /** Everything that {@link #restore} needs besides the episodes. */
  Map<String, TensorData> state();

  void restore(Map<String, TensorData> state, String file);

  /** The newest figures of learning; empty for one that does not learn. */
  Map<String, Double> metrics();
}
