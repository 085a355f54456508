package dev.psm.studio.service;

import dev.psm.core.reward.formula.Formula;
import java.time.Duration;

/**
 * What the service takes on. Every one of these bounds memory or time that a caller could ask for.
 *
 * @param maxBody bytes of a request's body
 * @param maxBatch observations of one request; a WebSocket's frame may be as long as they are
 * @param maxStates states of samples or of a demonstration
 * @param maxFormula characters of a formula
 * @param maxFormulaCost of a formula, see {@link Formula#cost}
 * @param maxPolicies that are kept; the one that was not asked for longest is dropped
 * @param maxRequests acting at once, those that wait included
 * @param maxSolves solving at once, those that wait included
 * @param maxSockets WebSockets at once
 * @param requestTime after which a request is answered that it took too long
 */
public record ServiceLimits(
    int maxBody,
    int maxBatch,
    int maxStates,
    int maxFormula,
    int maxFormulaCost,
    int maxPolicies,
    int maxRequests,
    int maxSolves,
    int maxSockets,
    Duration requestTime) {
  public static final ServiceLimits DEFAULT =
      new ServiceLimits(
          8 << 20,
          1_024,
          20_000,
          Formula.MAX_LENGTH,
          Formula.MAX_COST,
          1_000,
          64,
          8,
          64,
          Duration.ofSeconds(10));
}
