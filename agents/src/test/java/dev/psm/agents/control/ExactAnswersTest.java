package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Steps;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.agents.training.Experience;
import dev.psm.core.data.Dataset;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every agent learns a world of six states, where everything it learns is known exactly. */
class ExactAnswersTest {
  private static final Steps LINE = new Steps(6, false);
  private static final double DISCOUNT = 0.8;
  private static final List<String> QUICK =
      List.of(
          "batchSize=64",
          "featureDimension=8",
          "width=32",
          "featureWidth=32",
          "learningRate=3e-3",
          "featureLearningRate=3e-3",
          "targetRate=0.05");

  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void collect() {
    data = LINE.collect(folder.resolve("line"), 200, 25, 1);
  }

  private static ControlTrainer trained(
      TinyAgent agent, Experience experience, int steps, String... more) {
    List<String> settings = new ArrayList<>(QUICK);
    for (String setting : more) {
      String key = setting.substring(0, setting.indexOf('=') + 1);
      settings.removeIf(other -> other.startsWith(key));
      settings.add(setting);
    }
    ControlTrainer trainer =
        agent.trainer(experience, List.of(1L), settings.toArray(String[]::new));
    for (int step = 0; step < steps; step++) {
      trainer.step();
    }
    return trainer;
  }

  /** ψ of the proto branch, the mean over members and many codes: states × d. */
  private static Tensor protoPsi(FactoredPsm psm, Steps world, int action) {
    int codes = 256;
    int n = world.states();
    Random random = new Random(3);
    Tensor all = torch.zeros(n, psm.settings().featureDimension());
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor bits =
          Tensors.gaussian(random, 1, codes, ActionCodebook.CODE_BITS)
              .gt(Tensors.scalar(0))
              .to(torch.ScalarType.Float);
      for (int state = 0; state < n; state++) {
        Tensor observations = Tensors.floats(world.observation(state), 1, 1, n);
        Tensor psi =
            StepTrial.successor(
                psm.proto.shape(),
                psm.proto.weights(),
                observations.expand(1, codes, n),
                bits,
                Verdict.actions(action, codes));
        all.select(0, state).copy_(psi.mean(2).mean(1).get(0));
      }
    }
    return all;
  }

  private static double protoError(FactoredPsm psm, Steps world, double discount) {
    return protoError(psm, world, discount, 1);
  }

  private static double protoError(FactoredPsm psm, Steps world, double discount, int steps) {
    double[] even = new double[world.states()];
    Arrays.fill(even, 0.5);
    Tensor[] psi = {protoPsi(psm, world, 0), protoPsi(psm, world, 1)};
    return Verdict.measureError(psm, world, psi, world.measure(even, discount, steps));
  }

  private static void assertNearlyOptimal(Verdict verdict) {
    assertTrue(verdict.wrong() <= 1, verdict + " of 36 pairs of goal and state");
  }

  /**
   * A row has a policy per code, and many rows are the same state: averaged over codes, the
   * codebook is the uniformly random policy.
   */
  @Test
  @Tag("slow")
  void psmLearnsTheMeasureOfRandomPoliciesAndThenOptimalOnes() {
    FactoredPsm psm =
        (FactoredPsm) trained(TinyAgent.PSM, data, 1600, "discount=" + DISCOUNT, "protoSteps=800");
    double error = protoError(psm, LINE, DISCOUNT);
    assertTrue(error < 0.2, "proto measure " + error);
    Verdict verdict = Verdict.of(psm, LINE);
    assertNearlyOptimal(verdict);
    assertTrue(verdict.valueError() < 0.2, verdict.toString());
  }

  /**
   * Where actions are held, transitions of several steps have the measure of policies that hold
   * theirs, at the discount of the basis.
   */
  @ParameterizedTest
  @CsvSource({"2,0,0.64", "3,0.9,0.729"})
  @Tag("slow")
  void psmLearnsTheMeasureOfPoliciesThatHoldTheirActions(
      int stride, double basisDiscount, double ofTransition) {
    Steps ring = new Steps(7, true);
    Dataset held = ring.collectHeld(folder.resolve("held" + stride), 200, 25, 1);
    try (Experience strided = new Experience(held, Device.CPU, stride)) {
      FactoredPsm psm =
          (FactoredPsm)
              trained(
                  TinyAgent.PSM,
                  strided,
                  800,
                  "discount=" + DISCOUNT,
                  "basisDiscount=" + basisDiscount,
                  "protoSteps=800");
      double error = protoError(psm, ring, ofTransition, stride);
      assertTrue(error < 0.2, "measure of held actions " + error);
      double single = protoError(psm, ring, ofTransition, 1);
      assertTrue(single > 0.5, "measure of single steps " + single);
    }
  }

  @Test
  @Tag("slow")
  void forwardBackwardLearnsOptimalPoliciesAndTheirValues() {
    Verdict verdict =
        Verdict.of(trained(TinyAgent.FORWARD_BACKWARD, data, 1200, "discount=" + DISCOUNT), LINE);
    assertNearlyOptimal(verdict);
    assertTrue(verdict.valueError() < 0.2, verdict.toString());
  }

  @Test
  @Tag("slow")
  void laplacianLearnsOptimalPoliciesAndTheirValues() {
    Verdict verdict =
        Verdict.of(trained(TinyAgent.LAPLACIAN, data, 900, "discount=" + DISCOUNT), LINE);
    assertNearlyOptimal(verdict);
    assertTrue(verdict.valueError() < 0.2, verdict.toString());
  }

  /** A goal is a direction here, φ(g) − φ(s). */
  @Test
  @Tag("slow")
  void hilpLearnsDistancesAndToGoInEveryDirection() {
    ControlTrainer hilp =
        trained(
            TinyAgent.HILP,
            data,
            1000,
            "discount=" + DISCOUNT,
            "featureDiscount=" + DISCOUNT,
            "expectile=0.9",
            "featureTargetRate=0.05");
    ControlModel model = hilp.model(1);
    Tensor phi = Verdict.features(hilp, LINE);
    int wrong = 0;
    for (int from = 0; from < 6; from++) {
      double before = 0;
      for (int to = from + 1; to < 6; to++) {
        double found = phi.get(from).sub(phi.get(to)).norm().item_double();
        double expected = (1 - Math.pow(DISCOUNT, to - from)) / (1 - DISCOUNT);
        assertEquals(expected, found, 0.3 * expected, "from %d to %d".formatted(from, to));
        assertTrue(found > before, "farther is farther");
        before = found;
      }
      for (int to = 0; to < 6; to++) {
        float[] task =
            model.direction(model.features(LINE.observation(to)), LINE.observation(from));
        float action = model.act(LINE.observation(from), task)[0];
        wrong += from != to && action < 0 != to < from ? 1 : 0;
      }
    }
    assertTrue(wrong <= 1, wrong + " of 30 pairs of goal and state");
  }

  /** On a ring 1, √2 cos and √2 sin are the slowest, orthonormal, and on the √3 sphere. */
  @Test
  void laplacianFeaturesAreTheSlowestEigenvectors() {
    Steps ring = new Steps(8, true);
    Experience round = ring.collect(folder.resolve("ring"), 100, 30, 2);
    ControlTrainer laplacian =
        trained(TinyAgent.LAPLACIAN, round, 400, "featureDimension=3", "width=4", "batchSize=128");
    double[][] slow = new double[8][3];
    for (int state = 0; state < 8; state++) {
      double angle = 2 * Math.PI * state / 8;
      slow[state][0] = Math.sqrt(1.0 / 8);
      slow[state][1] = Math.sqrt(2.0 / 8) * Math.cos(angle);
      slow[state][2] = Math.sqrt(2.0 / 8) * Math.sin(angle);
    }
    Tensor basis = Tensors.matrix(slow);
    Tensor phi = Verdict.features(laplacian, ring);
    Tensor inside = basis.matmul(basis.t().matmul(phi));
    double outside = phi.sub(inside).square().sum().div(phi.square().sum()).item_double();
    assertTrue(outside < 0.05, "share outside the slow eigenvectors " + outside);
    Tensor covariance = phi.t().matmul(phi).div(Tensors.scalar(8));
    double off = covariance.sub(torch.eye(3)).abs().max().item_double();
    assertTrue(off < 0.2, "E[φφᵀ] is off by " + off);
  }

  /** Without a future, the measure of (s, a) is all in s′ and none in s. */
  @Test
  void theMeasureStartsAtTheEnteredState() {
    Steps ring = new Steps(6, true);
    Experience round = ring.collect(folder.resolve("short"), 100, 20, 3);
    FactoredPsm psm =
        (FactoredPsm) trained(TinyAgent.PSM, round, 400, "discount=0", "protoSteps=400");
    double[] share = ring.entered(round.dataset());
    Tensor phi = Verdict.features(psm, ring);
    for (int action = 0; action < 2; action++) {
      Tensor measure = protoPsi(psm, ring, action).matmul(phi.t());
      for (int state = 0; state < 6; state++) {
        int next = ring.next(state, action == 0 ? Steps.DOWN : Steps.UP);
        float[] row = Tensors.toFloats(measure.get(state));
        for (int entered = 0; entered < 6; entered++) {
          assertEquals(
              entered == next ? 1 : 0,
              share[entered] * row[entered],
              0.25,
              "from %d into %d".formatted(state, entered));
        }
      }
    }
  }
}
