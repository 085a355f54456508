package dev.psm.agents.affine;

import dev.psm.agents.SolveMethod;
import dev.psm.agents.affine.AffinePsmSettings.Representation;
import dev.psm.core.UserError;
import dev.psm.core.settings.Limits;

/**
 * What a model of affine PSM is, whatever trained it.
 *
 * @param discount of its measures
 * @param basisDimension d, the coordinates that codes share
 * @param enrichedCodes policies with a basis function of their own
 * @param solveCodes codes of the codebook that solving looks at, beside the enriched ones
 * @param solve how a reward is solved unless told otherwise
 * @param seed of the codebook, and of the codes that solving looks at
 */
public record AffineShape(
    double discount,
    Representation representation,
    int basisDimension,
    int enrichedCodes,
    int basisWidth,
    int coordinateWidth,
    int coordinateLayers,
    int solveCodes,
    SolveMethod solve,
    int dualSteps,
    double dualLearningRate,
    long seed) {

  private static final int MAX_ENRICHED = 4096;
  private static final int MAX_DUAL_STEPS = 10_000_000;
  private static final long MAX_ACTIVATIONS = 1L << 28;

  public AffineShape {
    Limits.requireDiscount("discount", discount);
    Limits.requireSize(1, "basisDimension", basisDimension);
    Limits.requireSize(0, "enrichedCodes", enrichedCodes);
    Limits.requireSize(1, "basisWidth", basisWidth);
    Limits.requireSize(1, "coordinateWidth", coordinateWidth);
    Limits.requireLayers("coordinateLayers", coordinateLayers);
    Limits.requireAtLeast(1, "solveCodes", solveCodes);
    Limits.requireAtLeast(1, "dualSteps", dualSteps);
    Limits.requirePositive("dualLearningRate", dualLearningRate);
    // What solving makes of these must fit into memory too, whoever wrote them down.
    Limits.requireAtMost(MAX_ENRICHED, "enrichedCodes", enrichedCodes);
    Limits.requireAtMost(MAX_DUAL_STEPS, "dualSteps", dualSteps);
    long widest = Math.max(coordinateWidth, basisDimension + (long) enrichedCodes);
    if (solveCodes * widest > MAX_ACTIVATIONS) {
      throw UserError.invalid(
          "solveCodes=%d times a width of %d are more than %d numbers; lower one of them",
          solveCodes, widest, MAX_ACTIVATIONS);
    }
    if (solveCodes > Codebook.CODE_COUNT) {
      throw UserError.invalid(
          "solveCodes must be at most the codebook's %d codes, found %d",
          Codebook.CODE_COUNT, solveCodes);
    }
  }

  /** Length of a coordinate vector: the shared dimensions, then one per enriched code. */
  int coordinateLength() {
    return basisDimension + enrichedCodes;
  }
}
