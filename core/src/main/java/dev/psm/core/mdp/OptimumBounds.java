package dev.psm.core.mdp;

import dev.psm.core.UserError;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;

/**
 * Bounds on the optimum (1 − γ)μᵀV* that hold in spite of rounding, from any visitation d and any
 * values v.
 *
 * <p>Below: a residual ρ = F d − (1 − γ)μ moves d by at most ‖ρ‖₁/(1 − γ), since F is inverted by
 * sums of powers of γP. Above: by weak duality rᵀd* ≤ (1 − γ)μᵀv + max A, where A(s,a) = r(s,a) +
 * γΣP(s'|s,a)v(s') − v(s), because d* is non-negative and sums to 1. The condition number of the
 * flow is about 2/(1 − γ), so both bounds widen with it.
 */
record OptimumBounds(double lower, double upper) {
  /** Largest width that still counts as solved, as a share of the rewards' spread. */
  static final double TOLERANCE = 1e-6;

  static OptimumBounds of(FiniteMdp mdp, double[] reward, double[] d, double[] values) {
    // What a sum over states and actions can lose, as a share of its terms' sizes.
    double rounding = 2 * Math.ulp(1.0) * (mdp.stateCount() + mdp.actionCount());
    double largestReward = Arrays.stream(reward).map(Math::abs).max().getAsDouble();
    double largestValue = Arrays.stream(values).map(Math::abs).max().getAsDouble();
    BellmanFlow flow = new BellmanFlow(mdp);
    double[] arriving = flow.apply(d);
    double[] source = flow.source();
    double residual = 0;
    double start = 0;
    for (int state = 0; state < source.length; state++) {
      residual += Math.abs(arriving[state] - source[state]);
      start += source[state] * values[state];
    }
    double mass = 0;
    double earned = 0;
    double advantage = 0;
    for (int pair = 0; pair < d.length; pair++) {
      mass += Math.abs(d[pair]);
      // A policy has no negative visits; clipping them moves what they flow into.
      residual += 2 * Math.max(0, -d[pair]);
      earned += reward[pair] * d[pair];
      advantage =
          Math.max(
              advantage,
              ValueIteration.backup(mdp, reward, pair, values) - values[pair / mdp.actionCount()]);
    }
    residual += 2 * rounding * mass;
    double horizon = 1 / (1 - mdp.discount());
    return new OptimumBounds(
        earned - largestReward * (horizon * residual + rounding * mass),
        start + advantage + 2 * rounding * (largestReward + largestValue));
  }

  double width() {
    return upper - lower;
  }

  /** Refuses a problem whose optimum is not known well enough to be told. */
  void requireNarrow(FiniteMdp mdp, double[] reward) {
    double highest = Arrays.stream(reward).max().getAsDouble();
    double lowest = Arrays.stream(reward).min().getAsDouble();
    double spread = highest > lowest ? highest - lowest : Math.abs(highest);
    if (width() <= TOLERANCE * spread) {
      return;
    }
    // Rounding grows with 1 / (1 − γ), so a shorter horizon narrows the bounds in proportion.
    double exponent = Math.ceil(Math.log10((1 - mdp.discount()) * width() / (TOLERANCE * spread)));
    throw UserError.invalid(
        "at discount %s double precision only tells that the optimum lies between %s and %s;"
            + " %s",
        mdp.discount(),
        told(lower, upper),
        told(upper, lower),
        exponent < 0
            ? "choose a discount of at most "
                + BigDecimal.ONE.subtract(BigDecimal.ONE.movePointRight((int) exponent))
            : "the rewards are too large for a spread of only %s: subtract a constant from all"
                .formatted(spread));
  }

  /** With as many digits as tell it from another, at least six. */
  private static String told(double value, double other) {
    for (int digits = 6; ; digits++) {
      String text = String.format(Locale.ROOT, "%." + digits + "g", value);
      if (digits == 17 || !text.equals(String.format(Locale.ROOT, "%." + digits + "g", other))) {
        return text;
      }
    }
  }
}
