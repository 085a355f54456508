package dev.psm.lab.collect;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import java.util.Optional;

/**
 * Stored observations, held against those of the stored states. Agents learn from the observations
 * and rewards are measured in the states, so where the two disagree an agent is asked for rewards
 * of states that it never saw.
 *
 * @param states how many were compared
 * @param wrong how many of them are observed otherwise than stored
 * @param largest difference, as a share of the number's size where that is above 1
 * @param row where the largest difference is, at the observation's number {@code number}
 * @param stored what is stored there, and {@code observed} what the state shows
 */
public record StoredObservations(
    int states, int wrong, double largest, long row, int number, float stored, double observed) {

  /**
   * Well above what single precision rounds to, also where the states themselves came in it and an
   * angle has grown over many turns.
   */
  private static final double TOLERANCE = 1e-4;

  private static final int BLOCK = 1 << 15;

  /** Compares states from all over the dataset; none where a world does not tell. */
  public static StoredObservations compare(Dataset dataset, StoredStates states) {
    int size = states.world().observationSize();
    if (dataset.columns().observation() != size) {
      throw UserError.invalid(
          "the dataset holds %d numbers of observation per state, but %s has %d",
          dataset.columns().observation(), states.world().name(), size);
    }
    float[] stored = new float[size];
    StoredObservations found = new StoredObservations(0, 0, 0, -1, -1, 0, 0);
    for (int first = 0; first < states.samples(); first += BLOCK) {
      int count = Math.min(BLOCK, states.samples() - first);
      Optional<double[]> recalled = states.observations(first, count);
      if (recalled.isEmpty()) {
        return found;
      }
      double[] observed = recalled.get();
      for (int i = 0; i < count; i++) {
        long row = states.row(first + i);
        dataset.observations(row, 1, stored, 0);
        found = found.with(row, stored, observed, i * size);
      }
    }
    return found;
  }

  private StoredObservations with(long sampleRow, float[] numbers, double[] expected, int at) {
    int worst = -1;
    double difference = largest;
    boolean differs = false;
    for (int i = 0; i < numbers.length; i++) {
      double far =
          Math.abs(numbers[i] - expected[at + i]) / Math.max(1, Math.abs(expected[at + i]));
      differs |= far > TOLERANCE;
      if (far > difference) {
        worst = i;
        difference = far;
      }
    }
    int wrongNow = wrong + (differs ? 1 : 0);
    return worst < 0
        ? new StoredObservations(states + 1, wrongNow, largest, row, number, stored, observed)
        : new StoredObservations(
            states + 1,
            wrongNow,
            difference,
            sampleRow,
            worst,
            numbers[worst],
            expected[at + worst]);
  }

  /** What is wrong with them; empty where nothing is. */
  public Optional<String> problem() {
    return wrong == 0
        ? Optional.empty()
        : Optional.of(
            Wording.format(
                "%d of %s are observed otherwise than stored, worst in column 'observation', row"
                    + " %d: number %d holds %s, but the physics of that row shows %s; one of the"
                    + " two columns was changed or is of other rows: collect or import the data"
                    + " again",
                wrong,
                Wording.count(states, "compared state"),
                row,
                number,
                stored,
                (float) observed));
  }
}
