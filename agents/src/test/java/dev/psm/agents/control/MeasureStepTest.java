package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.training.ActionCodebook;
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

/** The steps of PSM and Forward-Backward against their losses in the plain B × B form. */
class MeasureStepTest {
  private static final String WEIGHT = "orthonormality=0.7";
  private static final String RATE = "targetRate=" + StepTrial.RATE;

  @TempDir static Path folder;
  private static Experience data;

  @BeforeAll
  static void write() {
    data = StepTrial.noise(folder.resolve("data"));
  }

  private static FactoredPsm psm(int protoSteps) {
    return psm(data, protoSteps, 0);
  }

  private static FactoredPsm psm(Experience experience, int protoSteps, double basisDiscount) {
    return (FactoredPsm)
        TinyAgent.PSM.trainer(
            experience,
            StepTrial.SEEDS,
            WEIGHT,
            RATE,
            "protoSteps=" + protoSteps,
            "basisDiscount=" + basisDiscount);
  }

  private static Experience strided(int stride) {
    return new Experience(data.dataset(), Device.CPU, stride);
  }

  /** Σ over members of the plain loss against the mean of the target's members: one per seed. */
  private static Tensor plain(Tensor psi, Tensor phi, Tensor next, Tensor nextPhi, Tensor gamma) {
    Tensor target = MeasureLossTest.measure(next.mean(1), nextPhi).unsqueeze(1).mul(gamma);
    Tensor measure = MeasureLossTest.measure(psi, phi.unsqueeze(1));
    return MeasureLossTest.plain(measure, target).sum(1);
  }

  private static Tensor orthonormality(Tensor phi) {
    Tensor gram = MeasureLossTest.measure(phi, phi);
    return MeasureLossTest.plain(gram, torch.zeros_like(gram)).mul(scalar(0.7));
  }

  /** Bits of codes, one by one. */
  private static Tensor bits(Tensor codes) {
    float[] values = Tensors.toFloats(codes.to(torch.ScalarType.Float));
    float[] bits = new float[values.length * 16];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = ((int) values[i / 16] >> (i % 16)) & 1;
    }
    return Tensors.floats(bits, codes.size(0), codes.size(1), 16);
  }

  /** A discount of features that is 0 is that of policies, 0.9; a transition's is its power. */
  @ParameterizedTest
  @CsvSource({"1,0,0.9", "1,0.5,0.5", "3,0,0.729", "3,0.7,0.343"})
  void theProtoStepFollowsItsLossAndTouchesNothingElse(
      int stride, double basisDiscount, double ofTransition) {
    FactoredPsm trainer = psm(strided(stride), 1, basisDiscount);
    StepTrial.stir(trainer.proto.target(), 2);
    StepTrial.stir(trainer.features.target(), 3);
    Parameters proto = StepTrial.trainable(trainer.proto.weights());
    Parameters targetProto = trainer.proto.target().targetCopy();
    Parameters targetFeatures = trainer.features.target().targetCopy();
    StepTrial trial = new StepTrial(trainer, trainer.draw());
    trainer.step(trial.draws);

    Experience.Batch batch = trial.batch;
    Tensor codes = trial.draws.get(Draw.CODES);
    Tensor nextActions =
        new ActionCodebook(StepTrial.SEEDS, StepTrial.ACTION, Device.CPU)
            .actions(codes, batch.nextRows());
    Tensor psi =
        StepTrial.successor(
            trainer.proto.shape(), proto, batch.observations(), bits(codes), batch.actions());
    Tensor next =
        StepTrial.successor(
            trainer.proto.shape(), targetProto, batch.nextObservations(), bits(codes), nextActions);
    Tensor phi = Tensors.onSphere(trial.phi(trial.features, batch.nextObservations()));
    Tensor targetPhi = Tensors.onSphere(trial.phi(targetFeatures, batch.nextObservations()));
    Tensor measureLoss = plain(psi, phi, next, targetPhi, trial.discounts(ofTransition));
    Tensor loss = measureLoss.add(orthonormality(phi)).sum();
    trial.assertFollowed(loss, "proto", proto);
    trial.assertFollowed(loss, "features", trial.features);
    for (int seed = 0; seed < 2; seed++) {
      double expected = measureLoss.get(seed).item_double();
      assertEquals(expected, trainer.metrics().get("proto_loss")[seed], 1e-4 * Math.abs(expected));
    }
    StepTrial.assertAveraged(targetProto, trainer.proto.weights(), trainer.proto.target());
    StepTrial.assertAveraged(targetFeatures, trainer.features.weights(), trainer.features.target());
    trial.assertNotTrained("successor", trial.successor, trainer.successor.weights());
    trial.assertNotTrained("actor", trial.actor, trainer.actor.weights());
    assertTrue(StepTrial.same(trial.targetSuccessor, trainer.successor.target()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theSuccessorStepFollowsItsLossAndLeavesTheBasis(int stride) {
    FactoredPsm trainer = psm(strided(stride), 0, 0.7);
    StepTrial.stir(trainer.features.target(), 3);
    Parameters proto = StepTrial.trainable(trainer.proto.weights());
    Parameters targetProto = trainer.proto.target().targetCopy();
    Parameters targetFeatures = trainer.features.target().targetCopy();
    StepTrial trial = new StepTrial(trainer, trainer.draw());
    trainer.step(trial.draws);

    Experience.Batch batch = trial.batch;
    Tensor phi = Tensors.onSphere(trial.phi(trial.features, batch.nextObservations())).detach();
    Tensor tasks = trial.tasks(phi);
    Tensor psi = trial.psi(trial.successor, batch.observations(), tasks, batch.actions());
    Tensor next =
        trial.psi(trial.targetSuccessor, batch.nextObservations(), tasks, trial.nextActions(tasks));
    trial.assertSuccessorFollowedBy(plain(psi, phi, next, phi, trial.discounts()).sum());
    trial.assertActorImproved(tasks);
    trial.assertNotTrained("features", trial.features, trainer.features.weights());
    trial.assertNotTrained("proto", proto, trainer.proto.weights());
    assertTrue(StepTrial.same(targetProto, trainer.proto.target()));
    assertTrue(StepTrial.same(targetFeatures, trainer.features.target()));
  }

  @Test
  void theForwardBackwardStepFollowsItsLoss() {
    ControlForwardBackward trainer =
        (ControlForwardBackward)
            TinyAgent.FORWARD_BACKWARD.trainer(data, StepTrial.SEEDS, WEIGHT, RATE);
    StepTrial.stir(trainer.features.target(), 3);
    Parameters targetFeatures = trainer.features.target().targetCopy();
    StepTrial trial = new StepTrial(trainer, trainer.draw());
    trainer.step(trial.draws);

    Experience.Batch batch = trial.batch;
    Tensor backward = Tensors.onSphere(trial.phi(trial.features, batch.nextObservations()));
    Tensor targetBackward = Tensors.onSphere(trial.phi(targetFeatures, batch.nextObservations()));
    Tensor tasks = trial.tasks(backward.detach());
    Tensor forward = trial.psi(trial.successor, batch.observations(), tasks, batch.actions());
    Tensor next =
        trial.psi(trial.targetSuccessor, batch.nextObservations(), tasks, trial.nextActions(tasks));
    Tensor loss =
        plain(forward, backward, next, targetBackward, trial.discounts())
            .add(orthonormality(backward))
            .sum();
    trial.assertSuccessorFollowedBy(loss);
    trial.assertFollowed(loss, "features", trial.features);
    trial.assertActorImproved(tasks);
    StepTrial.assertAveraged(targetFeatures, trainer.features.weights(), trainer.features.target());
  }

  @Test
  void taskVectorsHaveTheNormRootD() {
    ControlForwardBackward trainer =
        (ControlForwardBackward) TinyAgent.FORWARD_BACKWARD.trainer(data, StepTrial.SEEDS);
    StepInputs draws = trainer.draw();
    Tensor goals = trainer.taskFeatures(trainer.data().observations(draws.get(Draw.ROWS)));
    Tensor tasks = trainer.math.taskVectors(goals, draws);
    for (float norm : Tensors.toFloats(Tensors.norms(tasks))) {
      assertEquals(Math.sqrt(5), norm, 1e-5);
    }
  }

  private static double[] protoLoss(Tensor rows, Tensor codes) {
    FactoredPsm trainer = psm(1);
    StepTrial.stir(trainer.proto.target(), 2);
    Map<Draw, Tensor> draws = new EnumMap<>(Draw.class);
    draws.put(Draw.ROWS, rows);
    draws.put(Draw.CODES, codes);
    trainer.step(new StepInputs(draws));
    return trainer.metrics().get("proto_loss");
  }

  @Test
  void aRowKeepsItsOwnCode() {
    StepInputs draws = psm(1).draw();
    Tensor rows = draws.get(Draw.ROWS);
    Tensor codes = draws.get(Draw.CODES);
    Tensor order = Tensors.longs(new long[] {3, 9, 0, 1, 7, 2, 8, 4, 6, 5}, 10);
    double[] loss = protoLoss(rows, codes);
    double[] permuted = protoLoss(rows.index_select(1, order), codes.index_select(1, order));
    double[] misaligned = protoLoss(rows, codes.index_select(1, order));
    assertArrayEquals(loss, permuted, 1e-4);
    assertFalse(Math.abs(loss[0] - misaligned[0]) < 1e-3, "codes belong to their rows");
  }
}
