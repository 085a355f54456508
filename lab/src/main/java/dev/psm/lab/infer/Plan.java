package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.lab.pass.Packed;

/**
 * What all parts of a pass share, found out from the {@link Pilot}'s sample. The pilot's offsets,
 * scales and weights do not decide the task vectors: sums are taken less the pilot's offset and
 * scale, so that nothing cancels, and what is true of all the data takes their place at the end.
 * The standard errors are those at the pilot's weights.
 *
 * @param offsets 0.4 quantiles of the rewards in the sample
 * @param scales about the largest reward less its offset
 * @param low below the offset of all the data, and {@code high} above it, but for a chance of one
 *     in a million; the same where the sample is all there is
 * @param slopes by how much the quantile rises with its share, in the rewards' units
 * @param weights what rewards fit: rewards × d; zeros where that is not asked for
 * @param directions of the task vectors, of length 1: rewards × d
 * @param meanFeatures d
 * @param inverse E[φφᵀ]⁺: d × d; empty where it is not asked for
 * @param whole whether the sample is all there is, and its offsets those of all the data
 */
@SuppressWarnings("ArrayRecordComponent")
record Plan(
    double[] offsets,
    double[] scales,
    double[] low,
    double[] high,
    double[] slopes,
    double[] weights,
    double[] directions,
    double[] meanFeatures,
    double[] inverse,
    boolean whole) {

  ObjectNode toJson() {
    ObjectNode node = Json.object();
    Packed.put(node, "offsets", offsets);
    Packed.put(node, "scales", scales);
    Packed.put(node, "low", low);
    Packed.put(node, "high", high);
    Packed.put(node, "slopes", slopes);
    Packed.put(node, "weights", weights);
    Packed.put(node, "directions", directions);
    Packed.put(node, "meanFeatures", meanFeatures);
    Packed.put(node, "inverse", inverse);
    return node.put("whole", whole);
  }

  static Plan of(ObjectNode node) {
    return new Plan(
        Packed.doubles(node, "offsets"),
        Packed.doubles(node, "scales"),
        Packed.doubles(node, "low"),
        Packed.doubles(node, "high"),
        Packed.doubles(node, "slopes"),
        Packed.doubles(node, "weights"),
        Packed.doubles(node, "directions"),
        Packed.doubles(node, "meanFeatures"),
        Packed.doubles(node, "inverse"),
        node.path("whole").asBoolean());
  }

  /** Whether rewards are fitted in features that are not orthonormal. */
  boolean isLeastSquares() {
    return inverse.length > 0;
  }

  int featureDimension() {
    return meanFeatures.length;
  }
}
