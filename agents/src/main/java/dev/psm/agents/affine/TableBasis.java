package dev.psm.agents.affine;

import dev.psm.core.UserError;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Φ and b as plain tables: one free number per triple and dimension, so nothing but the codebook
 * limits what is learned.
 */
final class TableBasis implements AffineBasis {
  private final int stateCount;
  private final int actionCount;
  private final int dimension;

  TableBasis(int stateCount, int actionCount, int dimension) {
    long bytes = Math.multiplyExact((long) stateCount * actionCount * stateCount, 4L * dimension);
    if (bytes > Integer.MAX_VALUE) {
      throw UserError.invalid(
          "the table of %d states × %d actions × %d states × %d coordinates would have %.1f GB, the"
              + " limit is 2.1; lower basisDimension or enrichedCodes",
          stateCount, actionCount, stateCount, dimension, bytes / 1e9);
    }
    this.stateCount = stateCount;
    this.actionCount = actionCount;
    this.dimension = dimension;
  }

  /** The shapes of the {@link #parameters} of a basis that need not exist. */
  static Map<String, long[]> shapes(int stateCount, int actionCount, int dimension) {
    long triples = (long) stateCount * actionCount * stateCount;
    Map<String, long[]> shapes = new LinkedHashMap<>();
    shapes.put("basis", new long[] {triples, dimension});
    shapes.put("bias", new long[] {triples});
    return shapes;
  }

  /**
   * All zero: far from the start of anything learned, a measure is tiny, and initial noise would
   * hide it.
   */
  @Override
  public Parameters parameters() {
    long triples = (long) stateCount * actionCount * stateCount;
    return new Parameters()
        .add("basis", torch.zeros(triples, dimension))
        .add("bias", torch.zeros(triples));
  }

  @Override
  public AffineBasis on(Device device) {
    return this;
  }

  @Override
  public Evaluated everywhere(Parameters parameters) {
    return new Evaluated(parameters.get("basis"), parameters.get("bias"));
  }

  @Override
  public Evaluated mesh(Parameters parameters, Tensor states, Tensor actions, Tensor goals) {
    long rows = states.numel();
    long columns = goals.numel();
    // Whole-number scalars: a floating one would turn indices into floats.
    Tensor pairs = states.mul(new Scalar((long) actionCount)).add(actions);
    Tensor triples =
        pairs.mul(new Scalar((long) stateCount)).unsqueeze(1).add(goals.unsqueeze(0)).reshape(-1);
    return new Evaluated(
        parameters.get("basis").index_select(0, triples).view(rows, columns, dimension),
        parameters.get("bias").index_select(0, triples).view(rows, columns));
  }
}
