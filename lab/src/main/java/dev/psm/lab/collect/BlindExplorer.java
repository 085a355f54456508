package dev.psm.lab.collect;

import dev.psm.core.Seeds;
import dev.psm.core.data.Episode;
import dev.psm.core.io.TensorData;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Draws actions without looking at states, and learns nothing. */
abstract class BlindExplorer implements Explorer {
  private final long seed;
  private long calls;

  BlindExplorer(long seed) {
    this.seed = seed;
  }

  /** How often actions have been drawn. */
  final long calls() {
    return calls;
  }

  /** A stream per call: then a count is all there is to save between rounds. */
  final RandomGenerator nextStream() {
    return Seeds.generator(Seeds.mix(seed, calls++, "exploration"));
  }

  @Override
  public final void remember(Episode episode) {}

  @Override
  public final Map<String, TensorData> state() {
    return Map.of("calls", TensorData.of(new long[] {calls}, 1));
  }

  @Override
  public final void restore(Map<String, TensorData> state, String file) {
    calls = state.get("calls").longs()[0];
  }

  @Override
  public final Map<String, Double> metrics() {
    return Map.of();
  }
}
