package dev.psm.agents.control;

import dev.psm.core.UserError;
import dev.psm.core.settings.Limits;

/**
 * What the sizes of a continuous agent's networks follow from, beside its world.
 *
 * @param featureDimension d of features and task vectors
 * @param width of the successor and actor networks; even, since each embedding has half of it
 * @param featureWidth of the feature network
 */
public record NetworkSizes(int featureDimension, int width, int featureWidth) {
  public NetworkSizes {
    Limits.requireSize(1, "featureDimension", featureDimension);
    Limits.requireSize(2, "width", width);
    Limits.requireSize(1, "featureWidth", featureWidth);
    if (width % 2 != 0) {
      throw UserError.invalid(
          "width must be even, since each embedding has half of it, found %d", width);
    }
  }
}
