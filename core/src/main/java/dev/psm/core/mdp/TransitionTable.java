package dev.psm.core.mdp;

import dev.psm.core.io.Hashes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Uniform reward-free data of a finite environment: the agent is spawned in a uniformly random
 * state and takes a uniformly random action. Because every pair is equally likely, the whole table
 * is the infinite-data limit of such a dataset; it can be sampled, as the paper does, or used
 * whole, as an exact expectation.
 *
 * @param mdp the dynamics that produced the data
 * @param observations what the agent sees in each state, one row per state
 */
public record TransitionTable(FiniteMdp mdp, float[][] observations) {

  public TransitionTable {
    if (observations.length != mdp.stateCount()) {
      throw new IllegalArgumentException(
          observations.length + " observations for " + mdp.stateCount() + " states");
    }
  }

  public int stateCount() {
    return mdp.stateCount();
  }

  public int actionCount() {
    return mdp.actionCount();
  }

  public int pairCount() {
    return mdp.pairCount();
  }

  /**
   * ρ, the distribution of the state entered. On a grid it is uniform, since bumping into a wall
   * makes up for the neighbour that is missing there; in general it is not.
   */
  public double[] nextStateDistribution() {
    double[] rho = new double[stateCount()];
    for (int pair = 0; pair < pairCount(); pair++) {
      for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
        rho[mdp.successor(entry)] += mdp.probability(entry) / pairCount();
      }
    }
    return rho;
  }

  /** A uniformly random state-action pair. */
  public int samplePair(RandomGenerator random) {
    return random.nextInt(pairCount());
  }

  /** The state entered from a pair. */
  public int sampleNext(int pair, RandomGenerator random) {
    int last = mdp.rowEnd(pair) - 1;
    if (last == mdp.rowStart(pair)) {
      return mdp.successor(last);
    }
    double u = random.nextDouble();
    for (int entry = mdp.rowStart(pair); entry < last; entry++) {
      u -= mdp.probability(entry);
      if (u < 0) {
        return mdp.successor(entry);
      }
    }
    return mdp.successor(last);
  }

  /** P as a dense matrix, one row per pair. */
  public double[][] transitionMatrix() {
    double[][] matrix = new double[pairCount()][stateCount()];
    for (int pair = 0; pair < pairCount(); pair++) {
      for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
        matrix[pair][mdp.successor(entry)] = mdp.probability(entry);
      }
    }
    return matrix;
  }

  /** Of everything that can be learned from it, in hex. */
  public String fingerprint() {
    ByteBuffer bytes =
        ByteBuffer.allocate(
            Integer.BYTES * (2 + pairCount())
                + (Integer.BYTES + Double.BYTES) * mdp.entryCount()
                + Float.BYTES * stateCount() * observations[0].length);
    bytes.putInt(stateCount()).putInt(actionCount());
    for (int pair = 0; pair < pairCount(); pair++) {
      bytes.putInt(mdp.rowEnd(pair) - mdp.rowStart(pair));
      for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
        bytes.putInt(mdp.successor(entry)).putDouble(mdp.probability(entry));
      }
    }
    for (float number : flatObservations()) {
      bytes.putFloat(number);
    }
    return Hashes.sha256(bytes.array());
  }

  /** Observations as one row-major array. */
  public float[] flatObservations() {
    int width = observations[0].length;
    float[] flat = new float[observations.length * width];
    for (int state = 0; state < observations.length; state++) {
      System.arraycopy(observations[state], 0, flat, state * width, width);
    }
    return flat;
  }

  /** The same data seen as one-hot vectors: no geometry is given away, as with tables. */
  public TransitionTable withOneHotObservations() {
    float[][] oneHot = new float[stateCount()][stateCount()];
    for (int state = 0; state < stateCount(); state++) {
      Arrays.fill(oneHot[state], 0);
      oneHot[state][state] = 1;
    }
    return new TransitionTable(mdp, oneHot);
  }
}
