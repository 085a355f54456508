package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.StepInputs;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of Laplacian and HILP against losses written one row at a time. */
class FeatureStepTest {
  private static final String RATE = "targetRate=" + StepTrial.RATE;
  private static final int BATCH = 10;
  private static final int MEMBERS = 2;

  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void write() {
    data = StepTrial.noise(folder.resolve("data"));
  }

  /** Successor features' step with fixed φ(s′), against the loop over rows and members. */
  private static void assertSuccessorStep(StepTrial trial, Tensor phi, boolean alongTask) {
    Experience.Batch batch = trial.batch;
    Tensor tasks = trial.tasks(SuccessorFeatureLoss.goalVectors(phi));
    Tensor psi = trial.psi(trial.successor, batch.observations(), tasks, batch.actions());
    Tensor next =
        trial
            .psi(trial.targetSuccessor, batch.nextObservations(), tasks, trial.nextActions(tasks))
            .detach();
    float[] discounts = Tensors.toFloats(trial.discounts());
    Tensor loss = Tensors.floats(new float[1], 1);
    for (int seed = 0; seed < 2; seed++) {
      for (int row = 0; row < BATCH; row++) {
        Tensor z = tasks.get(seed).get(row);
        Tensor one = next.get(seed).get(0).get(row);
        Tensor other = next.get(seed).get(1).get(row);
        boolean first = one.dot(z).item_double() < other.dot(z).item_double();
        Tensor target =
            phi.get(seed)
                .get(row)
                .add((first ? one : other).mul(Tensors.scalar(discounts[seed * BATCH + row])));
        for (int member = 0; member < MEMBERS; member++) {
          Tensor error = psi.get(seed).get(member).get(row).sub(target);
          Tensor square = alongTask ? error.dot(z).square() : error.square().mean();
          loss = loss.add(square.div(Tensors.scalar(BATCH)));
        }
      }
    }
    trial.assertSuccessorFollowedBy(loss.sum());
    trial.assertActorImproved(tasks);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theLaplacianStepFollowsBothLosses(boolean alongTask) {
    ControlTrainer trainer =
        TinyAgent.LAPLACIAN.trainer(data, StepTrial.SEEDS, RATE, "alongTask=" + alongTask);
    StepTrial trial = new StepTrial(trainer, trainer.draw());
    trainer.step(trial.draws);
    Tensor now = Tensors.onSphere(trial.phi(trial.features, trial.batch.observations()));
    Tensor next = Tensors.onSphere(trial.phi(trial.features, trial.batch.nextObservations()));
    trial.assertFollowed(ControlLaplacian.featureLoss(now, next).sum(), "features", trial.features);
    Tensor phi =
        Tensors.onSphere(trial.phi(trainer.features.weights(), trial.batch.nextObservations()));
    assertSuccessorStep(trial, phi.detach(), alongTask);
  }

  /** Goals as drawn, but for a few rows that have reached theirs. */
  private static StepInputs someReached(ControlTrainer trainer) {
    StepInputs drawn = trainer.draw();
    Map<Draw, Tensor> draws = new EnumMap<>(Draw.class);
    for (Draw draw : trainer.needs(0)) {
      draws.put(draw, drawn.get(draw));
    }
    Tensor goals = drawn.get(Draw.GOALS).clone();
    goals.narrow(1, 0, 3).copy_(drawn.get(Draw.ROWS).narrow(1, 0, 3));
    draws.put(Draw.GOALS, goals);
    return new StepInputs(draws);
  }

  /** −‖φ_k(s) − φ_k(g)‖ of one row. */
  private static Tensor value(
      StepTrial trial, Parameters parameters, int seed, int member, Tensor state, Tensor goal) {
    Tensor phi = network(trial, parameters, seed, member, state);
    Tensor aim = network(trial, parameters, seed, member, goal);
    return phi.sub(aim).square().sum().clamp_min(Tensors.scalar(1e-6)).sqrt().neg();
  }

  /** φ_k of one observation: every network of the stack sees it, one answers. */
  private static Tensor network(
      StepTrial trial, Parameters parameters, int seed, int member, Tensor observation) {
    Tensor x = observation.view(1, 1, -1).expand(2 * MEMBERS, 1, StepTrial.OBSERVATION);
    return trial.phi(parameters, x).get(seed * MEMBERS + member).get(0);
  }

  @ParameterizedTest
  @CsvSource({"0.5,true,1", "0.9,false,1", "0.2,true,1", "0.2,true,3"})
  void theHilpStepFollowsBothLosses(double expectile, boolean alongTask, int stride) {
    Hilp trainer =
        (Hilp)
            TinyAgent.HILP.trainer(
                new Experience(data.dataset(), Device.CPU, stride),
                StepTrial.SEEDS,
                RATE,
                "expectile=" + expectile,
                "alongTask=" + alongTask,
                "featureDiscount=0.8",
                "featureTargetRate=0.3");
    StepTrial.stir(trainer.features.target(), 5);
    Parameters targets = trainer.features.target().targetCopy();
    StepTrial trial = new StepTrial(trainer, someReached(trainer));
    trainer.step(trial.draws);

    Tensor goals = data.observations(trial.draws.get(Draw.GOALS));
    Tensor loss = Tensors.floats(new float[1], 1);
    double[] perSeed = new double[2];
    int[] signs = new int[2];
    for (int seed = 0; seed < 2; seed++) {
      for (int row = 0; row < BATCH; row++) {
        Tensor s = trial.batch.observations().get(seed).get(row);
        Tensor next = trial.batch.nextObservations().get(seed).get(row);
        Tensor goal = goals.get(seed).get(row);
        boolean reached = s.sub(goal).square().sum().item_double() == 0;
        double reward = reached ? 0 : -1;
        double discount = reached ? 0 : Math.pow(0.8, stride);
        double[] nextValues = new double[MEMBERS];
        double now = 0;
        for (int member = 0; member < MEMBERS; member++) {
          nextValues[member] = value(trial, targets, seed, member, next, goal).item_double();
          now += value(trial, targets, seed, member, s, goal).item_double() / MEMBERS;
        }
        double advantage = reward + discount * Math.min(nextValues[0], nextValues[1]) - now;
        signs[advantage < 0 ? 0 : 1]++;
        double weight = advantage < 0 ? 1 - expectile : expectile;
        for (int member = 0; member < MEMBERS; member++) {
          double target = reward + discount * nextValues[member];
          Tensor term =
              value(trial, trial.features, seed, member, s, goal)
                  .sub(Tensors.scalar(target))
                  .square()
                  .mul(Tensors.scalar(weight / BATCH));
          perSeed[seed] += term.item_double();
          loss = loss.add(term);
        }
      }
    }
    assertTrue(signs[0] > 2 && signs[1] > 2, "the example must have advantages of both signs");
    trial.assertFollowed(loss.sum(), "features", trial.features);
    String lastBias = trainer.shapes.features().lastBias();
    assertTrue(
        torch.equal(trial.features.get(lastBias), trainer.features.weights().get(lastBias)),
        "what no value depends on does not move");
    assertArrayEquals(perSeed, trainer.metrics().get("feature_loss"), 1e-4 * perSeed[0]);
    assertNull(
        SmallWorlds.notAveraged(targets, trial.features, trainer.features.target(), 0.3),
        "the target follows the features as they were before the step");

    assertCentreAndSuccessor(trainer, trial, alongTask);
  }

  private static void assertCentreAndSuccessor(Hilp trainer, StepTrial trial, boolean alongTask) {
    Tensor centre = trainer.centre().orElseThrow();
    Tensor phi = Tensors.gaussian(new java.util.Random(1), 2, BATCH, 5);
    for (int seed = 0; seed < 2; seed++) {
      for (int row = 0; row < BATCH; row++) {
        Tensor next = trial.batch.nextObservations().get(seed).get(row);
        phi.get(seed)
            .get(row)
            .copy_(network(trial, trainer.features.weights(), seed, 0, next).detach());
      }
    }
    Near.assertNear(
        phi.mean(1).unsqueeze(1).mul(Tensors.scalar(0.005)), centre, 1e-4, "running mean");
    assertSuccessorStep(trial, phi.sub(centre).detach(), alongTask);
  }

  @Test
  void theRunningMeanForgetsSlowly() {
    Hilp trainer = (Hilp) TinyAgent.HILP.trainer(data, StepTrial.SEEDS);
    trainer.step();
    Tensor before = trainer.centre().orElseThrow().clone();
    StepInputs draws = trainer.draw();
    trainer.step(draws);
    Tensor next = trainer.data().gather(draws.get(Draw.ROWS)).nextObservations();
    Tensor mean =
        trainer.taskFeatures(next).add(trainer.centre().orElseThrow()).mean(1).unsqueeze(1);
    Near.assertNear(
        before.mul(Tensors.scalar(0.995)).add(mean.mul(Tensors.scalar(0.005))),
        trainer.centre().orElseThrow(),
        1e-4,
        "running mean");
    assertEquals(2, trainer.centre().orElseThrow().size(0));
  }
}
