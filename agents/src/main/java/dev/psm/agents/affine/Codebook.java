package dev.psm.agents.affine;

import dev.psm.core.Seeds;
import java.util.random.RandomGenerator;

/**
 * A discrete codebook of policies (the paper's equation 8): code z and a hash of the state name one
 * row of a table of random actions, π_z(s) = T[z + hash(s)], which stands for uniform sampling of
 * deterministic policies.
 */
public final class Codebook {
  /** Codes are integers of this many bits. */
  public static final int CODE_BITS = 16;

  public static final int CODE_COUNT = 1 << CODE_BITS;

  /** Hashes fall in [0, HASH_RANGE), so that no modulus is needed. */
  static final int HASH_RANGE = 20_000;

  private final int[] table;
  private final int[] hash;

  /** The same seed always gives the same policies. */
  public Codebook(int stateCount, int actionCount, long seed) {
    // Past the published range the table grows with the map instead of letting two states share
    // every policy.
    int range = Math.max(HASH_RANGE, 2 * stateCount);
    RandomGenerator random = Seeds.generator(seed ^ 0x9E3779B97F4A7C15L);
    table = random.ints(CODE_COUNT + (long) range, 0, actionCount).toArray();
    hash = distinct(stateCount, range, random);
  }

  /** A uniformly random choice of distinct values: a partial Fisher-Yates shuffle. */
  private static int[] distinct(int count, int range, RandomGenerator random) {
    int[] values = new int[range];
    for (int i = 0; i < range; i++) {
      values[i] = i;
    }
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) {
      int j = i + random.nextInt(range - i);
      chosen[i] = values[j];
      values[j] = values[i];
    }
    return chosen;
  }

  public int action(int code, int state) {
    return table[code + hash[state]];
  }

  int hash(int state) {
    return hash[state];
  }

  /** π_z as one action per state. */
  public int[] policy(int code) {
    int[] actions = new int[hash.length];
    for (int state = 0; state < actions.length; state++) {
      actions[state] = action(code, state);
    }
    return actions;
  }

  /** The code's bits, least significant first, as the input of the coordinate network. */
  static void bits(int code, float[] into, int offset) {
    for (int bit = 0; bit < CODE_BITS; bit++) {
      into[offset + bit] = bit(code, bit);
    }
  }

  static int bit(int code, int bit) {
    return (code >> bit) & 1;
  }
}
