package dev.psm.agents.affine;

import dev.psm.agents.AgentSettings;
import dev.psm.agents.Decay;
import dev.psm.agents.SolveMethod;
import dev.psm.core.UserError;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import dev.psm.core.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Complete settings of affine PSM. */
public record AffinePsmSettings(
    @Setting("discount γ of the measure, at least 0 and below 1") double discount,
    @Setting("what holds the basis and the bias: tables over all triples, or networks over (s, s⁺)")
        Representation representation,
    @Setting(
            "how the loss is averaged: exact over all triples, or a mesh of sampled transitions as published")
        Expectation expectation,
    @Setting("dimension d of the basis: coordinates that the codes share") int basisDimension,
    @Setting("codes drawn per gradient step; with the mesh, also transitions per step")
        int codesPerStep,
    @Setting(
            "policies added to the codebook by enrichment, each with a basis function of its own; 0 for none")
        int enrichedCodes,
    @Setting("share of the gradient steps after which the codebook is enriched")
        double enrichmentStart,
    @Setting("how often the enriched policies are found anew, each time from better measures")
        int enrichmentRounds,
    @Setting(
            "learning rate of the basis and the bias; for tables with the exact expectation the share of the way to the target, at most 1")
        double basisLearningRate,
    @Setting("learning rate of the coordinates w(z)") double coordinateLearningRate,
    @Setting("how both learning rates shrink over training: none, linear or cosine") Decay decay,
    @Setting("rate τ at which target averages follow") double targetRate,
    @Setting("width of the basis and bias networks; tables have none") int basisWidth,
    @Setting("width of the coordinate network") int coordinateWidth,
    @Setting("hidden layers of the coordinate network") int coordinateLayers,
    @Setting("gradient steps of pretraining") int gradientSteps,
    @Setting("codes of the codebook that solving looks at, beside the enriched ones")
        int solveCodes,
    @Setting("how a reward is solved unless told otherwise: dual, lp, best or gpi")
        SolveMethod solve,
    @Setting("gradient steps of the dual solver") int dualSteps,
    @Setting("learning rate of the dual solver, for w and for λ") double dualLearningRate)
    implements AgentSettings {

  /** What holds Φ and b. */
  public enum Representation {
    TABLES,
    NETWORKS
  }

  /** How the loss's expectation is taken. */
  public enum Expectation {
    EXACT,
    MESH
  }

  public AffinePsmSettings {
    new AffineShape(
        discount,
        representation,
        basisDimension,
        enrichedCodes,
        basisWidth,
        coordinateWidth,
        coordinateLayers,
        solveCodes,
        solve,
        dualSteps,
        dualLearningRate,
        0);
    Limits.requireSize(1, "codesPerStep", codesPerStep);
    Limits.requireAtLeast(1, "gradientSteps", gradientSteps);
    Limits.requirePositive("basisLearningRate", basisLearningRate);
    Limits.requirePositive("coordinateLearningRate", coordinateLearningRate);
    Limits.requireAverageRate("targetRate", targetRate);
    if (enrichmentRounds > gradientSteps) {
      throw UserError.invalid(
          "enrichmentRounds must be at most gradientSteps=%d, found %d",
          gradientSteps, enrichmentRounds);
    }
    if (!(enrichmentStart >= 0 && enrichmentStart < 1)) {
      throw UserError.invalid(
          "enrichmentStart must be at least 0 and less than 1, found %s", enrichmentStart);
    }
    if (enrichedCodes > 0 && (int) (enrichmentStart * gradientSteps) < 1) {
      throw UserError.invalid(
          "enrichment needs something learned to start from: enrichmentStart=%s of gradientSteps=%d"
              + " is no step at all",
          enrichmentStart, gradientSteps);
    }
    if (representation == Representation.TABLES
        && expectation == Expectation.EXACT
        && basisLearningRate > 1) {
      throw UserError.invalid(
          "basisLearningRate is the share of the way to the target for tables with the exact"
              + " expectation, so at most 1; found %s",
          basisLearningRate);
    }
    Limits.requireAtLeast(1, "enrichmentRounds", enrichmentRounds);
    if (expectation == Expectation.MESH && codesPerStep < 2) {
      throw UserError.invalid("a mesh needs codesPerStep of at least 2, found %d", codesPerStep);
    }
    if (expectation == Expectation.MESH && enrichedCodes > 0) {
      throw UserError.invalid(
          "enrichment needs expectation=exact, found expectation=mesh with enrichedCodes=%d;"
              + " set enrichedCodes=0",
          enrichedCodes);
    }
  }

  /**
   * Tables with the exact expectation and an enriched codebook: the default on finite environments.
   */
  public static AffinePsmSettings tabular() {
    return new AffinePsmSettings(
        0.98,
        Representation.TABLES,
        Expectation.EXACT,
        32,
        8,
        64,
        0.5,
        1,
        0.3,
        0.001,
        Decay.COSINE,
        1,
        256,
        256,
        2,
        1000,
        512,
        SolveMethod.GPI,
        500,
        0.02);
  }

  /** Tables with the exact expectation and the plain codebook, for larger maps. */
  public static AffinePsmSettings large() {
    return Settings.override(
        tabular(), List.of("basisDimension=8", "enrichedCodes=0", "enrichmentStart=0"));
  }

  /** Networks and the sampled mesh with the sizes and rates of the authors' code. */
  public static AffinePsmSettings paper() {
    return Settings.override(
        tabular(),
        List.of(
            "representation=networks",
            "expectation=mesh",
            "basisDimension=256",
            "codesPerStep=16",
            "enrichedCodes=0",
            "enrichmentStart=0",
            "basisLearningRate=1e-4",
            "coordinateLearningRate=1e-4",
            "decay=none",
            "targetRate=0.01",
            "basisWidth=1024",
            "coordinateWidth=1024",
            "coordinateLayers=3",
            "gradientSteps=200000",
            "solveCodes=4096",
            "solve=dual",
            "dualSteps=30000",
            "dualLearningRate=1e-4"));
  }

  /**
   * Presets by name, the default for so many states first.
   *
   * @param discount the world's
   */
  public static Map<String, AffinePsmSettings> presets(int stateCount, double discount) {
    Map<String, AffinePsmSettings> presets = new LinkedHashMap<>();
    if (stateCount <= LARGEST_ENRICHED) {
      presets.put("tabular", tabular());
    }
    presets.put("large", large());
    presets.putIfAbsent("tabular", tabular());
    presets.put("paper", paper());
    presets.replaceAll((name, each) -> Settings.override(each, List.of("discount=" + discount)));
    return presets;
  }

  /**
   * Enrichment costs tables in proportion to its codes, so past this many states the default goes
   * without.
   */
  private static final int LARGEST_ENRICHED = 150;

  /** Of the models that these settings learn. */
  AffineShape shape(long seed) {
    return Settings.part(AffineShape.class, this, Map.of("seed", seed));
  }

  /** Neither where rates decay, nor where enrichment begins at a share of all steps. */
  @Override
  public boolean isOpenEnded() {
    return decay == Decay.NONE && enrichedCodes == 0;
  }
}
