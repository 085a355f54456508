package dev.psm.bench;

import dev.psm.core.UserError;
import java.util.List;

/**
 * How large the networks and batches are.
 *
 * @param preset of every agent
 * @param changes to the preset
 * @param warmUpSteps of psm before all rounds: steps are hundreds of Java calls, which are slow
 *     until they have been compiled
 */
record TrainingSize(
    String id, String preset, List<String> changes, int stepsPerRound, int warmUpSteps) {
  static final TrainingSize PAPER = new TrainingSize("paper", "paper", List.of(), 2, 0);
  static final TrainingSize SMALL = new TrainingSize("small", "small", List.of(), 30, 600);

  /** Measures little, but shows in seconds that all parts work. */
  static final TrainingSize TINY =
      new TrainingSize(
          "tiny",
          "small",
          List.of("batchSize=16", "featureDimension=8", "width=16", "featureWidth=16"),
          3,
          0);

  static TrainingSize named(String id) {
    List<TrainingSize> all = List.of(PAPER, SMALL, TINY);
    return all.stream()
        .filter(size -> size.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "'%s' is no size; there are %s",
                    id, all.stream().map(TrainingSize::id).toList()));
  }
}
