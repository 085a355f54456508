package dev.psm.agents.affine;

import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.core.mdp.Policy;
import dev.psm.core.mdp.SuccessorMeasure;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * How good a basis is, told against exact answers: on a finite environment nothing needs to be
 * taken on trust.
 */
final class AffineMetrics {
  private static final int COMPARED_CODES = 4;

  private AffineMetrics() {}

  static Map<String, Double> of(AffineModel model, double loss) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("loss", loss);
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Evaluated evaluated = model.evaluated();
      metrics.put("effective_rank", Tensors.effectiveRank(evaluated.basis()));
      Tensor hashed = coordinatesOfFirstCodes(model);
      Tensor measures = evaluated.measures(hashed);
      metrics.put(
          "constraint_violation",
          measures.clamp_max(Tensors.scalar(0)).abs().mean().item_double()
              / measures.abs().mean().item_double());
      TransitionTable data = model.data();
      double codeError = 0;
      for (int code = 0; code < COMPARED_CODES; code++) {
        Policy policy = Policy.deterministic(model.codebook().policy(code), data.actionCount());
        codeError += relativeError(model, measures.select(0, code), policy);
      }
      metrics.put("measure_error_codes", codeError / COMPARED_CODES);
      metrics.put(
          "measure_error_mean",
          relativeError(
              model, measures.mean(0), Policy.uniform(data.stateCount(), data.actionCount())));
      if (model.enriched().length > 0) {
        metrics.put("measure_error_enriched", enrichedError(model, evaluated));
      }
    }
    return metrics;
  }

  private static double enrichedError(AffineModel model, Evaluated evaluated) {
    int compared = Math.min(COMPARED_CODES, model.enriched().length);
    Tensor measures = evaluated.measures(model.coordinates().ofEnriched().narrow(0, 0, compared));
    double error = 0;
    for (int code = 0; code < compared; code++) {
      Policy policy = Policy.deterministic(model.enriched()[code], model.data().actionCount());
      error += relativeError(model, measures.select(0, code), policy);
    }
    return error / compared;
  }

  /** Coordinates of codes 0, 1, 2, …, enough of them that their mean stands for the codebook's. */
  private static Tensor coordinatesOfFirstCodes(AffineModel model) {
    int[] codes = new int[16];
    for (int code = 0; code < codes.length; code++) {
      codes[code] = code;
    }
    return model.coordinates().ofCodes(model.coordinateParameters(), codes);
  }

  /** ‖m − m_exact‖ / ‖m_exact‖ over all triples. */
  private static double relativeError(AffineModel model, Tensor learned, Policy policy) {
    Tensor exact =
        Tensors.matrix(SuccessorMeasure.ofNextState(model.data().mdp(), policy))
            // A state that nothing enters has measure 0 and no density.
            .div(model.rho().clamp_min(Tensors.scalar(Float.MIN_NORMAL)));
    Tensor flat = exact.view(-1);
    return learned.sub(flat).norm().item_double() / flat.norm().item_double();
  }
}
