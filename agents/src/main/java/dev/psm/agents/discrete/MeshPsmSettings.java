package dev.psm.agents.discrete;

import dev.psm.agents.AgentSettings;
import dev.psm.agents.Decay;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.training.DrawSizes;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;
import dev.psm.core.settings.Settings;
import java.util.LinkedHashMap;
import java.util.Map;

/** Complete settings of affine PSM on sampled meshes. */
public record MeshPsmSettings(
    @Setting("gradient steps in all") int gradientSteps,
    @Setting("rows of the mesh: transitions per gradient step, each with a code") int meshRows,
    @Setting("columns of the mesh: states that every row is held against; a multiple of 4")
        int meshColumns,
    @Setting("pairs of the mesh that are computed at once, which bounds memory") int pairsAtOnce,
    @Setting("dimension d of the basis") int basisDimension,
    @Setting("width of the measure's network") int width,
    @Setting("hidden layers of the measure's network, over pairs (s, s⁺)") int layers,
    @Setting("width of the coordinate network") int coordinateWidth,
    @Setting("hidden layers of the coordinate network") int coordinateLayers,
    @Setting("discount γ of the measure, at least 0 and below 1") double discount,
    @Setting("weight of the measures' mass being one; 0 for the paper's loss") double massWeight,
    @Setting("learning rate of all networks") double learningRate,
    @Setting("how the learning rate falls: none, linear (from half way on) or cosine") Decay decay,
    @Setting("rate τ at which target networks follow") double targetRate,
    @Setting(
            "policies added to the codebook, each greedy for its own measure of a state of the data; 0 for none")
        int enrichedCodes,
    @Setting("share of the gradient steps after which they are learned") double enrichmentStart,
    @Setting("share of the rows that have one of them, from then on") double enrichedShare,
    @Setting("codes of the codebook that solving looks at, beside the enriched ones")
        int solveCodes,
    @Setting("states of the data that solving averages over") int solveStates,
    @Setting("states that a reward is read in by a policy, drawn by what they pay") int supports,
    @Setting("how a reward is solved unless told otherwise: best, gpi or dual") SolveMethod solve,
    @Setting("gradient steps of the dual solver") int dualSteps,
    @Setting("learning rate of the dual solver for w; that of λ is 100 times it")
        double dualLearningRate)
    implements AgentSettings {

  public MeshPsmSettings {
    Limits.requireAtLeast(1, "gradientSteps", gradientSteps);
    Limits.requireAtLeast(1, "meshRows", meshRows);
    Limits.requireAtLeast(4, "meshColumns", meshColumns);
    if (meshColumns % 4 != 0) {
      throw UserError.invalid(
          "meshColumns must be a multiple of 4, since half of them may be goals, and half of each"
              + " kind measures the mass of the other half; found %d",
          meshColumns);
    }
    Limits.requireAtLeast(1, "pairsAtOnce", pairsAtOnce);
    Limits.requireDiscount("discount", discount);
    Limits.requireNotNegative("massWeight", massWeight);
    Limits.requirePositive("learningRate", learningRate);
    Limits.requireAverageRate("targetRate", targetRate);
    Limits.requireShare("enrichmentStart", enrichmentStart);
    Limits.requireShare("enrichedShare", enrichedShare);
    new MeshModel.Shape(
        basisDimension,
        width,
        layers,
        coordinateWidth,
        coordinateLayers,
        enrichedCodes,
        solveCodes,
        solveStates,
        supports,
        solve,
        dualSteps,
        dualLearningRate,
        0);
  }

  /** For two processor cores. */
  static MeshPsmSettings small(World world) {
    return new MeshPsmSettings(
        6_000,
        64,
        64,
        8192,
        32,
        128,
        2,
        128,
        2,
        world.discount(),
        0.2,
        1e-3,
        Decay.COSINE,
        0.05,
        128,
        0.3,
        0.5,
        16,
        64,
        512,
        SolveMethod.GPI,
        500,
        0.02);
  }

  /** The sizes and rates of the authors' code. */
  static MeshPsmSettings paper(World world) {
    return new MeshPsmSettings(
        2_000_000,
        16,
        16,
        65_536,
        256,
        1024,
        4,
        1024,
        3,
        world.discount(),
        0,
        1e-4,
        Decay.NONE,
        0.01,
        0,
        0,
        0,
        4096,
        64,
        512,
        SolveMethod.DUAL,
        30_000,
        1e-4);
  }

  /** Presets by name, the default first. */
  public static Map<String, MeshPsmSettings> presets(World world) {
    Map<String, MeshPsmSettings> presets = new LinkedHashMap<>();
    presets.put("small", small(world));
    presets.put("paper", paper(world));
    return presets;
  }

  DrawSizes draws() {
    return new DrawSizes(meshRows, meshColumns, basisDimension, 1, enrichedShare, 1);
  }

  /**
   * Rows that are computed at once, one at the least.
   *
   * @param kinds columns that each row has for itself
   */
  long rowsAtOnce(int kinds) {
    return Math.max(1, Math.min(meshRows, pairsAtOnce / (meshColumns + kinds)));
  }

  MeshModel.Shape shape(long seed) {
    return Settings.part(MeshModel.Shape.class, this, Map.of("seed", seed));
  }

  @Override
  public boolean isOpenEnded() {
    return decay == Decay.NONE && (enrichedCodes == 0 || enrichmentStart == 0);
  }
}
