package dev.psm.agents.affine;

import dev.psm.core.Seeds;
import dev.psm.core.mdp.TransitionTable;
import java.util.random.RandomGenerator;

/** Draws what gradient steps take, whatever is learned meanwhile. */
final class StepSource {
  private final TransitionTable data;
  private final Codebook codebook;
  private final long seed;

  StepSource(TransitionTable data, Codebook codebook, long seed) {
    this.data = data;
    this.codebook = codebook;
    this.seed = seed;
  }

  /** Writes a step's inputs, which depend on nothing but the seed and the step. */
  void draw(long step, AffineInputs.Layout layout, long[] into, int start) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, step, "gradient step"));
    int[] codes = random.ints(layout.codes(), 0, Codebook.CODE_COUNT).toArray();
    write(layout, codes, random, into, start);
  }

  /** Writes inputs with codes that are given. */
  void write(
      AffineInputs.Layout layout, int[] codes, RandomGenerator random, long[] into, int start) {
    int bits = Codebook.CODE_BITS;
    for (int i = 0; i < codes.length; i++) {
      for (int bit = 0; bit < bits; bit++) {
        into[start + i * bits + bit] = Codebook.bit(codes[i], bit);
      }
    }
    if (layout.exact()) {
      int at = start + layout.policiesStart();
      for (int code : codes) {
        for (int state = 0; state < layout.states(); state++) {
          into[at++] = codebook.action(code, state);
        }
      }
    }
    if (layout.mesh()) {
      int at = start + layout.rowsStart();
      int rows = codes.length;
      for (int i = 0; i < rows; i++) {
        int pair = data.samplePair(random);
        int next = data.sampleNext(pair, random);
        into[at + i] = pair / data.actionCount();
        into[at + rows + i] = pair % data.actionCount();
        into[at + 2 * rows + i] = next;
        into[at + 3 * rows + i] = codebook.action(codes[i], next);
      }
    }
  }
}
